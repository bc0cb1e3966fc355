import NaiveModel
import Testing

/// What the rules say of years that are billed monthly, told to the naive store (CMT-1).
@Suite("The naive store knows commitments")
struct NaiveCommitmentTests {
    private let germany = Country(code: "DEU", currency: "EUR", step: 10)
    private let ada = Account.Name("ada", isSandbox: false)

    /// Ada in Germany, a year for 99.99 or 9.00 a month, another plan below it, and grace.
    private func store() -> NaiveStore {
        var year = Article(
            id: "year", kind: .plan(group: "g", level: 2, .months(12), nil), price: 99_990)
        year.monthly = MonthlyPlan(price: 9_000)
        let low = Article(
            id: "low", kind: .plan(group: "g", level: 3, .months(1), nil), price: 4_990)
        var terms = Terms()
        terms.graceDays = 16
        var store = NaiveStore(
            now: NaiveCalendar.utc(2026, 1, 1), shop: Shop(articles: [year, low], terms: terms))
        store.signUp(ada, in: germany)
        return store
    }

    private func begun() -> NaiveStore {
        var store = store()
        _ = store.buy("year", .monthly, by: ada)
        return store
    }

    private func life(_ store: NaiveStore) -> Life { store.life(ada, in: "g")! }

    private func kinds(_ store: NaiveStore) -> [String] { store.notices.map(\.kind) }

    @Test("Cancelled in the third month it is charged to the twelfth, and then over")
    func cancelled() {
        var store = begun()
        store.advance(to: NaiveCalendar.utc(2026, 3, 10))
        #expect(store.setRenewal(false, in: "g", by: ada) == .done)
        store.advance(to: NaiveCalendar.utc(2026, 12, 31))
        #expect(store.receipts.map { $0.month?.number } == Array(1...12))
        #expect(store.receipts.map(\.price) == Array(repeating: 9_000, count: 12))
        #expect(life(store).hasAccess && store.standing(of: life(store)).renews == false)
        store.advance(to: NaiveCalendar.utc(2027, 1, 1))
        #expect(life(store).phase == .over(1))
    }

    @Test("It is not sold in the USA, and costs what a month does elsewhere")
    func sold() {
        var store = store()
        let bob = Account.Name("bob", isSandbox: true)
        store.signUp(bob, in: Country(code: "USA", currency: "USD", step: 10))
        #expect(store.buy("year", .monthly, by: bob) == .notBilledMonthly)
        #expect(store.buy("low", .monthly, by: ada) == .notBilledMonthly)
        #expect(store.buy("year", .monthly, by: ada) == .done)
        #expect(store.receipts.map(\.price) == [9_000])
        #expect(
            store.receipts[0].month
                == MonthOfCommitment(
                    number: 1, ends: NaiveCalendar.utc(2027, 1, 1), price: 108_000))
    }

    @Test("A lower plan, and the same paid at once, wait for the end", arguments: ["low", "year"])
    func waits(_ product: String) {
        var store = begun()
        store.advance(to: NaiveCalendar.utc(2026, 3, 10))
        #expect(store.buy(product, by: ada) == .done)
        #expect(kinds(store).last == "DID_CHANGE_RENEWAL_PREF/DOWNGRADE")
        store.advance(to: NaiveCalendar.utc(2026, 12, 31))
        #expect(life(store).month == 12 && life(store).plan.billing == .monthly)
        store.advance(to: NaiveCalendar.utc(2027, 1, 1))
        #expect(life(store).month == nil && life(store).plan.product == product)
    }

    @Test("A month that fails has no grace, and recovered it is the next one, with a later end")
    func fails() {
        var store = begun()
        store.setBank(.declines(until: nil, left: nil), of: ada)
        store.advance(to: NaiveCalendar.utc(2026, 2, 1))
        #expect(kinds(store).last == "DID_FAIL_TO_RENEW" && !life(store).hasAccess)
        #expect(store.setRenewal(false, in: "g", by: ada) == .done)
        store.advance(to: NaiveCalendar.utc(2026, 2, 11))
        #expect(life(store).phase == .retry)
        store.setBank(.approves, of: ada)
        #expect(life(store).month == 2)
        #expect(store.commitmentEnd(of: life(store)) == NaiveCalendar.utc(2027, 1, 11))
    }

    @Test("A refund of the month that runs ends it; taken back, the rest is owed again")
    func refunded() {
        var store = begun()
        store.advance(to: NaiveCalendar.utc(2026, 1, 10))
        #expect(store.giveBack(0, fully: true) == .done)
        #expect(life(store).isOver)
        #expect(store.takeBack(0) == .done)
        store.advance(to: NaiveCalendar.utc(2026, 2, 1))
        #expect(life(store).month == 2 && !life(store).renews)
    }

    @Test("A higher price is asked for 60 days before the end, a lower one holds next month")
    func prices() {
        var store = begun()
        let day = NaiveCalendar.utc(2026, 3, 10)
        store.advance(to: day)
        store.schedule("year", .monthly, in: germany, price: 8_000, at: day, isPreserving: false)
        // Up front it is another price.
        store.schedule("year", in: germany, price: 50_000, at: day, isPreserving: false)
        store.advance(to: NaiveCalendar.utc(2026, 4, 2))
        #expect(store.receipts.map(\.price) == [9_000, 9_000, 9_000, 8_000])
        store.schedule(
            "year", .monthly, in: germany, price: 9_990, at: store.now, isPreserving: false)
        // In Germany all is asked for.
        #expect(life(store).increases["year"]?.told == NaiveCalendar.utc(2026, 11, 2))
        store.advance(to: NaiveCalendar.utc(2026, 11, 2))
        #expect(store.answer(true, in: "g", by: ada) == .done)
        store.advance(to: NaiveCalendar.utc(2027, 1, 1))
        #expect(store.receipts.suffix(2).map(\.price) == [8_000, 9_990])
    }
}

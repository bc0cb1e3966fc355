import NaiveModel
import Testing

/// The worked examples of the rules, told to the naive store: what judges the engine has to be
/// right itself.
@Suite("The naive store knows the examples of TAB-21")
struct NaiveModelTests {
    private let usa = Country(code: "USA", currency: "USD", step: 10)
    private let japan = Country(code: "JPN", currency: "JPY", step: 1000)
    private let ada = Account.Name("ada", isSandbox: false)

    private func store(
        _ start: Int, _ length: Length = .months(1), price: Int = 9_990, in country: Country? = nil,
        graceDays: Int? = nil, offer: Discount? = nil
    ) -> NaiveStore {
        var terms = Terms()
        terms.graceDays = graceDays
        var store = NaiveStore(
            now: start,
            shop: Shop(
                articles: [
                    Article(
                        id: "plan", kind: .plan(group: "g", level: 2, length, offer), price: price),
                    Article(
                        id: "better", kind: .plan(group: "g", level: 1, .months(1), nil),
                        price: 19_990),
                ], terms: terms))
        store.signUp(ada, in: country ?? usa)
        return store
    }

    private static let sequences: [(anchor: String, months: Int, ends: [String])] = [
        ("2025-01-31", 1, ["2025-02-28", "2025-03-31", "2025-04-30", "2025-05-31"]),
        ("2028-01-30", 1, ["2028-02-29", "2028-03-30", "2028-04-30"]),
        ("2025-08-31", 2, ["2025-10-31", "2025-12-31", "2026-02-28", "2026-04-30"]),
        ("2024-11-30", 3, ["2025-02-28", "2025-05-30", "2025-08-30", "2025-11-30"]),
        ("2025-08-31", 6, ["2026-02-28", "2026-08-31", "2027-02-28"]),
        ("2024-02-29", 12, ["2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]),
    ]

    /// Three minutes past four in the afternoon of a day.
    private func afternoon(_ date: String) -> Int {
        let parts = date.split(separator: "-").map { Int($0)! }
        return NaiveCalendar.utc(parts[0], parts[1], parts[2], 16, 3)
    }

    @Test("Periods end on the anchor's day")
    func calendar() {
        for (anchor, months, ends) in NaiveModelTests.sequences {
            var store = store(afternoon(anchor), .months(months))
            #expect(store.buy("plan", by: ada) == .done)
            for end in ends {
                #expect(store.life(ada, in: "g")?.end == afternoon(end))
                store.advance(to: afternoon(end))
            }
        }
    }

    @Test(
        "The zone decides on which day a period ends",
        arguments: [
            (NaiveCalendar.utc(2023, 3, 1), false, NaiveCalendar.utc(2023, 4, 1)),
            (NaiveCalendar.utc(2023, 3, 1), true, NaiveCalendar.utc(2023, 3, 28, 23)),
            (NaiveCalendar.utc(2023, 2, 28, 23), false, NaiveCalendar.utc(2023, 3, 28, 23)),
        ])
    func zones(_ start: Int, _ isPacific: Bool, _ end: Int) {
        var store = store(start)
        store.arrange { $0.terms.isPacific = isPacific }
        #expect(store.buy("plan", by: ada) == .done)
        #expect(store.life(ada, in: "g")?.end == end)
    }

    @Test("A recovery inside grace keeps the day, a later one begins a new count")
    func recovery() {
        for (graceDays, recovered, next) in [
            (16, NaiveCalendar.utc(2026, 2, 10), NaiveCalendar.utc(2026, 2, 28)),
            (16, NaiveCalendar.utc(2026, 2, 20, 10), NaiveCalendar.utc(2026, 3, 20, 10)),
            (nil, NaiveCalendar.utc(2026, 2, 2, 9), NaiveCalendar.utc(2026, 3, 2, 9)),
        ] {
            var store = store(NaiveCalendar.utc(2025, 12, 31), graceDays: graceDays)
            #expect(store.buy("plan", by: ada) == .done)
            store.setBank(.declines(until: nil, left: nil), of: ada)
            store.advance(to: recovered)
            let isInGrace = graceDays != nil && recovered < NaiveCalendar.utc(2026, 2, 16)
            #expect(store.access(ada) == (isInGrace ? ["plan"] : []))
            store.setBank(.approves, of: ada)
            #expect(store.life(ada, in: "g")?.end == next)
            #expect(store.access(ada) == ["plan"])
        }
    }

    @Test("Sixty days after the failure it is over; renewal turned off ends it at once")
    func givingUp() {
        var store = store(NaiveCalendar.utc(2025, 12, 31), graceDays: 16)
        #expect(store.buy("plan", by: ada) == .done)
        store.setBank(.declines(until: nil, left: nil), of: ada)
        var cancelled = store
        store.advance(to: NaiveCalendar.utc(2026, 4, 1) - 1)
        #expect(store.life(ada, in: "g")?.phase == .retry)
        store.advance(to: NaiveCalendar.utc(2026, 4, 1))
        #expect(store.life(ada, in: "g")?.phase == .over(2))
        cancelled.advance(to: NaiveCalendar.utc(2026, 2, 5))
        #expect(cancelled.setRenewal(false, in: "g", by: ada) == .done)
        #expect(cancelled.life(ada, in: "g")?.phase == .over(1))
        #expect(cancelled.access(ada) == [])
    }

    @Test("A renewal without an answer keeps access for six days, and begins when it was due")
    func waiting() {
        for (answered, end, hasAccess) in [
            (5, NaiveCalendar.utc(2026, 2, 28), true),
            (6, NaiveCalendar.utc(2026, 3, 6), false),
        ] {
            var store = store(NaiveCalendar.utc(2025, 12, 31))
            #expect(store.buy("plan", by: ada) == .done)
            store.setBank(.answersLater(after: nil, pays: true), of: ada)
            store.advance(to: NaiveCalendar.utc(2026, 1, 31) + answered * NaiveCalendar.day)
            #expect(store.access(ada) == (hasAccess ? ["plan"] : []))
            #expect(store.buy("better", by: ada) == .paymentPending)
            #expect(store.answer(1, .paid) == .answered)
            #expect(store.answer(1, .paid) == .ignored)
            #expect(store.life(ada, in: "g")?.end == end)
            #expect(store.access(ada) == ["plan"])
        }
    }

    @Test("What is asked for is given up after a day, and money that comes later goes back")
    func givenUp() {
        var store = store(NaiveCalendar.utc(2026, 3, 1))
        store.setBank(.answersLater(after: nil, pays: true), of: ada)
        #expect(store.buy("plan", by: ada) == .done)
        #expect(store.buy("plan", by: ada) == .done)
        #expect(store.buy("better", by: ada) == .paymentPending)
        store.advance(to: NaiveCalendar.utc(2026, 3, 2))
        #expect(store.invoices.map(\.state) == [.void] && store.lives.isEmpty)
        #expect(store.answer(0, .paid) == .gaveBack)
        #expect(store.books.isEmpty)
    }

    @Test("An upgrade gives back the unused share")
    func proration() {
        for (price, country, start, change, back) in [
            (9_990, usa, NaiveCalendar.utc(2026, 3, 1), NaiveCalendar.utc(2026, 3, 11), 6_770),
            (9_990, usa, NaiveCalendar.utc(2026, 3, 1), NaiveCalendar.utc(2026, 3, 1), 9_990),
            (
                1_000_000, japan, NaiveCalendar.utc(2026, 4, 1),
                NaiveCalendar.utc(2026, 4, 20, 12), 350_000
            ),
        ] {
            var store = store(start, price: price, in: country)
            #expect(store.buy("plan", by: ada) == .done)
            store.advance(to: change)
            #expect(store.buy("better", by: ada) == .done)
            #expect(store.books.filter { $0.kind == .refunded }.map(\.amount) == [back])
            #expect(store.access(ada) == ["better"])
        }
    }

    @Test("A weekly plan's grace is six days at most")
    func weeklyGrace() {
        var store = store(NaiveCalendar.utc(2026, 2, 22, 12), .days(7), graceDays: 28)
        #expect(store.buy("plan", by: ada) == .done)
        store.setBank(.declines(until: nil, left: nil), of: ada)
        store.advance(to: NaiveCalendar.utc(2026, 3, 5))
        #expect(
            store.life(ada, in: "g")?.phase == .grace(until: NaiveCalendar.utc(2026, 3, 7, 12)))
        store.setBank(.approves, of: ada)
        #expect(store.life(ada, in: "g")?.end == NaiveCalendar.utc(2026, 3, 8, 12))
    }

    @Test("An introductory offer runs its course, once in a lifetime")
    func introduction() {
        var store = store(
            NaiveCalendar.utc(2026, 1, 1),
            offer: Discount(.payAsYouGo, .months(1), count: 3, price: 1_990))
        #expect(store.buy("plan", by: ada) == .done)
        store.advance(to: NaiveCalendar.utc(2026, 4, 15))
        #expect(store.setRenewal(false, in: "g", by: ada) == .done)
        store.advance(to: NaiveCalendar.utc(2026, 6, 1))
        #expect(store.access(ada) == [])
        #expect(store.buy("plan", by: ada) == .done)
        #expect(store.books.map(\.amount) == [1_990, 1_990, 1_990, 9_990, 9_990])
    }

    @Test("Nothing is charged for a change that waits, and the plan is not bought twice")
    func waitingForTheBank() {
        var store = store(NaiveCalendar.utc(2026, 1, 1))
        #expect(store.buy("better", by: ada) == .done)
        #expect(store.buy("better", by: ada) == .alreadySubscribed)
        #expect(store.buy("plan", by: ada) == .done)
        #expect(store.access(ada) == ["better"])
        store.advance(to: NaiveCalendar.utc(2026, 2, 1))
        #expect(store.access(ada) == ["plan"])
        #expect(store.books.map(\.amount) == [19_990, 9_990])
    }

    @Test("A failed renewal is told of in its order (NTF-3)")
    func tellingOfRetry() {
        var store = store(NaiveCalendar.utc(2025, 12, 31), graceDays: 16)
        #expect(store.buy("plan", by: ada) == .done)
        store.setBank(.declines(until: nil, left: nil), of: ada)
        store.advance(to: NaiveCalendar.utc(2026, 4, 1))
        #expect(
            told(store) == [
                "SUBSCRIBED/INITIAL_BUY 1", "DID_FAIL_TO_RENEW/GRACE_PERIOD 4",
                "GRACE_PERIOD_EXPIRED 3", "EXPIRED/BILLING_RETRY 2",
            ])
    }

    @Test("A higher price is told of, shown and charged (TAB-6)")
    func tellingOfPrices() throws {
        var store = store(NaiveCalendar.utc(2026, 2, 15))
        #expect(store.buy("plan", by: ada) == .done)
        store.advance(to: NaiveCalendar.utc(2026, 3, 10))
        store.schedule("plan", in: usa, price: 15_990, at: store.now, isPreserving: false)
        store.advance(to: NaiveCalendar.utc(2026, 3, 19))
        let asked = try #require(store.notices.last?.standing)
        #expect((asked.increase, asked.price) == (0, 15_990))
        store.advance(to: NaiveCalendar.utc(2026, 4, 15))
        #expect(
            told(store) == [
                "SUBSCRIBED/INITIAL_BUY 1", "DID_RENEW 1", "PRICE_INCREASE/PENDING 1",
                "EXPIRED/PRICE_INCREASE 2",
            ])
        #expect(store.notices.last?.standing?.intent == 3)
    }

    @Test("Status is 5 wherever the newest transaction was refunded")
    func tellingOfRefunds() {
        var store = store(NaiveCalendar.utc(2026, 1, 1))
        #expect(store.buy("plan", by: ada) == .done)
        #expect(store.setRenewal(false, in: "g", by: ada) == .done)
        store.advance(to: NaiveCalendar.utc(2026, 3, 1))
        #expect(store.giveBack(0, fully: true) == .done)
        store.present()
        #expect(store.takeBack(0) == .done)
        #expect(
            told(store) == [
                "SUBSCRIBED/INITIAL_BUY 1", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1",
                "EXPIRED/VOLUNTARY 2", "REFUND 5", "REFUND_REVERSED 2",
            ])
    }

    /// What the developer was told, with the status that it showed.
    private func told(_ store: NaiveStore) -> [String] {
        var store = store
        store.present()
        return store.notices.map { "\($0.kind) \($0.standing?.status ?? 0)" }
    }
}

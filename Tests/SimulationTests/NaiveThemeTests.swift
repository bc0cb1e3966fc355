import NaiveModel
import Testing

/// What the rules say of codes, requests and families, told to the naive store.
@Suite("The naive store knows codes, requests and families")
struct NaiveThemeTests {
    private let usa = Country(code: "USA", currency: "USD", step: 10)
    private let ada = Account.Name("ada", isSandbox: false)
    private let bea = Account.Name("bea", isSandbox: false)
    private let start = NaiveCalendar.utc(2026, 1, 1)

    /// Ada and bea, and a plan with a week's trial, a month for nothing by code, for a family.
    private func store(isSecond: Bool = false) -> NaiveStore {
        var plan = Article(
            id: "plan",
            kind: .plan(group: "g", level: 2, .months(1), Discount(.trial, .days(7))), price: 9_990)
        plan.codeOffers = [
            CodeOffer(
                Discount(.trial, .months(1), name: "HELLO"),
                audience: [.new, .existing, .expired], isSecond: isSecond)
        ]
        plan.isShareable = true
        var store = NaiveStore(now: start, shop: Shop(articles: [plan]))
        for name in [ada, bea] { store.signUp(name, in: usa) }
        return store
    }

    private func codes(_ count: Int, custom: String? = nil) -> CodeBatch {
        CodeBatch(
            product: "plan", offer: "HELLO", isSandbox: false, custom: custom, count: count,
            until: nil)
    }

    @Test("A code takes the place of the introductory offer or follows it (COD-3)")
    func stacking() {
        for isSecond in [false, true] {
            var store = store(isSecond: isSecond)
            #expect(store.makeCodes(codes(1)) == .done)
            let code = Code(batch: 0, place: 0)
            #expect(store.redeem(code, isTyped: false, by: ada) == .done)
            #expect(
                store.life(ada, in: "g")?.end
                    == NaiveCalendar.utc(2026, isSecond ? 1 : 2, isSecond ? 8 : 1))
            #expect(store.redeem(code, isTyped: false, by: bea) == .codeRedeemed)
        }
    }

    @Test("A custom code is redeemed by so many, and not typed in (COD-2)")
    func custom() {
        var store = store()
        #expect(store.makeCodes(codes(1, custom: "ONE")) == .done)
        let code = Code(batch: 0, place: 0)
        #expect(store.redeem(code, isTyped: true, by: ada) == .codeTyped)
        // Another environment may have a code of the same name: it is the same text.
        var other = codes(1, custom: "ONE")
        other.isSandbox = true
        #expect(store.makeCodes(other) == .done)
        #expect(store.redeem(Code(batch: 1, place: 0), isTyped: false, by: ada) == .done)
        #expect(store.redeem(code, isTyped: false, by: ada) == .offerRedeemedBefore)
        #expect(store.redeem(code, isTyped: false, by: bea) == .codeRedeemed)
    }

    @Test("A request lapses after 24 hours, which a repeat begins anew (ATB-2)")
    func request() {
        var store = store()
        store.setBuying(asks: true, isInterrupted: nil, mayPay: nil, of: ada)
        let (hour, day) = (NaiveCalendar.hour, NaiveCalendar.day)
        #expect(store.buy("plan", by: ada) == .done)
        store.advance(to: start + 20 * hour)
        #expect(store.buy("plan", by: ada) == .done)
        store.advance(to: start + 20 * hour + day - 1)
        #expect(store.requests.map(\.state) == [.waiting])
        store.advance(to: start + 20 * hour + day)
        #expect(store.requests.map(\.state) == [.lapsed])
        #expect(store.lives.isEmpty && store.notices.isEmpty)
        #expect(store.buy("plan", by: ada) == .done)
        #expect(store.approve(1, byCustomer: true) == .needsApproval)
        #expect(store.approve(1, byCustomer: false) == .done)
        #expect(store.access(ada) == ["plan"])
    }

    @Test("Who joins has it from that day on, who leaves loses it, and is told so (FAM-5, FAM-6)")
    func family() {
        var store = store()
        #expect(store.buy("plan", by: ada) == .done)
        store.advance(to: start + NaiveCalendar.day)
        #expect(store.found(by: ada, with: [bea]) == .done)
        #expect(store.access(bea) == ["plan"])
        #expect(store.handedOn.map(\.purchased) == [start + NaiveCalendar.day])
        store.advance(to: start + 8 * NaiveCalendar.day)
        #expect(store.leave(bea, byOwnWill: true) == .done)
        store.advance(to: store.now)
        #expect(store.access(bea).isEmpty && store.access(ada) == ["plan"])
        #expect(
            store.notices.filter { $0.account == bea }.map(\.kind)
                == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "REVOKE"])
    }
}

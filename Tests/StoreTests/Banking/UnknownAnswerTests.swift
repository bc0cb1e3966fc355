import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("A bank outside: answers that are lost")
struct UnknownAnswerTests {
    @Test(
        "A payment whose request or reply went wrong is collected once",
        arguments: Backend.available, FakeBank.Mishap.allCases.filter { $0 != .nothing })
    func once(_ backend: Backend, _ mishap: FakeBank.Mishap) async throws {
        let it = try await BankWorld(backend)
        it.bank.goWrong(mishap)
        let bill = try await it.ask("silver.monthly")
        #expect(try await it.state(bill) == .sent)
        #expect(try await it.ask("silver.monthly") == bill)
        try await it.wait(.minutes(4))
        #expect(try await it.state(bill) == .sent && it.told().isEmpty)
        try await it.wait(.minutes(1))
        #expect(try await it.state(bill) == .paid)
        #expect(it.told() == ["SUBSCRIBED/INITIAL_BUY"])
        #expect(it.bank.collected == [bill: 1])
        try await it.checkBooks()
    }

    @Test("A renewal is no failure while the bank is down", arguments: Backend.available)
    func down(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        let id = try await it.own("silver.monthly")
        it.bank.goWrong(.losesReply, .losesRequest, .losesRequest)
        try await it.advance(to: "2026-02-16")
        #expect(it.told().isEmpty)
        #expect(
            try await it.world.shows(id) == ["4 silver.monthly on 2026-02-15 9.99 grace 2026-02-21"]
        )
        try await it.wait(.days(1))
        try await it.wait(.days(1))
        try await it.wait(.days(1))
        #expect(it.told() == ["DID_RENEW"])
        try await it.checkBooks()
    }

    @Test(
        "After the life of its key nothing is sent again, and what never arrived is given up",
        arguments: Backend.available)
    func keyLife(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        it.bank.goWrong(Array(repeating: .losesRequest, count: 5))
        let bill = try await it.ask("coins")
        for pause in [Span.minutes(5), .hours(1), .days(1), .days(1)] { try await it.wait(pause) }
        #expect(try await it.state(bill) == .sent)
        // What the bank does not know once may be known later.
        try await it.wait(.days(1))
        #expect(try await it.state(bill) == .sent)
        try await it.wait(.days(1))
        #expect(try await it.state(bill) == .void)
        #expect(it.bank.requests.count { $0.hasPrefix("POST") } == 1)
        try await it.checkBooks()
    }

    @Test("Inside it the same order is sent again under the same key", arguments: Backend.available)
    func sentAgain(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        it.bank.goWrong(.losesRequest, .nothing, .losesRequest)
        let bill = try await it.ask("coins")
        try await it.wait(.minutes(5))
        try await it.world.store.setBankMethod("pm_2", account: "ada")
        try await it.wait(.hours(1))
        #expect(try await it.state(bill) == .paid)
        // The order is the one of then, whatever the customer has given since.
        #expect(it.bank.payments[bill]?.method == "pm_1")
        #expect(it.bank.requests.count { $0 == "POST /payments/\(bill)" } == 3)
        try await it.checkBooks()
    }

    @Test("The same key for another order is refused by the bank, which is no answer")
    func otherParameters() async throws {
        let bank = try FakeBank()
        defer { bank.close() }
        let money = Money(milliunits: 990, Currency(code: "USD")!)
        func order(_ method: String) -> PaymentOrder {
            PaymentOrder(bill: 1, amount: money, method: method, isPresent: true)
        }
        #expect(await bank.client.create(order("pm_1")) == .paid(money))
        #expect(await bank.client.create(order("pm_1")) == .paid(money))
        guard case .unclear? = await bank.client.create(order("pm_2")) else {
            Issue.record("the key was taken for another order")
            return
        }
        #expect(bank.collected == [1: 1])
    }

    @Test(
        "What cannot be an answer settles nothing, and is told until the operator settles it",
        arguments: Backend.available,
        [
            (
                FakeBank.Verdict.paidOtherwise(123),
                "the bank names another amount: 123 thousandths of USD"
            ),
            (.odd, "the bank says odd, which nobody knows"),
        ])
    func noAnswer(
        _ backend: Backend, _ what: (verdict: FakeBank.Verdict, trouble: String)
    ) async throws {
        let it = try await BankWorld(backend)
        it.bank.decide(what.verdict)
        let bill = try await it.ask("coins")
        #expect(try await it.troubles() == [what.trouble])
        try await it.wait(.days(3))
        #expect(try await it.state(bill) == .sent)
        #expect(try await it.ledger().isEmpty && it.told().isEmpty)
        try await it.world.store.answer(bill: bill, .declined, in: .production)
        #expect(try await it.state(bill) == .declined)
    }

    @Test("Whoever waits too long is told to somebody", arguments: Backend.available)
    func tooLong(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        it.bank.decide(.pending)
        let bill = try await it.ask("coins")
        for _ in 0..<14 { try await it.wait(.days(1)) }
        #expect(try await it.troubles().isEmpty)
        try await it.wait(.days(1))
        #expect(try await it.troubles() == ["there is no answer for too long"])
        it.bank.answer(bill, "paid")
        try await it.wait(.days(1))
        #expect(try await it.troubles().isEmpty)
        try await it.checkBooks()
    }

    // MARK: Killed in between

    @Test(
        "A store that is killed between bill and answer takes it up again",
        arguments: Backend.available, [true, false])
    func killed(_ backend: Backend, _ isAsked: Bool) async throws {
        let it = try await BankWorld(backend, patience: isAsked ? .seconds(60) : .zero)
        it.bank.goWrong(isAsked ? [.losesReply] : [])
        let bill = try await it.ask("silver.monthly")
        #expect(it.bank.payments.isEmpty == !isAsked)
        try await it.restart()
        try await it.wait(.minutes(5))
        #expect(try await it.state(bill) == .paid)
        #expect(it.told() == ["SUBSCRIBED/INITIAL_BUY"])
        try await it.checkBooks()
    }

    @Test(
        "A store whose database fails at any change around the payment charges once",
        arguments: Backend.available, [2, 3, 4])
    func failing(_ backend: Backend, _ change: Int) async throws {
        let it = try await BankWorld(backend)
        for fault in [FaultyDatabase.Fault.beforeCommit(change), .afterCommit(change)] {
            let database = try await it.restart(failing: fault)
            let key = "\(fault)"
            _ = try? await it.buy("coins", key: key)
            #expect(database.hasFailed)
            try await it.restart()
            try await it.wait(.minutes(5))
            try await it.wait(.minutes(5))
            // The customer's device asks again.
            #expect(try await it.buy("coins", key: key).signedTransaction != nil)
        }
        #expect(it.bank.payments.count == 2)
        try await it.checkBooks()
    }
}

import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("A bank outside: answers that come later")
struct LateAnswerTests {
    /// How a message about a payment arrives.
    enum Arrival: CaseIterable {
        case once, twice, afterRestart, never, inTheList
    }

    @Test(
        "A message is a hint, and the answer counts once however it comes",
        arguments: Backend.available, Arrival.allCases)
    func messages(_ backend: Backend, _ arrival: Arrival) async throws {
        let it = try await BankWorld(backend)
        it.bank.listChanges(arrival == .inTheList)
        it.bank.decide(.pending)
        let bill = try await it.ask("silver.monthly")
        #expect(try await it.state(bill) == .pending)
        // What a message says without the bank having decided changes nothing.
        try await it.hear("p\(bill)")
        #expect(try await it.state(bill) == .pending)
        it.bank.answer(bill, "paid")
        switch arrival {
        case .once: try await it.message("p\(bill)")
        case .twice:
            try await it.hear("p\(bill)")
            try await it.message("p\(bill)")
        case .afterRestart:
            try await it.restart()
            try await it.message("p\(bill)")
        case .never: try await it.wait(.days(1))
        case .inTheList:
            try await it.restart()
        }
        try await it.world.store.settle()
        #expect(it.told() == ["SUBSCRIBED/INITIAL_BUY"])
        try await it.checkBooks()
    }

    @Test("A message that overtakes the reply brings the answer", arguments: Backend.available)
    func beforeReply(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        it.bank.goWrong(.losesReply)
        let bill = try await it.ask("coins")
        try await it.hear("p\(bill)")
        #expect(try await it.state(bill) == .paid)
        try await it.checkBooks()
    }

    @Test("A message that the bank did not sign is refused", arguments: Backend.available)
    func forged(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        it.bank.goWrong(.losesReply)
        let bill = try await it.ask("coins")
        let before = try await Tables(it.world.database)
        await #expect(throws: BankMessageRefused.self) {
            try await it.message("p\(bill)", secret: "guessed")
        }
        #expect(try await it.message("p4711") == 0)
        #expect(try await it.message("hello") == 0)
        #expect(try await Tables(it.world.database).differences(from: before) == [])
    }

    @Test("Without a bank every message is refused")
    func noBank() async throws {
        let world = try await World(.sqlite)
        await #expect(throws: BankMessageRefused.self) {
            try await world.store.receive([], headers: [])
        }
    }

    // MARK: Voids

    @Test("A purchase that waits a day is given up at the bank", arguments: Backend.available)
    func givenUp(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        it.bank.decide(.pending)
        let bill = try await it.ask("silver.monthly")
        try await it.advance(to: "2026-01-16")
        #expect(try await it.state(bill) == .void)
        #expect(it.bank.payments[bill]?.status == "voided")
        #expect(it.told().isEmpty)
        try await it.checkBooks()
    }

    @Test(
        "A void that comes too late leaves the decision to the answer",
        arguments: Backend.available, ["paid", "declined", "voided"])
    func tooLate(_ backend: Backend, _ answer: String) async throws {
        let it = try await BankWorld(backend)
        let id = try await it.own("silver.monthly")
        it.bank.decide(.pending)
        try await it.advance(to: "2026-02-15")
        let bill = try #require(it.bank.payments.keys.max())
        it.bank.refuseVoids(answer != "voided")
        let ada = try await it.ada()
        try await it.world.store.change(subscription: id, [.renewal(isOn: false)], by: ada)
        try await it.world.store.settle()
        if answer != "voided" {
            #expect(try await it.state(bill) == .pending)
            #expect(it.told() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"])
            it.bank.answer(bill, answer)
            try await it.hear("p\(bill)")
            #expect(it.told() == [answer == "paid" ? "DID_RENEW" : "EXPIRED/VOLUNTARY"])
        } else {
            #expect(
                it.told() == [
                    "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY",
                ])
        }
        #expect(it.bank.payments.count == 2)
        try await it.checkBooks()
    }

    @Test(
        "Another method is charged only when the bank has let go of the old one's bill",
        arguments: Backend.available)
    func otherMethod(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        _ = try await it.own("silver.monthly")
        it.bank.decide(.pending)
        it.bank.refuseVoids(true)
        try await it.advance(to: "2026-02-15")
        try await it.world.store.setBankMethod("pm_2", account: "ada")
        try await it.world.store.settle()
        #expect(it.bank.payments.count == 2)
        it.bank.refuseVoids(false)
        try await it.wait(.days(1))
        #expect(it.bank.payments.values.map(\.method).sorted() == ["pm_1", "pm_1", "pm_2"])
        #expect(it.told() == ["DID_RENEW"])
        try await it.checkBooks()
    }

    @Test(
        "Money for what the operator ended, or the bank declined before, goes back once",
        arguments: Backend.available, [true, false])
    func givesBack(_ backend: Backend, _ isEnded: Bool) async throws {
        let it = try await BankWorld(backend)
        let id = try await it.own("silver.monthly")
        it.bank.refuseVoids(true)
        it.bank.decide(isEnded ? .pending : .declined(.hard))
        try await it.advance(to: "2026-02-15")
        let bill = try #require(it.bank.payments.keys.max())
        if isEnded { try await it.world.store.end(subscription: id) }
        try await it.world.store.settle()
        _ = it.told()
        it.bank.answer(bill, "paid")
        for _ in 0..<3 { try await it.hear("p\(bill)") }
        #expect(it.told().isEmpty)
        #expect(it.bank.refunds.values.map(\.payment) == [bill])
        #expect(try await it.state(bill) == (isEnded ? .void : .declined))
        try await it.checkBooks()
    }

    // MARK: Paid is not final

    @Test(
        "What the bank takes back and gives again reaches the developer, in whatever order",
        arguments: Backend.available)
    func reversed(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        let id = try await it.own("silver.monthly")
        it.bank.reverse(id)
        for _ in 0..<2 { try await it.hear("p\(id)") }
        #expect(
            it.told() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        #expect(it.bank.refunds.isEmpty)
        try await it.checkBooks()
        it.bank.restore(id)
        // The reply about it is lost, and it is looked up again without another message.
        it.bank.goWrong(.losesReply)
        try await it.hear("p\(id)")
        #expect(it.told().isEmpty)
        try await it.wait(.minutes(5))
        #expect(it.told() == ["REFUND_REVERSED"])
        try await it.checkBooks()
    }

    @Test(
        "What is taken back before anybody heard of the payment is a purchase and its refund",
        arguments: Backend.available)
    func reversedUnheard(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        it.bank.goWrong(.losesReply)
        let bill = try await it.ask("coins")
        it.bank.reverse(bill)
        try await it.wait(.minutes(5))
        #expect(it.told() == ["ONE_TIME_CHARGE", "REFUND"])
        try await it.checkBooks()
    }

    // MARK: Refunds

    @Test(
        "A refund is the developer's at once, however late the bank is done",
        arguments: Backend.available, ["accepted", "done"])
    func refund(_ backend: Backend, _ status: String) async throws {
        let it = try await BankWorld(backend)
        let id = try await it.own("silver.monthly")
        it.bank.refund(status)
        it.bank.goWrong(.losesReply)
        try await it.world.store.refund(transaction: id, .full, reason: .other, in: .production)
        try await it.world.store.settle()
        #expect(it.told() == ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "REFUND"])
        try await it.wait(.minutes(5))
        #expect(it.bank.refunds.count == 1)
        let refund = try #require(it.bank.refunds.keys.first)
        it.bank.end(refund: refund, "done")
        try await it.hear("r\(refund)")
        #expect(it.told().isEmpty)
        #expect(try await it.troubles().isEmpty)
        try await it.checkBooks()
        // What is with the customer is not taken again.
        await #expect(throws: StoreError.self) {
            try await it.world.store.reverseRefund(transaction: id, in: .production)
        }
    }

    @Test(
        "A refund that never arrived goes out under another key when its own is dead",
        arguments: Backend.available)
    func refundLost(_ backend: Backend) async throws {
        let it = try await BankWorld(backend)
        let id = try await it.own("coins")
        it.bank.goWrong(Array(repeating: .losesRequest, count: 4))
        try await it.world.store.refund(transaction: id, .full, reason: .other, in: .production)
        for _ in 0..<7 { try await it.wait(.days(1)) }
        #expect(it.bank.refunds.values.map(\.status) == ["done"])
        #expect(try await it.troubles().isEmpty)
        try await it.checkBooks()
    }

    @Test(
        "A refund that fails, also after it was done, is told to the operator",
        arguments: Backend.available, ["failed", "done"])
    func refundFails(_ backend: Backend, _ status: String) async throws {
        let it = try await BankWorld(backend)
        let id = try await it.own("silver.monthly")
        it.bank.refund(status)
        try await it.world.store.refund(transaction: id, .full, reason: .other, in: .production)
        try await it.world.store.settle()
        let refund = try #require(it.bank.refunds.keys.first)
        it.bank.end(refund: refund, "failed")
        try await it.hear("r\(refund)")
        #expect(try await it.troubles() == ["the refund failed: no such card"])
        // That a later question is lost takes nothing back of it.
        it.bank.goWrong(.losesReply)
        try await it.hear("r\(refund)")
        #expect(try await it.troubles() == ["the refund failed: no such card"])
        _ = it.told()
        // The operator takes it back: the money is still here.
        try await it.world.store.reverseRefund(transaction: id, in: .production)
        try await it.world.store.settle()
        #expect(it.told() == ["REFUND_REVERSED"])
        try await it.checkBooks()
    }
}

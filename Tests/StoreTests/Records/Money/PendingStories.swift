import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A bank that answers later, in the store: see docs/decisions/0016-bills.md.
@Suite("Stories: payments that are pending")
struct PendingStories {
    /// Ada in a world on 15 January whose bank answers later.
    private func world(
        _ backend: Backend, after: Span? = nil, isPaid: Bool = true
    ) async throws -> (world: World, ada: DeviceSession) {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        try await world.pays(.answersLater(after: after, isPaid: isPaid))
        return (world, ada)
    }

    private func ask(
        _ product: String, _ world: World, by ada: DeviceSession, key: String? = nil
    ) async throws -> Bought {
        try await world.store.buy(
            PurchaseRequest(productID: product, idempotencyKey: key), by: ada)
    }

    private func pending(_ world: World) async throws -> BillRecord? {
        try await world.store.bills(
            .pending, account: "ada", before: nil, limit: 10, in: .production
        ).first?.bill
    }

    @Test("A first purchase is paid later by the operator", arguments: Backend.available)
    func firstPurchase(_ backend: Backend) async throws {
        let (world, ada) = try await world(backend)
        let bought = try await ask("silver.monthly", world, by: ada)
        let bill = try #require(bought.pendingBill)
        #expect(bought.signedTransaction == nil)
        try await world.settle(telling: [])
        #expect(try await world.store.customer(account: "ada", in: .production).1.isEmpty)
        try await world.advance(to: "2026-01-15T20:00:00Z", telling: [])
        let answer = try await world.store.answer(bill: bill, .paid, in: .production)
        #expect(answer.outcome == .moves(to: .paid) && answer.bill.state == .paid)
        try await world.settle(
            telling: [
                """
                2026-01-15 20:00 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 \
                until 2026-02-15 20:00
                """
            ])
        #expect(try await world.books() == ["2026-01-15 20:00 charge -9.990 +6.993 +2.997"])
        try await world.check()
    }

    @Test(
        "Asked for again it is the same bill, another product waits",
        arguments: Backend.available)
    func again(_ backend: Backend) async throws {
        let (world, ada) = try await world(backend)
        let first = try await ask("silver.monthly", world, by: ada)
        let second = try await ask("silver.monthly", world, by: ada)
        #expect(first.pendingBill != nil && first.pendingBill == second.pendingBill)
        await #expect(throws: StoreError.refused(.paymentPending)) {
            try await ask("gold.monthly", world, by: ada)
        }
        try await world.advance(to: "2026-01-15T23:59:59Z", telling: [])
        #expect(try await pending(world) != nil)
        // After a day it is given up, and somebody else may be chosen.
        try await world.advance(to: "2026-01-16", telling: [])
        #expect(try await pending(world) == nil)
        #expect(try await ask("gold.monthly", world, by: ada).pendingBill != first.pendingBill)
    }

    @Test(
        "The built-in bank answers by itself when its time has come, paid or declined",
        arguments: Backend.available, [true, false])
    func byItself(_ backend: Backend, _ isPaid: Bool) async throws {
        let (world, ada) = try await world(backend, after: .hours(3), isPaid: isPaid)
        let bill = try #require(try await ask("silver.monthly", world, by: ada).pendingBill)
        try await world.advance(
            to: "2026-01-16",
            telling: isPaid
                ? [
                    """
                    2026-01-15 03:00 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 \
                    until 2026-02-15 03:00
                    """
                ] : [])
        let answered = try await world.store.bill(bill, in: .production).bill
        #expect(answered.state == (isPaid ? .paid : .declined))
        #expect(answered.changed == World.instant("2026-01-15T03:00:00Z"))
        try await world.check()
    }

    @Test("A repeated request says how its bill stands", arguments: Backend.available)
    func repeated(_ backend: Backend) async throws {
        let (world, ada) = try await world(backend)
        for (key, answer) in [("a", BankAnswer.paid), ("b", .declined), ("c", .voided)] {
            let bill = try #require(try await ask("coins", world, by: ada, key: key).pendingBill)
            #expect(try await ask("coins", world, by: ada, key: key).pendingBill == bill)
            try await world.store.answer(bill: bill, answer, in: .production)
            if answer == .paid {
                #expect(try await ask("coins", world, by: ada, key: key).signedTransaction != nil)
            } else {
                await #expect(throws: StoreError.purchase(.paymentDeclined)) {
                    try await ask("coins", world, by: ada, key: key)
                }
            }
        }
        try await world.check()
    }

    @Test(
        "A transaction that was paid late comes last in a history that was read before",
        arguments: Backend.available)
    func history(_ backend: Backend) async throws {
        let (world, ada) = try await world(backend)
        let bill = try #require(try await ask("coins", world, by: ada).pendingBill)
        try await world.pays(.approves)
        let newest = try await world.subscribe("lifetime", by: ada)
        let before = try await world.history("\(newest)")
        try await world.store.answer(bill: bill, .paid, in: .production)
        let after = try await world.history("\(bill)")
        #expect(after.dropLast().map(\.transactionId) == before.map(\.transactionId))
        #expect(after.last?.transactionId == "\(bill)")
    }

    @Test(
        "Answers that come twice, late or out of order change nothing",
        arguments: Backend.available)
    func idempotent(_ backend: Backend) async throws {
        let (world, ada) = try await world(backend)
        let bill = try #require(try await ask("silver.monthly", world, by: ada).pendingBill)
        try await world.store.answer(bill: bill, .paid, in: .production)
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        let before = try await Tables(world.database)
        for answer in [BankAnswer.paid, .pending, .restored] {
            let outcome = try await world.store.answer(bill: bill, answer, in: .production).outcome
            #expect(outcome == .nothing, "\(answer)")
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
        for answer in [BankAnswer.declined, .voided] {
            let outcome = try await world.store.answer(bill: bill, answer, in: .production).outcome
            #expect(outcome == .report, "\(answer)")
        }
        try await world.settle(telling: [])
        await #expect(throws: StoreError.unknown(.bill, "4711")) {
            try await world.store.answer(bill: 4711, .paid, in: .production)
        }
        await #expect(throws: StoreError.unknown(.bill, "\(bill)")) {
            try await world.store.answer(bill: bill, .paid, in: .sandbox)
        }
    }

    @Test("Money for a bill that was given up goes back", arguments: Backend.available)
    func tooLate(_ backend: Backend) async throws {
        let (world, ada) = try await world(backend)
        let bill = try #require(try await ask("silver.monthly", world, by: ada).pendingBill)
        try await world.advance(to: "2026-01-20", telling: [])
        #expect(
            try await world.store.answer(bill: bill, .paid, in: .production).outcome == .giveBack)
        #expect(try await world.books().isEmpty)
        try await world.settle(telling: [])
    }

    @Test(
        "A renewal is awaited, paid after four days, and keeps its day",
        arguments: Backend.available)
    func renewal(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.answersLater(after: .days(4), isPaid: true))
        try await world.advance(to: "2026-02-16", telling: [])
        #expect(
            try await world.shows(id) == ["4 silver.monthly on 2026-02-15 9.99 grace 2026-02-21"])
        try await world.advance(
            to: "2026-02-20",
            telling: ["2026-02-19 DID_RENEW 1 silver.monthly 9.99 until 2026-03-15"])
        try await world.check()
    }

    @Test(
        "A payment that the bank takes back is a refund, and may come again",
        arguments: Backend.available)
    func reversed(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.advance(to: "2026-01-20", telling: [])
        let taken = try await world.store.answer(bill: id, .reversed, in: .production)
        #expect(taken.outcome == .moves(to: .reversed) && taken.bill.state == .reversed)
        try await world.settle(telling: [
            "2026-01-20 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 5 silver.monthly 9.99 "
                + "until 2026-02-15 REFUND_FULL 2026-01-20",
            "2026-01-20 REFUND 5 silver.monthly 9.99 until 2026-02-15 REFUND_FULL 2026-01-20",
        ])
        let again = try await world.store.answer(bill: id, .reversed, in: .production)
        #expect(again.outcome == .nothing)
        _ = try await world.store.answer(bill: id, .restored, in: .production)
        try await world.store.settle()
        #expect(world.listener.takeArrivals().map(\.name) == ["REFUND_REVERSED"])
        #expect(
            try await world.books() == [
                "2026-01-15 charge -9.990 +6.993 +2.997", "2026-01-20 refund +9.990 -6.993 -2.997",
                "2026-01-20 reversal -9.990 +6.993 +2.997",
            ])
        try await world.check()
    }

    @Test("What was refunded already cannot be taken back besides", arguments: Backend.available)
    func refundedBefore(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let id = try await world.subscribe("silver.monthly", by: world.device())
        try await world.store.refund(transaction: id, .full, reason: .other, in: .production)
        let before = try await world.store.subscription(id).1
        let taken = try await world.store.answer(bill: id, .reversed, in: .production)
        #expect(taken.outcome == .report && taken.obstacle == .refunded)
        #expect(try await world.store.subscription(id).1 == before)
        // What the state of the bill says needs no other reason.
        let declined = try await world.store.answer(bill: id, .declined, in: .production)
        #expect(declined.outcome == .report && declined.obstacle == nil)
    }

    @Test(
        "A command of several changes that the bank declines is undone as a whole",
        arguments: Backend.available)
    func declinedAsAWhole(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.declines(until: nil, left: 1))
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            try await world.store.change(
                subscription: id, [.renewal(isOn: false), .product("gold.monthly")], by: ada)
        }
        try await world.settle(telling: [])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-02-15 9.99"])
        let declined = try await world.store.bills(
            .declined, account: nil, before: nil, limit: 10, in: .production)
        #expect(declined.map(\.bill.purpose) == [.planChange])
        // The method was asked once, and pays from now on.
        _ = try await world.subscribe("gold.monthly", by: ada)
        try await world.check()
    }
}

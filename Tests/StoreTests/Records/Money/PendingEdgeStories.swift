import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What the simulation found where a pending bill meets something else in the store.
@Suite("Stories: something else happens while a payment is pending")
struct PendingEdgeStories {
    private func world(_ backend: Backend) async throws -> (World, DeviceSession, Int64) {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.answersLater(after: .hours(6), isPaid: true))
        return (world, ada, id)
    }

    @Test("Devices may use what is awaited", arguments: Backend.available)
    func access(_ backend: Backend) async throws {
        let (world, ada, _) = try await world(backend)
        try await world.pays(.answersLater(after: nil, isPaid: true))
        try await world.advance(to: "2026-02-16", telling: [])
        let products = try await world.store.entitlements(for: ada).map(\.productID)
        #expect(products == ["silver.monthly"])
    }

    @Test("The name given with a purchase holds once it is paid", arguments: Backend.available)
    func name(_ backend: Backend) async throws {
        let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        for (answer, expected) in [(BankAnswer.declined, nil), (.paid, token)] {
            let (world, ada, id) = try await world(backend)
            let bill = try #require(
                try await world.store.buy(
                    PurchaseRequest(productID: "gold.monthly", appAccountToken: token), by: ada
                ).pendingBill)
            func names() async throws -> [String?] {
                try await Books.transactions(in: world.database).map(\.token)
            }
            #expect(try await world.shows(id).allSatisfy { !$0.contains("gold") })
            #expect(try await names() == [nil])
            try await world.store.answer(bill: bill, answer, in: .production)
            #expect(try await names().last == expected)
        }
    }

    @Test("A bank that declines what it has paid is not booked", arguments: Backend.available)
    func declinedTooLate(_ backend: Backend) async throws {
        let (world, _, id) = try await world(backend)
        let outcome = try await world.store.answer(bill: id, .declined, in: .production).outcome
        #expect(outcome == .report)
        let lines = try await Books.lines(after: 0, in: world.database)
        #expect(lines.allSatisfy { $0.declined == 0 })
    }

    @Test("An answer comes before what is decided at its moment", arguments: Backend.available)
    func answerFirst(_ backend: Backend) async throws {
        let (world, ada, id) = try await world(backend)
        try await world.store.configure(bundleID: World.bundleID) { $0.refundPolicy = .approve }
        try await world.store.requestRefund(transaction: id, .other, by: ada)
        _ = try await world.store.advance(to: World.instant("2026-01-15T06:00:00Z"))
        _ = try await world.store.buy(PurchaseRequest(productID: "gold.monthly"), by: ada)
        try await world.store.settle()
        _ = world.listener.takeArrivals()
        _ = try await world.store.advance(to: World.instant("2026-01-15T12:00:00Z"))
        #expect(
            world.listener.takeArrivals().map(\.name) == [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED",
                "DID_CHANGE_RENEWAL_PREF/UPGRADE", "REFUND_DECLINED",
            ])
    }

    @Test("Who asked before a price fell keeps no higher one", arguments: Backend.available)
    func cheaper(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        try await world.pays(.answersLater(after: .hours(6), isPaid: true))
        let bought = try await world.store.buy(
            PurchaseRequest(productID: "silver.monthly"), by: ada)
        let id = try #require(bought.pendingBill)
        try await world.schedule("silver.monthly", 4_990, live: "2026-01-15T01:00:00Z")
        _ = try await world.store.advance(to: World.instant("2026-01-15T06:00:00Z"))
        #expect(try await world.books() == ["2026-01-15 06:00 charge -9.990 +6.993 +2.997"])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-02-15 06:00 4.99"])
    }
}

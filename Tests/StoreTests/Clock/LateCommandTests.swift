import AppStoreWire
import Store
import SubscriptionRules
import TestSupport
import Testing

/// A running clock on which nobody has swept for a while: what is due comes before what is asked.
@Suite("Late commands")
struct LateCommandTests {
    /// Ada's weekly subscription, due on 8 January, on a running clock.
    private func late(
        _ backend: Backend, by moment: String, _ prepare: (World) async throws -> Void = { _ in }
    ) async throws -> (world: World, ada: Visitor, id: Int64) {
        let machine = ManualClock(World.instant("2026-01-01"))
        let world = try await World(backend, mode: .running, machine: machine)
        let ada = try await world.visitor()
        let id = try await world.subscribe("bronze.weekly", by: ada)
        try await prepare(world)
        machine.set(World.instant(moment))
        return (world, ada, id)
    }

    private static let renewals = [
        "2026-01-08 DID_RENEW 1 bronze.weekly 0.99 until 2026-01-15",
        "2026-01-15 DID_RENEW 1 bronze.weekly 0.99 until 2026-01-22",
    ]

    @Test(
        "A purchase that upgrades comes after the renewals that were due",
        arguments: Backend.available)
    func purchase(_ backend: Backend) async throws {
        let (world, ada, _) = try await late(backend, by: "2026-01-16")
        try await world.buy(
            "silver.monthly", by: ada,
            telling: Self.renewals + [
                "2026-01-16 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 silver.monthly 9.99 until 2026-02-16"
            ])
        // 0.99 × 6 ÷ 7.
        #expect(
            try await world.ledger() == [
                "2026-01-01 +0.99", "2026-01-08 +0.99", "2026-01-15 +0.99",
                "2026-01-16 +9.99 -0.85",
            ])
    }

    @Test(
        "Turning renewal off comes after the renewals that were due", arguments: Backend.available)
    func change(_ backend: Backend) async throws {
        let (world, ada, id) = try await late(backend, by: "2026-01-16")
        try await world.change(
            id, .renewal(isOn: false), by: ada,
            telling: Self.renewals + [
                """
                2026-01-16 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 bronze.weekly 0.99 \
                until 2026-01-22
                """
            ])
    }

    @Test("The operator's end comes after the renewals that were due", arguments: Backend.available)
    func end(_ backend: Backend) async throws {
        let (world, _, id) = try await late(backend, by: "2026-01-16")
        try await world.store.end(subscription: id)
        try await world.settle(
            telling: Self.renewals + ["2026-01-16 EXPIRED 2 bronze.weekly 0.99 until 2026-01-16"])
    }

    @Test("A token holds from the newest transaction that was due", arguments: Backend.available)
    func token(_ backend: Backend) async throws {
        let (world, _, id) = try await late(backend, by: "2026-01-16")
        let token = "0a1b2c3d-0000-4000-8000-000000000001"
        try await world.store.setAppAccountToken(
            token, originalTransaction: id, bundleID: World.bundleID, in: .production)
        let history = try await world.history("\(id)")
        #expect(history.map(\.appAccountToken) == [nil, nil, token])
    }

    @Test(
        "A payment method holds from now on, not for what was due before",
        arguments: Backend.available)
    func paymentMethod(_ backend: Backend) async throws {
        let (world, _, _) = try await late(backend, by: "2026-01-08T12:00:00Z") { world in
            try await world.pays(.declines(until: nil, left: nil))
        }
        try await world.store.setPaymentMethod(.approves, account: "ada", in: .production)
        try await world.store.settle()
        #expect(
            world.listener.takeArrivals().map(\.line) == [
                "2026-01-08 DID_FAIL_TO_RENEW 3 bronze.weekly 0.99 until 2026-01-08",
                """
                2026-01-08 12:00 DID_RENEW/BILLING_RECOVERY 1 bronze.weekly 0.99 \
                until 2026-01-15 12:00
                """,
            ])
    }

    @Test("A payment method that declines spares what was due before", arguments: Backend.available)
    func decliningLater(_ backend: Backend) async throws {
        let (world, _, _) = try await late(backend, by: "2026-01-08T12:00:00Z")
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        try await world.store.settle()
        #expect(world.listener.takeArrivals().map(\.line) == [Self.renewals[0]])
    }

    @Test("A product taken off sale now was on sale when it was due", arguments: Backend.available)
    func availability(_ backend: Backend) async throws {
        let (world, _, _) = try await late(backend, by: "2026-01-08T12:00:00Z")
        try await world.store.setAvailability(
            false, product: "bronze.weekly", storefront: nil, bundleID: World.bundleID)
        try await world.store.settle()
        #expect(world.listener.takeArrivals().map(\.line) == [Self.renewals[0]])
    }

    @Test(
        "A timekeeper does what has become due, by itself", .timeLimit(.minutes(5)),
        arguments: Backend.available)
    func timekeeper(_ backend: Backend) async throws {
        let (world, _, _) = try await late(backend, by: "2026-01-01T00:00:01Z")
        let count = world.listener.arrivals.count
        let timekeeper = Task { try await Timekeeper(world.store).run() }
        _ = try await world.store.advance(to: World.instant("2026-01-07T23:59:59Z"))
        #expect(world.listener.arrivals.count == count)
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "coins"), by: try await world.visitor("bea"))
        await world.listener.waitForArrivals(count + 1)
        #expect(world.listener.arrivals.last?.name == "ONE_TIME_CHARGE")
        timekeeper.cancel()
        try await timekeeper.value
    }
}

import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing
import TimeAndChance

/// A running clock on which nobody has swept for a while: what is due comes before what is asked.
@Suite("Late commands")
struct LateCommandTests {
    /// Ada's weekly subscription, due on 8 January, on a running clock.
    private func late(
        _ backend: Backend, by moment: String, _ prepare: (World) async throws -> Void = { _ in }
    ) async throws -> (world: World, ada: DeviceSession, id: Int64) {
        let machine = ManualClock(World.instant("2026-01-01"))
        let world = try await World(backend, mode: .running, machine: machine)
        let ada = try await world.device()
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
        "A timekeeper does what has become due, by itself", .timeLimit(.minutes(15)),
        arguments: Backend.available)
    func timekeeper(_ backend: Backend) async throws {
        let (world, _, _) = try await late(backend, by: "2026-01-01T00:00:01Z")
        let count = world.listener.arrivals.count
        let timekeeper = Task { try await Timekeeper(world.store).run() }
        _ = try await world.store.advance(to: World.instant("2026-01-07T23:59:59Z"))
        #expect(world.listener.arrivals.count == count)
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "coins"), by: try await world.device("bea"))
        await world.listener.waitForArrivals(count + 1)
        #expect(world.listener.arrivals.last?.name == "ONE_TIME_CHARGE")
        timekeeper.cancel()
        try await timekeeper.value
    }

    @Test(
        "A live price comes before a purchase, also where other work is due before it",
        arguments: Backend.available)
    func price(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        _ = try await world.subscribe("silver.monthly", by: world.device())
        try await world.store.massExtend(
            MassExtensionOrder(
                productID: "silver.monthly", storefronts: nil,
                request: try ExtensionRequest(days: 10, reasonCode: 0), requestIdentifier: nil),
            for: world.caller())
        try await world.schedule("silver.monthly", 14_990, live: "2026-01-01", .preserve)
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "silver.monthly"), by: world.device("bob"))
        #expect(
            try await world.store.priceCohorts(product: "silver.monthly", bundleID: World.bundleID)
                .map { [$0.price, $0.subscribers] } == [[9_990, 1], [14_990, 1]])
    }

    @Test(
        "A server that takes its time holds up no renewal", .timeLimit(.minutes(15)),
        arguments: Backend.available)
    func slowServer(_ backend: Backend) async throws {
        let machine = ManualClock(World.instant("2026-01-01"))
        let world = try await World(backend, mode: .running, machine: machine)
        let id = try await world.subscribe("bronze.weekly", by: world.device())
        let (answers, gate) = AsyncStream.makeStream(of: Void.self)
        world.listener.onArrival { _ in for await _ in answers {} }
        let timekeeper = Task { try await Timekeeper(world.store).run() }
        let count = world.listener.arrivals.count
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "coins"), by: try await world.device("bea"))
        await world.listener.waitForArrivals(count + 1)
        // The server has the first notification and says nothing while the renewal is due.
        machine.set(World.instant("2026-01-08T12:00:00Z"))
        while try await world.store.subscription(id).1.newestPeriod.start
            < World.instant("2026-01-08")
        {
            await SystemTime.wait(.milliseconds(10))
        }
        #expect(world.listener.arrivals.count == count + 1)
        gate.finish()
        await world.listener.waitForArrivals(count + 2)
        #expect(world.listener.arrivals.last?.line == Self.renewals[0])
        timekeeper.cancel()
        try await timekeeper.value
    }
}

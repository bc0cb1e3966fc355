import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Commands: payment methods")
struct PaymentMethodTests {
    private func isPaid(_ world: World, _ device: DeviceSession) async throws -> Bool {
        do {
            _ = try await world.store.purchase(PurchaseRequest(productID: "coins"), by: device)
            return true
        } catch StoreError.purchase(.paymentDeclined) {
            return false
        }
    }

    @Test(
        "A method that declines until a moment pays from that moment on",
        arguments: Backend.available)
    func until(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.pays(.declines(until: World.instant("2026-01-02"), left: nil))
        #expect(try await !isPaid(world, ada))
        _ = try await world.store.advance(to: World.instant("2026-01-01T23:59:59Z"))
        #expect(try await !isPaid(world, ada))
        _ = try await world.store.advance(to: World.instant("2026-01-02"))
        #expect(try await isPaid(world, ada))
        let customer = try await world.store.customer(account: "ada", in: .production).0
        #expect(customer.paymentMethod == .approves)
    }

    @Test(
        "A method that declines a number of times counts purchases too",
        arguments: Backend.available)
    func count(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.pays(.declines(until: nil, left: 2))
        let outcomes = [
            try await isPaid(world, ada), try await isPaid(world, ada),
            try await isPaid(world, ada),
        ]
        #expect(outcomes == [false, false, true])
    }

    @Test("A method that declines whichever ends first", arguments: Backend.available)
    func both(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("bronze.weekly", by: ada)
        try await world.pays(.declines(until: World.instant("2026-01-20"), left: 1))
        try await world.advance(
            to: "2026-01-10", expecting: ["DID_FAIL_TO_RENEW", "DID_RENEW/BILLING_RECOVERY"])
        try await world.pays(.declines(until: World.instant("2026-01-18"), left: 100))
        try await world.advance(
            to: "2026-01-20", expecting: ["DID_FAIL_TO_RENEW", "DID_RENEW/BILLING_RECOVERY"])
    }

    @Test("What costs nothing is never declined", arguments: Backend.available)
    func free(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.pays(.declines(until: nil, left: 1))
        try await world.buy("silver.trial", by: ada, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        try await world.advance(
            to: "2026-01-09", expecting: ["DID_FAIL_TO_RENEW", "DID_RENEW/BILLING_RECOVERY"])
    }

    @Test(
        "A trial is covered by grace or not, as the app is set up", arguments: Backend.available,
        GraceScope.allCases)
    func graceScope(_ backend: Backend, _ scope: GraceScope) async throws {
        let world = try await World(backend) { settings in
            settings.gracePeriod = .sixteenDays
            settings.graceScope = scope
        }
        let ada = try await world.device()
        _ = try await world.subscribe("silver.trial", by: ada)
        try await world.pays(.declines(until: nil, left: nil))
        try await world.advance(
            to: "2026-01-08",
            expecting: [
                scope == .allRenewals ? "DID_FAIL_TO_RENEW/GRACE_PERIOD" : "DID_FAIL_TO_RENEW"
            ])
    }

    @Test(
        "A new method pays all that has failed, in every app and group",
        arguments: Backend.available)
    func recoversAll(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.subscribe("news.monthly", by: ada)
        try await world.pays(.declines(until: nil, left: nil))
        try await world.advance(
            to: "2026-02-01T12:00:00Z", expecting: ["DID_FAIL_TO_RENEW", "DID_FAIL_TO_RENEW"])
        try await world.pays(
            .approves,
            telling: [
                """
                2026-02-01 12:00 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 \
                until 2026-03-01 12:00
                """,
                """
                2026-02-01 12:00 DID_RENEW/BILLING_RECOVERY 1 news.monthly 2.99 \
                until 2026-03-01 12:00
                """,
            ])
    }

    @Test("A count below one is refused", arguments: Backend.available, [0, -1])
    func invalidCount(_ backend: Backend, _ left: Int) async throws {
        let world = try await World(backend)
        _ = try await world.device()
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.self) {
            try await world.store.setPaymentMethod(
                .declines(until: nil, left: left), account: "ada", in: .production)
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test(
        "A moment that is not after the clock's is refused", arguments: Backend.available,
        ["1999-12-31", "2025-12-31T23:59:59.999Z", "2026-01-01"])
    func past(_ backend: Backend, _ until: String) async throws {
        let world = try await World(backend)
        _ = try await world.device()
        let before = try await Tables(world.database)
        await #expect(
            throws: StoreError.setting(
                .invalid(
                    "until",
                    reason: "it is not after the store's clock, which shows 2026-01-01 00:00"))
        ) {
            try await world.store.setPaymentMethod(
                .declines(until: World.instant(until), left: nil), account: "ada", in: .production)
        }
        #expect(try await Tables(world.database) == before)
        try await world.pays(
            .declines(until: World.instant("2026-01-01T00:00:00.001Z"), left: nil))
    }
}

import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Silver, bought on 31 December 2025, due on 31 January 2026, with a bank that declines: the
/// recovery table of TAB-21.
@Suite("Stories: failed renewals")
struct BillingStories {
    private func failing(
        _ backend: Backend, grace: GracePeriod?, until: String? = nil, left: Int? = nil
    ) async throws -> (world: World, ada: DeviceSession, id: Int64) {
        let world = try await World(backend, at: "2025-12-31") { $0.gracePeriod = grace }
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.declines(until: until.map(World.instant), left: left))
        return (world, ada, id)
    }

    private static let due = "silver.monthly 9.99 until 2026-01-31"
    private static let graceBegins = "2026-01-31 DID_FAIL_TO_RENEW/GRACE_PERIOD 4 \(due)"

    @Test("A recovery inside grace keeps the billing day", arguments: Backend.available)
    func insideGrace(_ backend: Backend) async throws {
        let (world, _, id) = try await failing(backend, grace: .sixteenDays)
        try await world.advance(to: "2026-02-10", telling: [Self.graceBegins])
        #expect(
            try await world.shows(id) == [
                "4 silver.monthly on 2026-01-31 9.99 intent 2 retrying grace 2026-02-16"
            ])
        try await world.pays(
            .approves,
            telling: [
                "2026-02-10 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 until 2026-02-28"
            ])
        try await world.advance(
            to: "2026-03-31",
            telling: [
                "2026-02-28 DID_RENEW 1 silver.monthly 9.99 until 2026-03-31",
                "2026-03-31 DID_RENEW 1 silver.monthly 9.99 until 2026-04-30",
            ])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-04-30 9.99"])
    }

    @Test(
        "Grace ends with the period that a recovery in it would open (GRA-3)",
        arguments: Backend.available)
    func graceEndsInTime(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-08T20:00:00Z") { settings in
            settings.billingZone = .pacific
            settings.gracePeriod = .twentyEightDays
        }
        let id = try await world.subscribe("silver.monthly", by: world.device())
        try await world.pays(.declines(until: nil, left: nil))
        // Noon in California: 28 days later it is an hour sooner by the world's clock.
        let due = "silver.monthly 9.99 until 2026-02-08 20:00"
        try await world.advance(
            to: "2026-03-08T18:59:59Z",
            telling: ["2026-02-08 20:00 DID_FAIL_TO_RENEW/GRACE_PERIOD 4 \(due)"])
        #expect(
            try await world.shows(id) == [
                "4 silver.monthly on 2026-02-08 20:00 9.99 intent 2 retrying grace 2026-03-08 19:00"
            ])
        try await world.advance(
            to: "2026-03-08T19:00:00Z",
            telling: ["2026-03-08 19:00 GRACE_PERIOD_EXPIRED 3 \(due)"])
        try await world.pays(
            .approves,
            telling: [
                """
                2026-03-08 19:00 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 \
                until 2026-04-08 19:00
                """
            ])
    }

    @Test("A recovery after grace begins a new cycle", arguments: Backend.available)
    func afterGrace(_ backend: Backend) async throws {
        let (world, ada, id) = try await failing(backend, grace: .sixteenDays)
        try await world.advance(
            to: "2026-02-20T10:00:00Z",
            telling: [Self.graceBegins, "2026-02-16 GRACE_PERIOD_EXPIRED 3 \(Self.due)"])
        #expect(
            try await world.shows(id) == [
                "3 silver.monthly on 2026-01-31 9.99 intent 2 retrying grace 2026-02-16"
            ])
        #expect(try await world.store.entitlements(for: ada).isEmpty)
        try await world.pays(
            .approves,
            telling: [
                """
                2026-02-20 10:00 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 \
                until 2026-03-20 10:00
                """
            ])
        try await world.advance(
            to: "2026-03-20T10:00:00Z",
            telling: ["2026-03-20 10:00 DID_RENEW 1 silver.monthly 9.99 until 2026-04-20 10:00"])
    }

    @Test("A recovery without grace begins a new cycle", arguments: Backend.available)
    func withoutGrace(_ backend: Backend) async throws {
        let (world, _, id) = try await failing(backend, grace: nil)
        try await world.advance(
            to: "2026-02-02T09:00:00Z", telling: ["2026-01-31 DID_FAIL_TO_RENEW 3 \(Self.due)"])
        #expect(
            try await world.shows(id) == ["3 silver.monthly on 2026-01-31 9.99 intent 2 retrying"])
        try await world.pays(
            .approves,
            telling: [
                """
                2026-02-02 09:00 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 \
                until 2026-03-02 09:00
                """
            ])
        #expect(
            try await world.ledger() == [
                "2025-12-31 +9.99", "2026-01-31 declined 9.99", "2026-02-01 declined 9.99",
                "2026-02-02 declined 9.99", "2026-02-02 09:00 +9.99",
            ])
    }

    @Test(
        "A renewal that is never paid expires after 60 days, grace or not",
        arguments: Backend.available,
        [GracePeriod?.none, .threeDays, .sixteenDays, .twentyEightDays])
    func neverPaid(_ backend: Backend, _ grace: GracePeriod?) async throws {
        let (world, ada, id) = try await failing(backend, grace: grace)
        let graceEnds: [GracePeriod: String] = [
            .threeDays: "2026-02-03", .sixteenDays: "2026-02-16",
            // Never longer than the period that a recovery inside it would open.
            .twentyEightDays: "2026-02-28",
        ]
        let fails: [String] =
            grace.map { grace in
                [Self.graceBegins, "\(graceEnds[grace]!) GRACE_PERIOD_EXPIRED 3 \(Self.due)"]
            } ?? ["2026-01-31 DID_FAIL_TO_RENEW 3 \(Self.due)"]
        try await world.advance(to: "2026-03-31T23:59:59Z", telling: fails)
        try await world.advance(
            to: "2026-12-31", telling: ["2026-04-01 EXPIRED/BILLING_RETRY 2 \(Self.due)"])
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-01-31 intent 2"])
        #expect(try await world.store.entitlements(for: ada).isEmpty)
        // The renewal and one attempt a day before the sixtieth.
        #expect(try await world.ledger().count == 1 + 60)
    }

    @Test("Turning renewal off in grace ends it at once", arguments: Backend.available)
    func cancelInGrace(_ backend: Backend) async throws {
        let (world, ada, id) = try await failing(backend, grace: .sixteenDays)
        try await world.advance(to: "2026-02-05", telling: [Self.graceBegins])
        #expect(try await world.store.entitlements(for: ada).count == 1)
        try await world.change(
            id, .renewal(isOn: false), by: ada,
            telling: [
                "2026-02-05 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 2 \(Self.due)",
                "2026-02-05 EXPIRED/VOLUNTARY 2 \(Self.due)",
            ])
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-01-31 intent 1"])
        #expect(try await world.store.entitlements(for: ada).isEmpty)
        try await world.advance(to: "2026-06-01", telling: [])
    }

    @Test(
        "A bank that declines until a date or a number of times is asked again every day",
        arguments: Backend.available, [true, false])
    func recoversByItself(_ backend: Backend, _ byDate: Bool) async throws {
        let (world, _, _) = try await failing(
            backend, grace: .sixteenDays, until: byDate ? "2026-02-01T12:00:00Z" : nil,
            left: byDate ? nil : 2)
        try await world.advance(
            to: "2026-03-01",
            telling: [
                Self.graceBegins,
                "2026-02-02 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 until 2026-02-28",
                "2026-02-28 DID_RENEW 1 silver.monthly 9.99 until 2026-03-31",
            ])
    }

    @Test(
        "Buying by hand during billing retry begins a period now (REN-5)",
        arguments: Backend.available)
    func interactiveRenewal(_ backend: Backend) async throws {
        let (world, ada, id) = try await failing(
            backend, grace: nil, until: "2026-02-01T06:00:00Z")
        try await world.advance(
            to: "2026-02-01T05:00:00Z", telling: ["2026-01-31 DID_FAIL_TO_RENEW 3 \(Self.due)"])
        await #expect(throws: StoreError.purchase(.paymentDeclined)) {
            try await world.store.purchase(PurchaseRequest(productID: "silver.monthly"), by: ada)
        }
        try await world.advance(to: "2026-02-01T12:00:00Z", telling: [])
        let bought = try #require(
            try await world.buy(
                "silver.monthly", by: ada,
                telling: [
                    """
                    2026-02-01 12:00 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 \
                    until 2026-03-01 12:00
                    """
                ]))
        #expect(bought.transactionReason == .purchase)
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-03-01 12:00 9.99"])
    }

    @Test(
        "The same plan cannot be bought in grace, another one starts at once",
        arguments: Backend.available)
    func buyingInGrace(_ backend: Backend) async throws {
        let (world, ada, id) = try await failing(backend, grace: .sixteenDays, left: 1)
        try await world.advance(to: "2026-01-31T12:00:00Z", telling: [Self.graceBegins])
        await #expect(throws: StoreError.refused(.alreadySubscribed)) {
            try await world.store.purchase(PurchaseRequest(productID: "silver.monthly"), by: ada)
        }
        try await world.buy(
            "bronze.monthly", by: ada,
            telling: [
                """
                2026-01-31 12:00 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 bronze.monthly 4.99 \
                until 2026-02-28 12:00
                """
            ])
        #expect(try await world.shows(id) == ["1 bronze.monthly on 2026-02-28 12:00 4.99"])
    }
}

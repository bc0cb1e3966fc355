import AppStoreWire
import Outbox
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Sandbox")
struct SandboxTests {
    private func lines(from start: Instant, months: ClosedRange<Int>, _ minutes: Int) -> [String] {
        months.map { month in
            let at = World.text(start + .minutes(month * minutes))
            let end = World.text(start + .minutes((month + 1) * minutes))
            return "\(at) DID_RENEW 1 silver.monthly 9.99 until \(end)"
        }
    }

    @Test(
        "Twelve renewals, then the thirteenth turns renewal off and it expires",
        arguments: Backend.available, SandboxSpeed.allCases)
    func twelveRenewals(_ backend: Backend, _ speed: SandboxSpeed) async throws {
        let world = try await World(backend)
        let ada = try await world.device(in: .sandbox)
        try await world.store.setSandboxSpeed(speed, account: "ada")
        let start = World.instant("2026-01-01")
        let minutes = speed.rawValue
        let id = try await world.subscribe("silver.monthly", by: ada)
        let end = World.text(start + .minutes(13 * minutes))
        let last = "silver.monthly 9.99 until \(end)"
        try await world.advance(
            to: "2026-01-02",
            telling: lines(from: start, months: 1...12, minutes) + [
                "\(end) DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 2 \(last)",
                "\(end) EXPIRED/VOLUNTARY 2 \(last)",
            ])
        #expect(
            try await world.shows(id, in: .sandbox) == ["2 silver.monthly off \(end) intent 1"])
        #expect(
            Set(world.listener.arrivals.map(\.url)) == ["http://developer.example/sandbox"])
    }

    @Test(
        "The limit can be changed and switched off", arguments: Backend.available,
        [Int?.none, 0, 3])
    func limit(_ backend: Backend, _ limit: Int?) async throws {
        let world = try await World(backend) { $0.sandboxRenewalLimit = limit }
        let ada = try await world.device(in: .sandbox)
        _ = try await world.subscribe("silver.monthly", by: ada)
        // Sixty minutes are twelve months.
        _ = try await world.store.advance(to: World.instant("2026-01-01T02:00:00Z"))
        let names = world.listener.takeArrivals().map(\.name)
        #expect(names.count { $0 == "DID_RENEW" } == limit ?? 24)
        #expect(names.contains("EXPIRED/VOLUNTARY") == (limit != nil))
    }

    @Test("The last renewal says that it is the last", arguments: Backend.available)
    func lastRenewal(_ backend: Backend) async throws {
        let world = try await World(backend) { $0.sandboxRenewalLimit = 2 }
        let ada = try await world.device(in: .sandbox)
        let id = try await world.subscribe("silver.monthly", by: ada)
        var limits: [Int?] = []
        for minutes in [1, 6, 11, 16] {
            _ = try await world.store.advance(to: World.instant("2026-01-01") + .minutes(minutes))
            limits.append(try await world.store.subscription(id).place.reachedLimit)
        }
        #expect(limits == [nil, nil, 2, nil], "it is over at last")
    }

    @Test("A purchase by hand begins a new count of renewals", arguments: Backend.available)
    func newCount(_ backend: Backend) async throws {
        let world = try await World(backend) { $0.sandboxRenewalLimit = 2 }
        let ada = try await world.device(in: .sandbox)
        _ = try await world.subscribe("silver.monthly", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-01-01T01:00:00Z"))
        _ = world.listener.takeArrivals()
        try await world.buy("silver.monthly", by: ada, expecting: ["SUBSCRIBED/RESUBSCRIBE"])
        try await world.advance(
            by: "PT1H",
            expecting: [
                "DID_RENEW", "DID_RENEW", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
                "EXPIRED/VOLUNTARY",
            ])
    }

    @Test("A speed holds from the next period on", arguments: Backend.available)
    func changedSpeed(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device(in: .sandbox)
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.setSandboxSpeed(.sixtyMinutes, account: "ada")
        try await world.advance(
            to: "2026-01-01T01:05:00Z",
            telling: [
                "2026-01-01 00:05 DID_RENEW 1 silver.monthly 9.99 until 2026-01-01 01:05",
                "2026-01-01 01:05 DID_RENEW 1 silver.monthly 9.99 until 2026-01-01 02:05",
            ])
    }

    @Test(
        "Grace has a switch of its own", arguments: Backend.available,
        [(true, false), (false, true), (true, true), (false, false)])
    func grace(_ backend: Backend, _ switches: (production: Bool, sandbox: Bool)) async throws {
        let world = try await World(backend) { settings in
            settings.gracePeriod = switches.production ? .threeDays : nil
            settings.sandboxGracePeriod = switches.sandbox ? .threeDays : nil
        }
        let ada = try await world.device(in: .sandbox)
        _ = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.declines(until: nil, left: nil), in: .sandbox)
        let silver = "silver.monthly 9.99 until 2026-01-01 00:05"
        let retry = [
            "2026-01-01 00:05 DID_FAIL_TO_RENEW 3 \(silver)",
            "2026-01-01 00:15 EXPIRED/BILLING_RETRY 2 \(silver)",
        ]
        // Five minutes of grace, ten of retry (SBX-4).
        let withGrace = [
            "2026-01-01 00:05 DID_FAIL_TO_RENEW/GRACE_PERIOD 4 \(silver)",
            "2026-01-01 00:10 GRACE_PERIOD_EXPIRED 3 \(silver)",
            "2026-01-01 00:15 EXPIRED/BILLING_RETRY 2 \(silver)",
        ]
        try await world.advance(
            to: "2026-01-01T01:00:00Z", telling: switches.sandbox ? withGrace : retry)
    }

    @Test("A notification is tried once", arguments: Backend.available)
    func oneAttempt(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device(in: .sandbox)
        world.listener.answer([.timedOut])
        try await world.buy("coins", by: ada, expecting: ["ONE_TIME_CHARGE"])
        try await world.advance(to: "2026-03-01", expecting: [])
        let one = try #require(
            try await world.store.notificationLog(in: .sandbox, before: nil, limit: 1).first)
        #expect(one.attempts.map(\.sendAttemptResult) == [.timedOut])
        #expect(!one.isDelivered)
        #expect(one.nextAttempt == nil)
    }

    @Test("Data never crosses from one environment to the other", arguments: Backend.available)
    func separate(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let tester = try await world.device(in: .sandbox)
        let real = try await world.subscribe("silver.monthly", by: ada)
        let test = try await world.subscribe("silver.monthly", by: tester)
        #expect("\(real)".count == 15)
        #expect("\(test)".count == 16)
        for (id, other) in [(real, StoreEnvironment.sandbox), (test, .production)] {
            let caller = world.caller(other)
            let unknown = StoreError.unknown(.transaction, "\(id)")
            await #expect(throws: unknown) {
                try await world.store.transactionInfo(id, for: caller)
            }
            await #expect(throws: unknown) {
                try await world.store.statuses(anyTransaction: id, [], for: caller)
            }
            await #expect(throws: unknown) {
                try await world.store.history(
                    anyTransaction: id, HistoryFilter(), revision: nil, for: caller)
            }
            await #expect(throws: unknown) {
                try await world.store.appTransactionInfo(anyTransaction: id, for: caller)
            }
            #expect(
                try await world.store.transactions(ofOrder: OrderID.text(id), for: caller) == [])
        }
        try await world.pays(.declines(until: nil, left: nil), in: .sandbox)
        try await world.advance(
            to: "2026-02-01",
            expecting: ["DID_FAIL_TO_RENEW", "EXPIRED/BILLING_RETRY", "DID_RENEW"])
        #expect(try await world.store.entitlements(for: tester).isEmpty)
        #expect(try await world.store.entitlements(for: ada).count == 1)
    }

    @Test("A device is signed in to one environment", arguments: Backend.available)
    func signedIn(_ backend: Backend) async throws {
        let world = try await World(backend)
        let request = SignInRequest(bundleID: World.bundleID, account: "ada")
        let device = try await world.store.signIn(request, in: .sandbox, token: "secret")
        #expect(try await world.store.device(token: "secret", in: .sandbox) == device)
        await #expect(throws: StoreError.request(.signedOut)) {
            try await world.store.device(token: "secret", in: .production)
        }
    }
}

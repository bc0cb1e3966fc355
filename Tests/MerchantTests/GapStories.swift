import AppStoreSigning
import AppStoreWire
import HummingbirdTesting
import Logging
import Merchant
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What was missed is asked for (ING-4).
@Suite("Merchant: gaps", .timeLimit(.minutes(15)))
struct GapStories {
    private static let key = {
        var chance = SeededGenerator(seed: 1)
        return APIKey.generate(using: &chance, issuerID: "57246542-96fe-1a63-e053-0824d011072a")
    }()

    /// Serves the store of a world while merchants ask it.
    ///
    /// - Parameter others: those besides the world's own.
    static func served(
        _ world: MerchantWorld, asking key: APIKey = key, others: [Merchant] = [],
        testing interval: Span? = nil,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let server = StoreServer(
            store: world.world.store,
            tokenVerifier: RequestTokenVerifier(
                keys: [Self.key.keyID: VerificationKey(Self.key)],
                issuerID: Self.key.issuerID),
            operatorToken: "operator-0123456789abcdef", log: Logger(label: "test"))
        try await server.application(for: .production, port: 0).test(.live) { http in
            let port = try #require(http.port)
            var setup = try AppSetup(
                bundleID: World.bundleID, appAppleID: World.appleID,
                rootDER: [World.chain.rootDER])
            setup.environments = [.production]
            setup.serverAPI = ServerAPI(
                urls: [.production: "http://127.0.0.1:\(port)"], key: key)
            setup.testInterval = interval
            for merchant in [world.merchant] + others { try await merchant.serve([setup]) }
            try await body()
        }
    }

    /// Ada has a plan since January, of which only the purchase was heard.
    static func ada(_ backend: Backend) async throws -> (MerchantWorld, DeviceSession) {
        let world = try await MerchantWorld(backend)
        let ada = try await world.world.device()
        let signed = try #require(
            try await world.world.store.purchase(
                PurchaseRequest(productID: "gold.monthly"), by: ada))
        _ = try await world.merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        try await world.deliver()
        return (world, ada)
    }

    @Test("What was lost is asked for and taken", arguments: Backend.available)
    func history(_ backend: Backend) async throws {
        let (world, _) = try await Self.ada(backend)
        _ = try await world.world.store.advance(to: World.instant("2026-03-02"))
        #expect(world.world.listener.takeArrivals().map(\.name) == ["DID_RENEW", "DID_RENEW"])
        #expect(try await world.access() == ["club expired until 2026-02-01"])
        try await Self.served(world) {
            let reports = try await world.merchant.heal()
            #expect(reports.map(\.kind) == [.history, .statuses])
            #expect(reports.map(\.state) == [.done, .done])
            #expect(reports.map(\.read) == [3, 0])
            #expect(reports.map(\.healed) == [2, 0])
            #expect(reports.map(\.problem) == [nil, nil])
            #expect(try await world.access() == ["club active until 2026-04-01 renews"])
            // Once more there is nothing to find.
            let again = try await world.merchant.heal()
            #expect(again.map(\.healed) == [0, 0])
            #expect(again.first?.since == World.instant("2026-03-01"))
            #expect(try await world.merchant.gaps() == again)
        }
    }

    @Test(
        "A subscription that ended without a word is asked for by itself",
        arguments: Backend.available)
    func silence(_ backend: Backend) async throws {
        let (world, _) = try await Self.ada(backend)
        // Nothing is in the history that would tell of the renewal.
        try await world.world.store.configure(bundleID: World.bundleID) { settings in
            settings.notificationURL = nil
        }
        _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
        try await Self.served(world) {
            let reports = try await world.merchant.heal()
            #expect(reports.map(\.healed) == [0, 0])
            #expect(reports.last?.read == 1)
            #expect(reports.last?.changed == 1)
            #expect(try await world.access() == ["club active until 2026-03-01 renews"])
            // What has changed is not asked for again.
            #expect(try await world.merchant.heal().last?.read == 0)
        }
    }

    @Test(
        "A subscription is asked for as long as the store may charge", arguments: Backend.available)
    func lastDay(_ backend: Backend) async throws {
        let (world, _) = try await Self.ada(backend)
        try await world.world.store.configure(bundleID: World.bundleID) { settings in
            settings.notificationURL = nil
        }
        try await world.world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        _ = try await world.world.store.advance(to: World.instant("2026-03-31"))
        try await world.world.store.setPaymentMethod(.approves, account: "ada", in: .production)
        // Billing retry ended with the 60th day.
        _ = try await world.world.store.advance(to: World.instant("2026-04-02T12:00:00Z"))
        try await Self.served(world) {
            let reports = try await world.merchant.heal()
            #expect(reports.last?.changed == 1)
            let access = try await world.access()
            #expect(access.first?.hasPrefix("club active") == true)
        }
    }

    @Test(
        "A store that refuses is reported, and the next look begins where this one did",
        arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let (world, _) = try await Self.ada(backend)
        var chance = SeededGenerator(seed: 9)
        let unknown = APIKey.generate(using: &chance, issuerID: Self.key.issuerID)
        try await Self.served(world, asking: unknown) {
            let reports = try await world.merchant.heal()
            #expect(reports.map(\.state) == [.interrupted, .done])
            #expect(reports.first?.problem?.contains("401") == true)
            // It is shown.
            #expect(try await world.merchant.gaps() == reports)
            // Nothing was read, and the overview does not say that anything was.
            let source = try await world.merchant.overview().sources.first
            #expect(source?.lastGapLook == reports.first?.since)
            #expect(source?.gapProblem?.contains("401") == true)
        }
        try await Self.served(world) {
            // The window is the one that was not read, and what came since follows.
            let reports = try await world.merchant.heal()
            #expect(reports.map(\.state) == [.done, .done, .done])
            #expect(reports.first?.problem == nil)
            let source = try await world.merchant.overview().sources.first
            #expect(source?.lastGapLook == reports.first?.until)
        }
    }
}

import AppStoreSigning
import AppStoreWire
import Foundation
import Logging
import Merchant
import MerchantConfiguration
import Outbox
import Storage
import StorageSQLite
import Store
import SubscriptionRules
import Synchronization

/// An outage campaign of a merchant, from its start until everybody is known to be extended: the
/// call, each notification taken, verified and processed, and the report. Beside it the bare mass
/// extension of as many subscriptions at the store, whose notifications go nowhere.
struct CampaignBenchmark: Sendable {
    let subscribers: Int

    private static let name = "bench"
    private static let file = """
        campaign: \(name)
        app: \(Fixture.bundleID)
        kind: outage
        outage: {from: "2026-01-28T08:00:00Z", to: "2026-01-28T20:00:00Z"}
        products: [club.monthly]
        days: 3
        """

    func run() async throws -> [any Figure] {
        let bare = try await Fixture.withFolder { folder in try await bareRate(in: folder) }
        // The bare call has no failures; every hundredth of the campaign has one.
        let campaign = try await Fixture.withFolder { folder in
            try await campaignRate(in: folder)
        }
        return [
            Result(
                name: "subscriptions of an outage campaign on SQLite", rate: campaign,
                limitName: "the bare mass extension", limit: bare)
        ]
    }

    private func bareRate(in folder: String) async throws -> Double {
        progress("  \(subscribers) subscribers buy; the store extends them …")
        let database = try SQLiteDatabase(path: folder + "/bare.sqlite")
        let store = try await Fixture.store(database, chain: try Fixture.chain())
        try await Fixture.fill(store, subscribers: subscribers)
        try await store.massExtend(
            MassExtensionOrder(
                productID: "club.monthly", request: try ExtensionRequest(days: 3, reasonCode: 3),
                requestIdentifier: "0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6a"),
            for: Caller(bundleID: Fixture.bundleID, environment: .production))
        let time = try await seconds { _ = try await store.settle() }
        await database.close()
        return Double(subscribers) / time
    }

    private func campaignRate(in folder: String) async throws -> Double {
        progress("  \(subscribers) subscribers buy, and a merchant takes it in …")
        let chain = try Fixture.chain()
        let mail = MailSlot()
        let database = try SQLiteDatabase(path: folder + "/store.sqlite")
        let own = try SQLiteDatabase(path: folder + "/merchant.sqlite")
        let store = try await Fixture.store(database, chain: chain, post: mail)
        try await store.configure(bundleID: Fixture.bundleID) { settings in
            settings.notificationURL = "http://developer.example/production"
            settings.failingExtensions = 1
        }
        var setup = try AppSetup(
            bundleID: Fixture.bundleID, appAppleID: MerchantMail.appleID,
            rootDER: [chain.rootDER])
        setup.environments = [.production]
        let merchant = try await Merchant(
            database: own, apps: [setup], time: { try await store.clockReading().now },
            log: Logger(label: "bench"))
        mail.open(for: merchant)
        try await Fixture.fill(store, subscribers: subscribers)
        _ = try await store.settle()
        try await merchant.settle()
        var generator = SystemRandomNumberGenerator()
        let key = APIKey.generate(using: &generator, issuerID: nil)
        let definition = try CampaignFile.read(
            Self.file, named: "bench", attachments: [:]
        ).definition
        let served = setup
        let rate = try await Fixture.serve(store, key: key) { port, _ in
            var setup = served
            setup.serverAPI = ServerAPI(
                urls: [.production: "http://127.0.0.1:\(port)"], key: key)
            try await merchant.serve([setup])
            progress("  the campaign runs …")
            let time = try await seconds {
                try await carryOut(definition, of: merchant, at: store)
            }
            return Double(subscribers) / time
        }
        await database.close()
        await own.close()
        return rate
    }

    /// Carries a campaign to its end, and insists that everybody was extended.
    private func carryOut(
        _ definition: CampaignDefinition, of merchant: Merchant, at store: Store
    ) async throws {
        _ = try await merchant.startOutage(definition, file: Self.file, attachments: [:])
        try await merchant.settleOutages(waiting: { _ in })
        _ = try await store.settle()
        try await merchant.settleOutages(waiting: { _ in })
        let report = try await merchant.outageReport(Self.name, of: Fixture.bundleID)
        let extended = report.counts.filter { $0.outcome == "extended" }
            .reduce(0) { $0 + $1.count }
        precondition(extended == Int64(subscribers), "not all were extended: \(report.counts)")
    }
}

/// Puts notifications into a merchant's inbox, without a network.
private final class MailSlot: Post {
    private let merchant = Mutex<Merchant?>(nil)

    func open(for merchant: Merchant) { self.merchant.withLock { $0 = merchant } }

    func post(_ body: [UInt8], to url: String) async -> PostOutcome {
        guard let merchant = merchant.withLock({ $0 }),
            let text = try? JSONValue(parsing: body)["signedPayload"]?.string,
            (try? await merchant.receive(text, for: Fixture.bundleID)) != nil
        else { return .unusable }
        return .answered(status: 200)
    }
}

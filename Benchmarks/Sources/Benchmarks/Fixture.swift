import AppStoreSigning
import AppStoreWire
import Foundation
import Logging
import Outbox
import Storage
import StorageSQLite
import Store
import SubscriptionRules

/// What the measurements share.
enum Fixture {
    static let bundleID = "com.example.app"
    static let start = Instant(iso8601: "2026-01-01T00:00:00Z")!

    static func chain() throws -> CertificateChain {
        try CertificateChain.make(
            notBefore: Instant.earliest.milliseconds, notAfter: Instant.latest.milliseconds)
    }

    static let transaction = JWSTransactionDecodedPayload(
        transactionId: "400000000000001", originalTransactionId: "400000000000001",
        webOrderLineItemId: "900000000000001", bundleId: bundleID, productId: "club.monthly",
        subscriptionGroupIdentifier: "club", purchaseDate: start.milliseconds,
        originalPurchaseDate: start.milliseconds,
        expiresDate: start.milliseconds + 2_678_400_000, quantity: 1,
        type: .autoRenewableSubscription, inAppOwnershipType: .purchased,
        signedDate: start.milliseconds, environment: .production, storefront: "USA",
        storefrontId: "143441", transactionReason: .purchase, price: 9_990, currency: "USD",
        appTransactionId: "700000000000000001", billingPlanType: .billedUpfront)

    /// A store with one monthly plan, its clock at rest.
    static func store(
        _ database: any Database, chain: CertificateChain, post: any Post = Nobody(),
        receiptChain: ReceiptChain? = nil
    ) async throws -> Store {
        let store = try await Store(
            database: database, signer: JWSSigner(chain: chain),
            clock: StoreClock(.frozen, showing: start, machine: start), seed: "bench",
            post: post, receiptChain: { try receiptChain ?? Store.newReceiptChain() },
            machineTime: { start }, log: Logger(label: "bench"))
        guard try await store.apps().isEmpty else { return store }
        var settings = App.Settings(name: "App")
        // What is measured is not the log of a world that nobody listens to.
        settings.unsentNotifications = 0
        try await store.addApp(
            bundleID: bundleID, appleID: 1_000_000_001, settings: settings)
        let plan = Product(
            id: "club.monthly", type: .autoRenewableSubscription, basePrice: 9_990,
            subscription: SubscriptionTerms(groupID: "club", level: 1, period: .month))
        try await store.importCatalogue(
            Catalogue(
                groups: [SubscriptionGroup(id: "club", referenceName: "Club")],
                products: [plan, Product(id: "coins", type: .consumable, basePrice: 990)]),
            bundleID: bundleID)
        return store
    }

    /// Subscribers who bought over four weeks, in a thousand portions.
    static func fill(
        _ store: Store, subscribers: Int, from start: Instant = Fixture.start
    ) async throws {
        let portions = min(subscribers, 1000)
        let pause = Span.days(28).milliseconds / Int64(portions)
        for portion in 0..<portions {
            _ = try await store.advance(
                to: start + Span(milliseconds: pause * Int64(portion)))
            try await withThrowingTaskGroup { group in
                for index in stride(from: portion, to: subscribers, by: portions) {
                    group.addTask {
                        let device = try await store.signIn(
                            SignInRequest(bundleID: bundleID, account: "customer-\(index)"),
                            in: .production, token: "token-\(index)")
                        _ = try await store.buy(
                            PurchaseRequest(productID: "club.monthly"), by: device)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Makes the schema `bench` anew.
    ///
    /// - Returns: the URL of that schema.
    static func freshSchema(in server: any Database, at url: String) async throws -> String {
        try await server.write { session in
            try session.execute("DROP SCHEMA IF EXISTS bench CASCADE")
            try session.execute("CREATE SCHEMA bench")
        }
        return url + (url.contains("?") ? "&" : "?") + "options=-csearch_path%3Dbench"
    }

    /// A place for one round's database, which is removed afterwards.
    static func withFolder<T>(_ body: (String) async throws -> T) async throws -> T {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("perennial-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path)
    }
}

/// Where nobody listens nothing is posted.
struct Nobody: Post {
    func post(_ body: [UInt8], to url: String) async -> PostOutcome { .unusable }
}

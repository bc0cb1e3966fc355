import AppStoreSigning
import AppStoreWire
import Logging
import Merchant
import MerchantRules
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

extension MerchantWorld {
    /// A merchant that trusts the store's receipts too.
    ///
    /// - Parameter verifies: whether it does, and need not ask anybody.
    static func takingReceipts(
        _ backend: Backend, verifies: Bool = true,
        setUp: @Sendable (inout AppSetup) -> Void = { _ in }
    ) async throws -> MerchantWorld {
        let world = try await World(backend)
        var setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID,
            rootDER: [World.chain.rootDER] + (verifies ? [World.receiptChain.rootDER] : []))
        setUp(&setup)
        let database = try await backend.borrowDatabase(for: .merchant)
        let merchant = try await Merchant(
            database: database, apps: [setup],
            time: { try await world.store.clockReading().now }, log: Logger(label: "test"))
        return MerchantWorld(world, database, merchant)
    }

    private init(_ world: World, _ database: any Database, _ merchant: Merchant) {
        self.world = world
        self.database = database
        self.merchant = merchant
    }

    /// Buys something at the store.
    @discardableResult
    func buy(
        _ product: String, in environment: StoreEnvironment = .production
    ) async throws -> JWSTransactionDecodedPayload {
        let device = try await world.device(in: environment)
        let signed = try await world.store.purchase(
            PurchaseRequest(productID: product), by: device)
        return try JWSText.decode(try #require(signed))
    }

    /// The app receipt on ada's device.
    func receipt(in environment: StoreEnvironment = .production) async throws -> String {
        let device = try await world.device(in: environment)
        return try await world.store.receipt(for: device).base64
    }

    /// Sends the app receipt on ada's device.
    @discardableResult
    func sendReceipt(
        as account: String = "ada", restores: Bool = false
    ) async throws -> MerchantCustomer {
        try await merchant.take(
            .receipt(try await receipt()), from: account, of: World.bundleID, restores: restores)
    }

    /// Why a merchant refuses something; nil where it takes it.
    static func refusal(_ body: () async throws -> Void) async throws -> MerchantError? {
        do {
            try await body()
            return nil
        } catch let error as MerchantError {
            return error
        }
    }
}

/// What an app has that holds no signed transaction: its receipt, and its app transaction.
@Suite("Merchant: receipts", .timeLimit(.minutes(15)))
struct ReceiptIntakeStories {
    @Test(
        "A receipt unlocks what was bought, and signed texts of its date count before it (ING-4)",
        arguments: Backend.available)
    func purchase(_ backend: Backend) async throws {
        let world = try await MerchantWorld.takingReceipts(backend)
        try await world.buy("gold.monthly")
        try await world.buy("lifetime")
        let customer = try await world.sendReceipt()
        // A receipt names no subscription group.
        #expect(
            customer.lines == ["gold.monthly active until 2026-02-01", "lifetime owned"])
        #expect(customer.purchases.flatMap(\.sources) == ["receipt", "receipt"])
        try await world.deliver()
        let known = ["club active until 2026-02-01 renews", "lifetime owned"]
        #expect(try await world.access() == known)
        let version = try await world.merchant.customer("ada", of: World.bundleID).version
        // A later receipt says the same, and takes nothing of what it cannot name.
        _ = try await world.world.store.advance(to: World.instant("2026-01-05"))
        let later = try await world.sendReceipt()
        #expect(later.lines == known)
        #expect(later.version == version)
    }

    @Test(
        "What was signed before a receipt and comes after it adds what the receipt cannot name",
        arguments: Backend.available)
    func lateNotification(_ backend: Backend) async throws {
        let world = try await MerchantWorld.takingReceipts(backend)
        try await world.buy("gold.monthly")
        try await world.world.store.settle()
        _ = try await world.world.store.advance(to: World.instant("2026-01-05"))
        #expect(
            try await world.sendReceipt().lines == ["gold.monthly active until 2026-02-01"])
        try await world.deliver()
        #expect(try await world.access() == ["club active until 2026-02-01 renews"])
    }

    @Test(
        "A receipt before and after what was signed earlier ends in the same state (ING-4)",
        arguments: Backend.available)
    func order(_ backend: Backend) async throws {
        let world = try await MerchantWorld.takingReceipts(backend)
        // Receipts have whole seconds.
        _ = try await world.world.store.advance(to: World.instant("2026-01-02T00:00:00.250Z"))
        let bought = try await world.buy("gold.monthly")
        try await world.world.store.settle()
        let told = world.world.listener.takeArrivals()
        _ = try await world.world.store.advance(to: World.instant("2026-01-05"))
        try await world.world.store.refund(
            transaction: Int64(bought.transactionId)!, .full, reason: .other, in: .production)
        try await world.world.store.settle()
        let refund = world.world.listener.takeArrivals()
        _ = try await world.world.store.advance(to: World.instant("2026-01-06"))
        let receipt = try await world.receipt()
        var ends: [[String]] = []
        for order in 0..<3 {
            let merchant = try await Merchant(
                database: try await backend.borrowDatabase(for: .merchant),
                apps: [
                    try AppSetup(
                        bundleID: World.bundleID, appAppleID: World.appleID,
                        rootDER: [World.chain.rootDER, World.receiptChain.rootDER])
                ], time: { World.instant("2026-01-07") }, log: Logger(label: "test"))
            for step in 0..<3 {
                if step == order {
                    _ = try await merchant.take(
                        .receipt(receipt), from: "ada", of: World.bundleID)
                }
                for arrival in step == 0 ? told : step == 1 ? refund : [] {
                    _ = try await merchant.receive(arrival.signedPayload, for: World.bundleID)
                    try await merchant.settle()
                }
            }
            let ada = try await merchant.customer("ada", of: World.bundleID)
            ends.append(ada.purchases.map { "\($0.access.reason) \($0.access.transaction)" })
        }
        #expect(ends[0].count == 1)
        #expect(ends[1] == ends[0])
        #expect(ends[2] == ends[0])
    }

    @Test(
        "A receipt alone tells of renewals, of an upgrade, and of a refund",
        arguments: Backend.available)
    func life(_ backend: Backend) async throws {
        let world = try await MerchantWorld.takingReceipts(backend)
        try await world.buy("silver.monthly")
        _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
        #expect(
            try await world.sendReceipt().lines == ["silver.monthly active until 2026-03-01"])
        let figures = try await world.merchant.figures(
            of: World.bundleID, in: .production, days: 31)
        #expect(figures.active == 1)
        _ = try await world.world.store.advance(to: World.instant("2026-02-11"))
        let upgrade = try await world.buy("gold.monthly")
        #expect(try await world.sendReceipt().lines == ["gold.monthly active until 2026-03-11"])
        // The date alone would be a refund.
        let kinds = try await world.merchant.events(of: "ada", World.bundleID, limit: 100)
            .map(\.happening.kind.rawValue)
        #expect(kinds.contains("upgraded"))
        #expect(!kinds.contains("refunded"))
        _ = try await world.world.store.advance(to: World.instant("2026-02-15"))
        try await world.world.store.refund(
            transaction: Int64(upgrade.transactionId)!, .full, reason: .other, in: .production)
        // What was replaced does not come back.
        #expect(try await world.sendReceipt().lines == ["gold.monthly refunded until 2026-02-15"])
    }

    @Test(
        "Of a receipt an account gets what nobody has, and all of it by restoring",
        arguments: Backend.available)
    func accounts(_ backend: Backend) async throws {
        let world = try await MerchantWorld.takingReceipts(backend)
        try await world.buy("gold.monthly")
        try await world.sendReceipt()
        #expect(
            try await MerchantWorld.refusal { try await world.sendReceipt(as: "bea") }
                == .ownedByAnother)
        try await world.buy("lifetime")
        #expect(try await world.sendReceipt(as: "bea").lines == ["lifetime owned"])
        #expect(try await world.access() == ["gold.monthly active until 2026-02-01"])
        #expect(
            try await MerchantWorld.refusal { try await world.sendReceipt(as: "carl") }
                == .ownedByAnother)
        let carl = try await world.sendReceipt(as: "carl", restores: true)
        #expect(carl.lines == ["gold.monthly active until 2026-02-01", "lifetime owned"])
        #expect(carl.purchases.map(\.boundBy) == ["restore", "restore"])
        #expect(try await world.access().isEmpty)
    }

    @Test(
        "A receipt of another app, environment or signer, and one that is none, are refused",
        arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await MerchantWorld.takingReceipts(backend) { $0.environments = [.sandbox] }
        try await world.buy("gold.monthly")
        let real = try await world.receipt()
        func code(
            _ receipt: String, at merchant: Merchant, of app: String = World.bundleID
        ) async throws -> ReceiptVerificationError.Code? {
            let refusal = try await MerchantWorld.refusal {
                _ = try await merchant.take(.receipt(receipt), from: "ada", of: app)
            }
            guard case .intake(.receiptNotVerified(let reason))? = refusal else { return nil }
            return reason.code
        }
        #expect(try await code(real, at: world.merchant) == .wrongEnvironment)
        #expect(try await code("AAAA", at: world.merchant) == .malformed)
        #expect(try await code(String(real.dropLast(8)), at: world.merchant) == .malformed)
        let other = try await Merchant(
            database: try await backend.borrowDatabase(for: .merchant),
            apps: [
                try AppSetup(
                    bundleID: "com.example.other", appAppleID: 7,
                    rootDER: [World.receiptChain.rootDER]),
                try AppSetup(
                    bundleID: World.bundleID, appAppleID: World.appleID,
                    rootDER: [World.chain.rootDER]),
            ],
            time: { World.instant("2026-01-02") }, log: Logger(label: "test"))
        #expect(try await code(real, at: other, of: "com.example.other") == .wrongBundle)
        #expect(try await code(real, at: other) == .untrustedChain)
        #expect(try await world.access().isEmpty)
        #expect(
            try await MerchantWorld.refusal {
                _ = try await world.merchant.take(
                    .receipt(real), from: "ada", of: World.bundleID, in: .production)
            } == .intake(.environmentNotTaken(.production)))
        let played = try await world.merchant.take(
            .receipt(try await world.receipt(in: .sandbox)), from: "ada", of: World.bundleID,
            in: .sandbox)
        #expect(played.purchases.isEmpty)
    }

    @Test(
        "A signed app transaction says who the customer is at the store, once",
        arguments: Backend.available)
    func appTransaction(_ backend: Backend) async throws {
        let world = try await MerchantWorld.takingReceipts(backend)
        let ada = try await world.world.device()
        let bought = try await world.buy("lifetime")
        let signed = try await world.world.store.appTransaction(for: ada)
        let customer = try await world.merchant.take(
            .signedAppTransaction(signed), from: "ada", of: World.bundleID)
        #expect(customer.storeCustomers.map(\.appTransactionID) == [bought.appTransactionId])
        #expect(customer.storeCustomers.map(\.environment) == [.production])
        #expect(customer.version == 1)
        let again = try await world.merchant.take(
            .signedAppTransaction(signed), from: "ada", of: World.bundleID)
        #expect(again == customer)
        // Another account of the same Apple Account has it too.
        let bea = try await world.merchant.take(
            .signedAppTransaction(signed), from: "bea", of: World.bundleID)
        #expect(bea.storeCustomers == customer.storeCustomers)
        let refusal = try await MerchantWorld.refusal {
            _ = try await world.merchant.take(
                .signedAppTransaction(signed), from: "ada", of: World.bundleID, in: .sandbox)
        }
        guard case .notVerified(let reason)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(reason.code == .wrongEnvironment)
    }
}

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

/// Whose a purchase is, asked beforehand; and what nobody has, claimed.
@Suite("Merchant: claims", .timeLimit(.minutes(15)))
struct ClaimStories {
    private static let key = {
        var chance = SeededGenerator(seed: 3)
        return APIKey.generate(using: &chance, issuerID: "57246542-96fe-1a63-e053-0824d011072a")
    }()

    private func buy(
        _ product: String, in world: MerchantWorld, at environment: StoreEnvironment = .production
    ) async throws -> (signed: String, id: String) {
        let device = try await world.world.device("ada", in: environment)
        let signed = try #require(
            try await world.world.store.purchase(PurchaseRequest(productID: product), by: device))
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return (signed, bought.originalTransactionId)
    }

    private func refusal(_ body: () async throws -> MerchantCustomer) async throws -> MerchantError?
    {
        do {
            _ = try await body()
            return nil
        } catch let error as MerchantError {
            return error
        }
    }

    private func free(
        _ world: MerchantWorld, _ filter: UnownedFilter = UnownedFilter()
    ) async throws -> [String?] {
        let found = try await world.merchant.unowned(filter, limit: 10)
        #expect(try await world.merchant.unownedCount(filter).count == Int64(found.count))
        return found.map(\.productID)
    }

    @Test(
        "Before anybody pays or restores it is said whose a purchase is and what would come of it",
        arguments: Backend.available)
    func preflight(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let (signed, id) = try await buy("gold.monthly", in: world)
        func asked(_ account: String) async throws -> PurchaseOwner {
            try await world.merchant.owner(of: id, asSeenBy: account, in: World.bundleID)
        }
        let unknown = try await asked("ada")
        #expect(unknown.holder == .nobody)
        #expect(unknown.environment == nil)
        #expect(unknown.onPost == .binds)
        _ = try await world.merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        let ada = try await asked("ada")
        #expect(ada.holder == .this)
        #expect(ada.onPost == .has)
        #expect(ada.environment == .production)
        let bea = try await asked("bea")
        #expect(bea.holder == .another)
        #expect(bea.owner == "ada")
        #expect(bea.withoutName.owner == nil)
        #expect(bea.onPost == .ownedByAnother)
        #expect(bea.onRestore == .moves)
        // It has changed nothing: what it says comes true.
        #expect(try await world.merchant.customer("bea", of: World.bundleID).version == 0)
        _ = try await world.merchant.take(
            transaction: signed, from: "bea", of: World.bundleID, restores: true)
        #expect(try await asked("bea").holder == .this)
    }

    @Test(
        "What is said beforehand of a subscription that has renewed comes true (OWN-2)",
        arguments: Backend.available)
    func renewed(_ backend: Backend) async throws {
        for (policy, first) in [
            (TransferPolicy.transfer, PurchaseOutcome.moves), (.share(upTo: 2), .shares),
        ] {
            let world = try await MerchantWorld(backend)
            var setup = try AppSetup(
                bundleID: World.bundleID, appAppleID: World.appleID,
                rootDER: [World.chain.rootDER])
            setup.transfers = policy
            try await world.merchant.serve([setup])
            let merchant = world.merchant
            let (signed, id) = try await buy("gold.monthly", in: world)
            _ = try await merchant.take(transaction: signed, from: "ada", of: World.bundleID)
            let before = try await merchant.owner(of: id, asSeenBy: "bea", in: World.bundleID)
            #expect([before.onPost, before.onFirstPost] == [first, first])
            try await world.advance(to: "2026-02-02")
            let after = try await merchant.owner(of: id, asSeenBy: "bea", in: World.bundleID)
            #expect(after.holder == .another)
            #expect([after.onPost, after.onFirstPost] == [.ownedByAnother, first])
            #expect(after.onRestore == first)
            let history = try await NaiveJudge.history(
                of: try #require(Int64(id)), in: world.world, .production)
            let found = try history.first { text in
                let one: JWSTransactionDecodedPayload = try JWSText.decode(text)
                return one.transactionReason == .renewal
            }
            let newest = try #require(found)
            let refused = try await refusal {
                try await merchant.take(transaction: newest, from: "bea", of: World.bundleID)
            }
            #expect(refused == .ownedByAnother)
            let taken = try await merchant.take(
                transaction: signed, from: "bea", of: World.bundleID)
            #expect(taken.purchases.count == 1)
        }
    }

    @Test(
        "What nobody has is listed and counted, and support gives it to an account",
        arguments: Backend.available)
    func support(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let (signed, id) = try await buy("gold.monthly", in: world)
        _ = try await buy("lifetime", in: world)
        _ = try await buy("lifetime", in: world, at: .sandbox)
        try await world.deliver()
        #expect(try await free(world).count == 3)
        #expect(try await free(world, UnownedFilter(environment: .sandbox)) == ["lifetime"])
        #expect(
            try await free(world, UnownedFilter(productID: "gold.monthly")) == ["gold.monthly"])
        #expect(try await free(world, UnownedFilter(bundleID: World.bundleID)).count == 3)
        let first = try await world.merchant.unowned(UnownedFilter(), limit: 1)
        let rest = try await world.merchant.unowned(
            UnownedFilter(), before: first.first?.id, limit: 10)
        #expect(rest.count == 2)
        let customer = try await world.merchant.claim(id, for: "ada", of: World.bundleID)
        #expect(customer.lines == ["club active until 2026-02-01 renews"])
        #expect(customer.purchases.map(\.boundBy) == ["support"])
        #expect(try await free(world) == ["lifetime", "lifetime"])
        // Once more changes nothing; another account does not get it.
        let again = try await world.merchant.claim(id, for: "ada", of: World.bundleID)
        #expect(again == customer)
        let merchant = world.merchant
        let owned = try await refusal {
            try await merchant.claim(id, for: "bea", of: World.bundleID)
        }
        #expect(owned == .ownedByAnother)
        let unknown = try await refusal {
            try await merchant.claim("17", for: "bea", of: World.bundleID)
        }
        #expect(unknown == .unknownPurchase("17"))
        _ = try await world.merchant.take(transaction: signed, from: "ada", of: World.bundleID)
    }

    /// Serves the store of a world while its merchant asks it.
    private func served(
        _ world: MerchantWorld, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let server = StoreServer(
            store: world.world.store,
            tokenVerifier: RequestTokenVerifier(
                keys: [Self.key.keyID: VerificationKey(Self.key)], issuerID: Self.key.issuerID),
            operatorToken: "operator-0123456789abcdef", log: Logger(label: "test"))
        try await server.application(for: .production, port: 0).test(.live) { http in
            let port = try #require(http.port)
            var setup = try AppSetup(
                bundleID: World.bundleID, appAppleID: World.appleID,
                rootDER: [World.chain.rootDER])
            setup.serverAPI = ServerAPI(
                urls: [.production: "http://127.0.0.1:\(port)"], key: Self.key)
            try await world.merchant.serve([setup])
            try await body()
        }
    }

    @Test(
        "An order on a receipt gives the account what was bought with it",
        arguments: Backend.available)
    func order(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let merchant = world.merchant
        let (signed, _) = try await buy("gold.monthly", in: world)
        let ada = try await world.world.device("ada")
        let queue = try await world.world.store.transactions(
            for: ada, unfinishedOnly: true, after: 0, limit: 10)
        let order = try #require(queue.first?.orderID)
        let silent = try await refusal {
            try await merchant.claim(order: order, for: "ada", of: World.bundleID)
        }
        #expect(silent == .noServerAPI(World.bundleID, .production))
        try await served(world) {
            let unknown = try await refusal {
                try await merchant.claim(order: "M0000000", for: "ada", of: World.bundleID)
            }
            #expect(unknown == .unknownOrder("M0000000"))
            // Nothing was ever heard of it.
            let customer = try await merchant.claim(
                order: order, for: "ada", of: World.bundleID)
            #expect(customer.lines == ["club active until 2026-02-01"])
            #expect(customer.purchases.map(\.boundBy) == ["order"])
            let owned = try await refusal {
                try await merchant.claim(order: order, for: "bea", of: World.bundleID)
            }
            #expect(owned == .ownedByAnother)
            let same = try await merchant.take(
                transaction: signed, from: "ada", of: World.bundleID)
            #expect(same.purchases.map(\.boundBy) == ["order"])
        }
    }
}

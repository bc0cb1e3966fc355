import AppStoreSigning
import AppStoreWire
import Merchant
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What comes of a purchase that another account has, under each policy.
@Suite("Merchant: transfers", .timeLimit(.minutes(15)))
struct TransferStories {
    private func world(
        _ backend: Backend, _ policy: TransferPolicy
    ) async throws -> MerchantWorld {
        let world = try await MerchantWorld(backend) { $0.gracePeriod = .sixteenDays }
        try await serve(policy, in: world)
        return world
    }

    private func serve(_ policy: TransferPolicy, in world: MerchantWorld) async throws {
        var setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID, rootDER: [World.chain.rootDER])
        setup.transfers = policy
        try await world.merchant.serve([setup])
    }

    private func buy(_ product: String, in world: MerchantWorld) async throws -> String {
        let device = try await world.world.device("ada")
        return try #require(
            try await world.world.store.purchase(PurchaseRequest(productID: product), by: device))
    }

    /// The account has it afterwards, or the reason why not.
    private func send(
        _ signed: String, as account: String, restoring: Bool = false, to world: MerchantWorld
    ) async throws -> String {
        do {
            let customer = try await world.merchant.take(
                transaction: signed, from: account, of: World.bundleID, restores: restoring)
            return customer.purchases.first?.boundBy ?? "nothing"
        } catch let error as MerchantError {
            return "\(error)"
        }
    }

    private func has(_ account: String, in world: MerchantWorld) async throws -> Bool {
        try await !world.merchant.customer(account, of: World.bundleID).purchases.isEmpty
    }

    @Test(
        "Where the first owner keeps it, nobody else gets it, not even by restoring",
        arguments: Backend.available)
    func keep(_ backend: Backend) async throws {
        let world = try await world(backend, .keep)
        let signed = try await buy("gold.monthly", in: world)
        #expect(try await send(signed, as: "ada", to: world) == "app")
        #expect(try await send(signed, as: "bea", to: world) == "keptByOwner")
        #expect(try await send(signed, as: "bea", restoring: true, to: world) == "keptByOwner")
        #expect(try await send(signed, as: "ada", restoring: true, to: world) == "app")
        #expect(try await has("bea", in: world) == false)
    }

    @Test(
        "A renewal changes no owner, unless the customer restores it", arguments: Backend.available)
    func renewal(_ backend: Backend) async throws {
        for policy in [TransferPolicy.transfer, .share(upTo: 2)] {
            let world = try await world(backend, policy)
            let signed = try await buy("gold.monthly", in: world)
            _ = try await send(signed, as: "ada", to: world)
            try await world.advance(to: "2026-02-02")
            let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
            let history = try await NaiveJudge.history(
                of: try #require(Int64(bought.transactionId)), in: world.world, .production)
            let found = try history.first { text in
                let one: JWSTransactionDecodedPayload = try JWSText.decode(text)
                return one.transactionReason == .renewal
            }
            let renewal = try #require(found)
            #expect(try await send(renewal, as: "bea", to: world) == "ownedByAnother")
            #expect(try await has("ada", in: world))
            #expect(try await send(renewal, as: "bea", restoring: true, to: world) == "restore")
        }
    }

    @Test(
        "What is active stays, in grace and billing retry as well; what has ended moves",
        arguments: Backend.available)
    func inactive(_ backend: Backend) async throws {
        let world = try await world(backend, .transferIfInactive)
        let signed = try await buy("gold.monthly", in: world)
        _ = try await send(signed, as: "ada", to: world)
        try await world.deliver()
        #expect(try await send(signed, as: "bea", restoring: true, to: world) == "stillActive")
        try await world.world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        for (moment, reason) in [("2026-02-05", "gracePeriod"), ("2026-03-01", "billingRetry")] {
            try await world.advance(to: moment)
            #expect(try await world.access().first?.contains(reason) == true)
            #expect(try await send(signed, as: "bea", restoring: true, to: world) == "stillActive")
        }
        try await world.advance(to: "2026-04-10")
        #expect(try await world.access().first?.contains("expired") == true)
        #expect(try await send(signed, as: "bea", to: world) == "restore")
        #expect(try await has("ada", in: world) == false)
    }

    @Test(
        "What was bought for good moves where inactive purchases do, and what is consumed does not",
        arguments: Backend.available)
    func bought(_ backend: Backend) async throws {
        let world = try await world(backend, .transferIfInactive)
        let lifetime = try await buy("lifetime", in: world)
        let coins = try await buy("coins", in: world)
        for signed in [lifetime, coins] { _ = try await send(signed, as: "ada", to: world) }
        #expect(try await send(lifetime, as: "bea", to: world) == "restore")
        #expect(try await send(coins, as: "bea", restoring: true, to: world) == "keptByOwner")
        let ada = try await world.merchant.customer("ada", of: World.bundleID)
        #expect(ada.balances == ["coins": 1])
        #expect(ada.entitlements.isEmpty)
    }

    @Test(
        "What is consumed stays with its account, since another one would spend it once more",
        arguments: [
            TransferPolicy.refuse, .keep, .transfer, .transferIfInactive, .share(upTo: 2),
        ])
    func consumed(_ policy: TransferPolicy) async throws {
        let world = try await world(.sqlite, policy)
        let coins = try await buy("coins", in: world)
        #expect(try await send(coins, as: "ada", to: world) == "app")
        for restores in [false, true] {
            #expect(
                try await send(coins, as: "bea", restoring: restores, to: world) == "keptByOwner")
        }
        let ada = try await world.merchant.customer("ada", of: World.bundleID)
        #expect(ada.balances == ["coins": 1])
        let bea = try await world.merchant.customer("bea", of: World.bundleID)
        #expect(bea.balances.isEmpty)
    }

    @Test(
        "As many accounts share a purchase as may, and all of them hear of its renewals",
        arguments: Backend.available)
    func share(_ backend: Backend) async throws {
        let world = try await world(backend, .share(upTo: 2))
        let signed = try await buy("gold.monthly", in: world)
        let coins = try await buy("coins", in: world)
        #expect(try await send(signed, as: "ada", to: world) == "app")
        #expect(try await send(signed, as: "bea", to: world) == "app")
        #expect(try await send(signed, as: "cleo", to: world) == "sharedByTooMany")
        #expect(
            try await send(signed, as: "cleo", restoring: true, to: world) == "sharedByTooMany")
        // What two had would be spent twice.
        _ = try await send(coins, as: "ada", to: world)
        #expect(try await send(coins, as: "bea", to: world) == "keptByOwner")
        let before = try await world.merchant.customer("bea", of: World.bundleID).version
        try await world.advance(to: "2026-02-02")
        for account in ["ada", "bea"] {
            let lines = try await world.access(of: account)
            #expect(lines == ["club active until 2026-03-01 renews"])
        }
        let bea = try await world.merchant.customer("bea", of: World.bundleID)
        #expect(bea.version > before)
        // Under another policy who restores has it alone.
        try await serve(.refuse, in: world)
        #expect(try await send(signed, as: "cleo", restoring: true, to: world) == "restore")
        #expect(try await has("bea", in: world) == false)
        let left = try await world.merchant.transfers(of: "bea", in: World.bundleID, limit: 10)
        #expect(left.map(\.kind) == [.unshared, .shared])
        #expect(left.map(\.other) == ["cleo", "ada"])
    }

    @Test(
        "A move is two events, and what each account had is known by version",
        arguments: Backend.available)
    func transfers(_ backend: Backend) async throws {
        let world = try await world(backend, .refuse)
        let signed = try await buy("gold.monthly", in: world)
        _ = try await send(signed, as: "ada", to: world)
        _ = try await send(signed, as: "bea", restoring: true, to: world)
        let ada = try await world.merchant.transfers(of: "ada", in: World.bundleID, limit: 10)
        let bea = try await world.merchant.transfers(of: "bea", in: World.bundleID, limit: 10)
        #expect(ada.map(\.kind) == [.transferredAway, .bound])
        #expect(ada.map(\.other) == ["bea", nil])
        #expect(bea.map(\.kind) == [.transferredHere])
        #expect(bea.map(\.other) == ["ada"])
        #expect(bea.map(\.how) == [.restore])
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        #expect(bea.map(\.originalTransactionID) == [bought.originalTransactionId])
        func had(_ account: String, _ event: AccountTransfer) async throws -> [String] {
            try await world.merchant.customer(account, of: World.bundleID, at: event.version)
                .lines
        }
        #expect(try await had("ada", ada[1]) == ["club active until 2026-02-01"])
        #expect(try await had("ada", ada[0]) == [])
        #expect(try await had("bea", bea[0]) == ["club active until 2026-02-01"])
        let version = try await world.merchant.customer("ada", of: World.bundleID).version
        do {
            _ = try await world.merchant.customer("ada", of: World.bundleID, at: version + 1)
            Issue.record("there is no such version")
        } catch let error as MerchantError {
            #expect(error == .unknownVersion(version + 1))
        }
        // An older number pages on.
        let page = try await world.merchant.transfers(
            of: "ada", in: World.bundleID, before: ada[0].id, limit: 10)
        #expect(page == [ada[1]])
    }

    @Test(
        "Names that apps send by mistake are refused",
        arguments: ["", " ", "null", "NULL", "undefined", "0", "guest", "Anonymous", "(null)"])
    func reserved(_ name: String) async throws {
        let world = try await world(.sqlite, .transfer)
        let signed = try await buy("lifetime", in: world)
        let refusal = "\(MerchantError.reservedAccount(name))"
        #expect(try await send(signed, as: name, to: world) == refusal)
        do {
            _ = try await world.merchant.customer(name, of: World.bundleID)
            Issue.record("\(name) is an account")
        } catch let error as MerchantError {
            #expect(error == .reservedAccount(name))
        }
        #expect(try await send(signed, as: "nullable", to: world) == "app")
    }
}

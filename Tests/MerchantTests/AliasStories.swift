import AppStoreSigning
import AppStoreWire
import Merchant
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Other names of accounts, what is kept about a person, and that it is erased.
@Suite("Merchant: names and persons", .timeLimit(.minutes(15)))
struct AliasStories {
    private static let token = "6f1e4c2a-0b7d-4a57-9c3e-1d2f3a4b5c6d"

    private func buy(
        _ product: String, in world: MerchantWorld, token: String? = nil
    ) async throws -> String {
        let device = try await world.world.device("ada")
        return try #require(
            try await world.world.store.purchase(
                PurchaseRequest(productID: product, appAccountToken: token), by: device))
    }

    private func take(
        _ signed: String, as account: String, in world: MerchantWorld, restoring: Bool = false
    ) async throws -> MerchantCustomer {
        try await world.merchant.take(
            transaction: signed, from: account, of: World.bundleID, restores: restoring)
    }

    private func customer(
        _ account: String, in world: MerchantWorld
    ) async throws -> MerchantCustomer {
        try await world.merchant.customer(account, of: World.bundleID)
    }

    @Test(
        "What was bought before signing in is the account's once it has that name too",
        arguments: Backend.available)
    func anonymous(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        _ = try await take(try await buy("gold.monthly", in: world), as: "device-1", in: world)
        _ = try await world.merchant.alias("device-1", to: "ada", of: World.bundleID)
        let ada = try await customer("ada", in: world)
        #expect(ada.lines == ["club active until 2026-02-01"])
        #expect(try await customer("device-1", in: world) == ada)
        // What comes by the old name is the account's, before and after it is known.
        _ = try await take(try await buy("lifetime", in: world), as: "device-1", in: world)
        #expect(try await customer("ada", in: world).purchases.count == 2)
        _ = try await world.merchant.alias("device-2", to: "device-1", of: World.bundleID)
        _ = try await take(try await buy("coins", in: world), as: "device-2", in: world)
        #expect(try await customer("ada", in: world).balances == ["coins": 1])
    }

    @Test(
        "Two accounts that have something become one, with a version above both",
        arguments: Backend.available)
    func merge(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let plan = try await buy("gold.monthly", in: world, token: Self.token)
        _ = try await take(plan, as: "bea", in: world)
        for _ in 1...3 {
            _ = try await take(try await buy("coins", in: world), as: "bea", in: world)
        }
        _ = try await world.merchant.alias("bea-old", to: "bea", of: World.bundleID)
        _ = try await take(try await buy("lifetime", in: world), as: "ada", in: world)
        let before = [
            try await customer("ada", in: world).version,
            try await customer("bea", in: world).version,
        ]
        let merged = try await world.merchant.alias("bea", to: "ada", of: World.bundleID)
        #expect(merged.account == "ada")
        #expect(merged.lines == ["club active until 2026-02-01", "lifetime owned"])
        #expect(merged.balances == ["coins": 3])
        #expect(before.allSatisfy { $0 < merged.version })
        for name in ["bea", "bea-old"] { #expect(try await customer(name, in: world) == merged) }
        // The token came along.
        _ = try await buy("season", in: world, token: Self.token)
        try await world.deliver()
        let later = try await customer("ada", in: world)
        #expect(later.purchases.first?.boundBy == "token")
        let events = try await world.merchant.transfers(of: "ada", in: World.bundleID, limit: 50)
        #expect(events.filter { $0.kind == .merged }.map(\.account) == ["ada", "bea"])
        #expect(events.filter { $0.kind == .merged }.map(\.other) == ["bea", "ada"])
        // What it had just before is known still.
        let then = try await world.merchant.customer("ada", of: World.bundleID, at: before[0])
        #expect(then.lines == ["lifetime owned"])
        // Again, and the other way round, changes nothing.
        for (alias, account) in [("bea", "ada"), ("ada", "bea"), ("ada", "ada")] {
            let same = try await world.merchant.alias(alias, to: account, of: World.bundleID)
            #expect(same.version == later.version)
        }
    }

    @Test("What two shared one has once they are one", arguments: Backend.available)
    func mergeOfSharers(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await AliasStories.serve(.share(upTo: 2), in: world)
        let signed = try await buy("gold.monthly", in: world)
        for name in ["ada", "bea"] { _ = try await take(signed, as: name, in: world) }
        let merged = try await world.merchant.alias("ada", to: "bea", of: World.bundleID)
        #expect(merged.purchases.count == 1)
        // There is room for another one.
        #expect(try await take(signed, as: "cleo", in: world).purchases.count == 1)
    }

    private static func serve(_ policy: TransferPolicy, in world: MerchantWorld) async throws {
        var setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID, rootDER: [World.chain.rootDER])
        setup.transfers = policy
        try await world.merchant.serve([setup])
    }

    @Test("A long chain of names leads to its account directly", arguments: Backend.available)
    func chain(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let bought = try await take(try await buy("lifetime", in: world), as: "n0", in: world)
        let length = 1_000
        for index in 1...length {
            _ = try await world.merchant.alias(
                "n\(index)", to: "n\(index - 1)", of: World.bundleID)
        }
        #expect(try await customer("n\(length)", in: world) == bought)
        let export = try await world.merchant.export("n\(length / 2)", of: World.bundleID)
        #expect(export.account == "n0")
        #expect(export.aliases.count == length)
        // Closing it to a ring changes nothing.
        let ring = try await world.merchant.alias("n0", to: "n\(length)", of: World.bundleID)
        #expect(ring == bought)
    }

    @Test(
        "An export has everything, as it was signed", arguments: Backend.available)
    func export(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await buy("gold.monthly", in: world, token: Self.token)
        _ = try await take(signed, as: "ada", in: world)
        _ = try await world.merchant.alias("device-1", to: "ada", of: World.bundleID)
        try await world.deliver()
        let export = try await world.merchant.export("device-1", of: World.bundleID)
        #expect(export.account == "ada")
        #expect(export.aliases.map(\.name) == ["device-1"])
        #expect(export.tokens == [Self.token])
        #expect(export.transfers.map(\.kind) == [.bound])
        let purchase = try #require(export.purchases.first)
        #expect(purchase.isOwner)
        #expect(purchase.appAccountToken == Self.token)
        #expect(purchase.transactions.count == 1)
        #expect(purchase.renewals.count == 1)
        #expect(purchase.notifications.count == 1)
        let kept: JWSTransactionDecodedPayload = try JWSText.decode(
            try #require(purchase.transactions.first?.text))
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        #expect(kept.transactionId == bought.transactionId)
        let nobody = try await world.merchant.export("zoe", of: World.bundleID)
        #expect(nobody.version == 0)
        #expect(nobody.purchases.isEmpty)
    }

    @Test(
        "What was erased has no name left, stays without an owner, and no token binds it again",
        arguments: Backend.available)
    func erase(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await buy("gold.monthly", in: world, token: Self.token)
        _ = try await take(signed, as: "ada", in: world)
        _ = try await world.merchant.alias("device-1", to: "ada", of: World.bundleID)
        _ = try await take(signed, as: "bea", in: world, restoring: true)
        _ = try await take(signed, as: "ada", in: world, restoring: true)
        let erased = try await world.merchant.erase("device-1", of: World.bundleID)
        #expect(erased.names == 2)
        #expect(erased.tokens == 1)
        #expect(erased.purchases == 1)
        #expect(erased.shared == 0)
        for name in ["ada", "device-1"] {
            #expect(try await customer(name, in: world).version == 0)
        }
        let bea = try await world.merchant.transfers(of: "bea", in: World.bundleID, limit: 10)
        #expect(bea.map(\.kind) == [.transferredAway, .transferredHere])
        #expect(bea.map(\.other) == [nil, nil])
        // Renewals are kept, and are nobody's, though they carry the token.
        try await world.advance(to: "2026-02-02")
        let other = try await take(
            try await buy("lifetime", in: world, token: Self.token), as: "cleo", in: world)
        #expect(other.lines == ["lifetime owned"])
        let free = try await world.merchant.unowned(UnownedFilter(), limit: 10)
        #expect(free.map(\.productID) == ["gold.monthly"])
        #expect(free.allSatisfy { $0.erased != nil })
        // The customer can have it back, by restoring it.
        let back = try await take(signed, as: "ada", in: world, restoring: true)
        #expect(back.lines == ["club active until 2026-03-01 renews"])
        let nothing = try await world.merchant.erase("zoe", of: World.bundleID)
        #expect(nothing.names == 0)
    }

    @Test("What an erased account shared the others have still", arguments: Backend.available)
    func eraseOfSharer(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await AliasStories.serve(.share(upTo: 3), in: world)
        let signed = try await buy("lifetime", in: world)
        for name in ["ada", "bea", "cleo"] { _ = try await take(signed, as: name, in: world) }
        let first = try await world.merchant.erase("cleo", of: World.bundleID)
        #expect(first.shared == 1)
        let second = try await world.merchant.erase("ada", of: World.bundleID)
        #expect(second.purchases == 0)
        #expect(try await customer("bea", in: world).lines == ["lifetime owned"])
        let events = try await world.merchant.transfers(of: "bea", in: World.bundleID, limit: 10)
        #expect(events.first?.kind == .erased)
        #expect(try await world.merchant.unowned(UnownedFilter(), limit: 10).isEmpty)
    }
}

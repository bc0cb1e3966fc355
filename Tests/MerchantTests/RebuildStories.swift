import AppStoreWire
import Merchant
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What a merchant that has lost everything, or is new, takes from the store's own answers.
@Suite("Merchant: rebuilding", .timeLimit(.minutes(15)))
struct RebuildStories {
    /// A store of which no merchant has heard anything: Ada's plan that has renewed and her coins,
    /// Bea's purchase for good.
    private struct Past {
        let world: MerchantWorld
        /// Ada's original transaction, one of her coins, Bea's purchase.
        let plan: String
        let coin: String
        let lifetime: String
    }

    /// What is refused; nil where nothing is.
    private func refusal(_ body: () async throws -> Void) async -> MerchantError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? MerchantError
        }
    }

    private func past(_ backend: Backend) async throws -> Past {
        let world = try await MerchantWorld(backend)
        var numbers: [String] = []
        for (product, account) in [
            ("gold.monthly", "ada"), ("coins", "ada"), ("coins", "ada"), ("lifetime", "bea"),
        ] {
            let device = try await world.world.device(account)
            let signed = try #require(
                try await world.world.store.purchase(
                    PurchaseRequest(productID: product), by: device))
            let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
            numbers.append(bought.transactionId)
        }
        _ = try await world.world.store.advance(to: World.instant("2026-02-02"))
        return Past(world: world, plan: numbers[0], coin: numbers[1], lifetime: numbers[3])
    }

    @Test(
        "Histories and statuses are taken, and each purchase is the account's that a line names",
        arguments: Backend.available)
    func file(_ backend: Backend) async throws {
        let past = try await past(backend)
        let merchant = past.world.merchant
        try await GapStories.served(past.world) {
            let begun = try await merchant.rebuild(
                [
                    RebuildLine(account: "ada", transactionID: past.plan),
                    RebuildLine(account: "ada", transactionID: past.coin),
                    RebuildLine(transactionID: past.lifetime),
                    RebuildLine(account: "ada", transactionID: "999999999"),
                ], of: World.bundleID)
            #expect(begun.lines == 4)
            #expect(begun.read == 0)
            #expect(begun.ended == nil)
            #expect(try await merchant.rebuilds(limit: 10) == [begun])
            try await merchant.workOnRebuilds()
            let done = try await merchant.rebuild(begun.id)
            #expect(done.read == 4)
            #expect(done.failed == 1)
            #expect(done.problem == nil)
            #expect(done.ended != nil)
            let failed = try await merchant.failedLines(of: begun.id, limit: 10)
            #expect(failed.map(\.line.transactionID) == ["999999999"])
            #expect(failed.allSatisfy { $0.problem.contains("The server answered 4") })
            // The app is served in Production alone.
            #expect(!failed.contains { $0.problem.contains("Sandbox") })
            let ada = try await merchant.customer("ada", of: World.bundleID)
            #expect(ada.lines == ["club active until 2026-03-01 renews"])
            // The other one is in the history that was read, and no line says whose it is.
            #expect(ada.balances == ["coins": 1])
            #expect(ada.purchases.map(\.boundBy) == ["rebuild", "rebuild"])
            // Nobody has said whose Bea's is: it is hers once her app sends it.
            #expect(try await past.world.access(of: "bea").isEmpty)
            let unknown = await refusal {
                _ = try await merchant.failedLines(of: 99, limit: 10)
            }
            #expect(unknown == .unknownRebuild(99))
        }
    }

    @Test("Asked again, only what is newer is read", arguments: Backend.available)
    func again(_ backend: Backend) async throws {
        let past = try await past(backend)
        let merchant = past.world.merchant
        try await GapStories.served(past.world) {
            func rebuild(_ lines: [RebuildLine]) async throws -> Rebuild {
                let begun = try await merchant.rebuild(lines, of: World.bundleID)
                try await merchant.workOnRebuilds()
                return try await merchant.rebuild(begun.id)
            }
            let line = RebuildLine(account: "ada", transactionID: past.plan)
            // Two periods, two coins, and the renewal information.
            #expect(try await rebuild([line]).taken >= 4)
            _ = try await past.world.world.store.advance(to: World.instant("2026-03-02"))
            let second = try await rebuild([line])
            #expect((1...2).contains(second.taken), "\(second.taken)")
            #expect(second.failed == 0)
            #expect(try await past.world.access() == ["club active until 2026-04-01 renews"])
            // Another account does not get it.
            let other = try await rebuild(
                [RebuildLine(account: "bea", transactionID: past.plan)])
            #expect(other.failed == 1)
            let failed = try await merchant.failedLines(of: other.id, limit: 1)
            #expect(failed.first?.problem == "another account has the purchase")
            #expect(try await past.world.access(of: "bea").isEmpty)
        }
    }

    @Test("A rebuild that a crash has cut off goes on", arguments: Backend.available)
    func crash(_ backend: Backend) async throws {
        let past = try await past(backend)
        for change in [2, 3, 4, 5, 6] {
            let database = FaultyDatabase(try await backend.borrowDatabase(for: .merchant))
            let first = try await MerchantWorld.merchant(in: database, of: past.world.world)
            let second = try await MerchantWorld.merchant(in: database, of: past.world.world)
            try await GapStories.served(past.world, others: [first, second]) {
                let begun = try await first.rebuild(
                    [RebuildLine(account: "ada", transactionID: past.plan)], of: World.bundleID)
                database.arm(.beforeCommit(change))
                do {
                    try await first.workOnRebuilds()
                } catch let error as StorageError {
                    #expect(error.code == .connectionLost)
                }
                database.arm(nil)
                try await second.workOnRebuilds()
                let done = try await second.rebuild(begun.id)
                #expect(done.read == 1, "\(change)")
                #expect(done.failed == 0, "\(change)")
                #expect(done.ended != nil, "\(change)")
                let ada = try await second.customer("ada", of: World.bundleID)
                #expect(ada.lines == ["club active until 2026-03-01 renews"], "\(change)")
            }
        }
    }

    @Test("Without an address of the store nothing begins", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let lines = [RebuildLine(transactionID: "7")]
        let noAddress = await refusal {
            _ = try await world.merchant.rebuild(lines, of: World.bundleID)
        }
        #expect(noAddress == .noServerAPI(World.bundleID, .production))
        let noApp = await refusal {
            _ = try await world.merchant.rebuild(lines, of: "com.example.other")
        }
        #expect(noApp == .unknownApp("com.example.other"))
        #expect(try await world.merchant.rebuilds(limit: 1).isEmpty)
        #expect(try await world.merchant.rereadHistory() == 0)
    }

    @Test(
        "The whole history is read again where that is wanted, by whoever looks next",
        arguments: Backend.available)
    func history(_ backend: Backend) async throws {
        let past = try await past(backend)
        let merchant = past.world.merchant
        try await GapStories.served(past.world) {
            _ = try await merchant.heal()
            #expect(try await merchant.rereadHistory() == 1)
            let waiting = try await merchant.gaps().first { $0.kind == .history }
            #expect(waiting?.state == .interrupted)
            #expect(waiting.map { $0.since < World.instant("2025-09-01") } == true)
            let reports = try await merchant.lookWhereDue()
            let history = reports.filter { $0.kind == .history }
            #expect(history.map(\.state) == [.done, .done])
            // All of it is known.
            #expect(history.map(\.healed) == [0, 0])
            #expect(history.first.map { $0.read >= 5 } == true)
        }
    }
}

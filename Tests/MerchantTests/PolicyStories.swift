import AppStoreSigning
import Logging
import Merchant
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What an app's configuration decides, and that it may change while the merchant runs.
@Suite("Merchant: policies", .timeLimit(.minutes(15)))
struct PolicyStories {
    private func setup(_ change: (inout AppSetup) -> Void = { _ in }) throws -> AppSetup {
        var setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID, rootDER: [World.chain.rootDER])
        change(&setup)
        return setup
    }

    private func bought(
        _ product: String, in world: MerchantWorld, at environment: StoreEnvironment = .production
    ) async throws -> String {
        let device = try await world.world.device("ada", in: environment)
        return try #require(
            try await world.world.store.purchase(PurchaseRequest(productID: product), by: device))
    }

    private func wait(for line: String, in world: MerchantWorld) async throws {
        while try await world.access() != [line] { await Task.yield() }
    }

    @Test(
        "Other entitlements hold for what was bought before; unnamed products keep theirs",
        arguments: Backend.available)
    func entitlements(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        for product in ["gold.monthly", "lifetime"] {
            let signed = try await bought(product, in: world)
            _ = try await world.merchant.take(
                transaction: signed, from: "ada", of: World.bundleID)
        }
        #expect(try await world.access() == ["club active until 2026-02-01", "lifetime owned"])
        try await world.merchant.serve([
            try setup { $0.grants = ["gold.monthly": ["archive", "news"]] }
        ])
        #expect(
            try await world.access() == [
                "archive active until 2026-02-01", "lifetime owned",
                "news active until 2026-02-01",
            ])
        try await world.merchant.serve([])
        await #expect(throws: MerchantError.unknownApp(World.bundleID)) {
            try await world.merchant.customer("ada", of: World.bundleID)
        }
    }

    @Test("A purchase moves where the policy is to transfer it", arguments: Backend.available)
    func restore(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await world.merchant.serve([try setup { $0.transfers = .transfer }])
        let signed = try await bought("gold.monthly", in: world)
        let ada = try await world.merchant.take(
            transaction: signed, from: "ada", of: World.bundleID)
        #expect(ada.purchases.map(\.boundBy) == ["app"])
        let bea = try await world.merchant.take(
            transaction: signed, from: "bea", of: World.bundleID)
        #expect(bea.purchases.map(\.boundBy) == ["restore"])
        #expect(try await world.access().isEmpty)
        try await world.merchant.serve([try setup()])
        await #expect(throws: MerchantError.ownedByAnother) {
            try await world.merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        }
        #expect(try await world.merchant.customer("bea", of: World.bundleID) == bea)
    }

    @Test(
        "Sandbox grants what Production grants where the policy says so, and is never counted",
        arguments: Backend.available)
    func sandbox(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        for product in ["lifetime", "coins"] {
            let signed = try await bought(product, in: world, at: .sandbox)
            _ = try await world.merchant.take(
                transaction: signed, from: "ada", of: World.bundleID)
        }
        let real = try await bought("lifetime", in: world)
        _ = try await world.merchant.take(transaction: real, from: "ada", of: World.bundleID)
        let apart = try await world.merchant.customer("ada", of: World.bundleID)
        #expect(apart.entitlements.map(\.environment) == [.production, .sandbox])
        try await world.merchant.serve([try setup { $0.sandbox = .grants }])
        let together = try await world.merchant.customer("ada", of: World.bundleID)
        #expect(together.entitlements.map(\.id) == ["lifetime"])
        #expect(together.balances.isEmpty)
    }

    @Test("An environment that is not taken is refused", arguments: Backend.available)
    func environments(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await world.merchant.serve([try setup { $0.environments = [.sandbox] }])
        let real = try await bought("lifetime", in: world)
        let refusal = await #expect(throws: MerchantError.self) {
            try await world.merchant.take(transaction: real, from: "ada", of: World.bundleID)
        }
        guard case .notVerified(let reason)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(reason.code == .wrongEnvironment)
        #expect(try await world.access().isEmpty)
        let played = try await bought("lifetime", in: world, at: .sandbox)
        let customer = try await world.merchant.take(
            transaction: played, from: "ada", of: World.bundleID)
        #expect(customer.lines == ["lifetime owned"])
    }

    @Test(
        "The keeper processes what is kept without being asked, also what came before it ran",
        arguments: Backend.available)
    func keeper(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await bought("gold.monthly", in: world)
        _ = try await world.merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        try await world.world.store.settle()
        for arrival in world.world.listener.takeArrivals() { try await world.receive(arrival) }
        let keeper = Task { try await MerchantKeeper(world.merchant).run() }
        try await wait(for: "club active until 2026-02-01 renews", in: world)
        _ = try await world.world.store.advance(to: World.instant("2026-02-01"))
        for arrival in world.world.listener.takeArrivals() { try await world.receive(arrival) }
        try await wait(for: "club active until 2026-03-01 renews", in: world)
        keeper.cancel()
        _ = await keeper.result
    }

    @Test(
        "What one process accepted another one processes, and once only",
        arguments: Backend.available)
    func severalProcesses(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let database = try await backend.borrowDatabase(for: .merchant)
        var merchants: [Merchant] = []
        for _ in 1...3 {
            merchants.append(
                try await Merchant(
                    database: database, apps: [try setup()],
                    time: { try await world.world.store.clockReading().now },
                    log: Logger(label: "test")))
        }
        let first = merchants[0]
        let signed = try await bought("gold.monthly", in: world)
        _ = try await first.take(transaction: signed, from: "ada", of: World.bundleID)
        try await world.world.store.settle()
        let arrivals = world.world.listener.takeArrivals()
        // The first one accepts, and has no keeper.
        let keepers = merchants.dropFirst().map { merchant in
            Task { try await MerchantKeeper(merchant).run() }
        }
        for arrival in arrivals {
            #expect(try await first.receive(arrival.signedPayload, for: World.bundleID) == .kept)
        }
        let wanted = ["club active until 2026-02-01 renews"]
        while try await first.customer("ada", of: World.bundleID).lines != wanted {
            await Task.yield()
        }
        for keeper in keepers {
            keeper.cancel()
            _ = await keeper.result
        }
        let customer = try await first.customer(
            "ada", of: World.bundleID, withNotifications: true)
        #expect(customer.purchases[0].notifications.map(\.type) == ["SUBSCRIBED"])
        #expect(customer.purchases[0].notifications.allSatisfy { $0.state == .processed })
        // Once by the app, once by the notification that says more.
        #expect(customer.version == 2)
    }
}

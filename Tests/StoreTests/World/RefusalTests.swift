import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Every refusal that the engine can give, each with nothing changed.
@Suite("Commands: refusals")
struct RefusalTests {
    /// A world in which Ada has silver, Bea nothing, and Cleo no money.
    private struct Scene: Sendable {
        let world: World
        let ada: DeviceSession
        let bea: DeviceSession
        let cleo: DeviceSession
        let silver: Int64
        let coins: Int64

        init(_ backend: Backend) async throws {
            world = try await World(backend)
            ada = try await world.device()
            bea = try await world.device("bea")
            cleo = try await world.device("cleo")
            silver = try await world.subscribe("silver.monthly", by: ada)
            coins = try await world.subscribe("coins", by: ada)
            try await world.pays(.declines(until: nil, left: nil), account: "cleo")
            try await world.store.setAvailability(
                false, product: "season", storefront: nil, bundleID: World.bundleID)
            try await world.store.setAvailability(
                false, product: "bronze.weekly", storefront: .usa, bundleID: World.bundleID)
        }

        func buy(_ product: String, _ quantity: Int = 1, by device: DeviceSession) async throws {
            _ = try await world.store.purchase(
                PurchaseRequest(productID: product, quantity: quantity), by: device)
        }
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: StoreError
        let command: @Sendable (Scene) async throws -> Void

        init(
            _ name: String, _ error: StoreError,
            _ command: @escaping @Sendable (Scene) async throws -> Void
        ) {
            testDescription = name
            self.error = error
            self.command = command
        }
    }

    static let isNeverFree = StoreError.setting(
        .invalid(
            "price",
            reason:
                "silver.monthly is an auto-renewable subscription, which only an offer makes free"))

    private func check(_ backend: Backend, _ cases: [Case]) async throws {
        let scene = try await Scene(backend)
        let before = try await Tables(scene.world.database)
        for one in cases {
            await #expect(throws: one.error, "\(one.testDescription)") {
                try await one.command(scene)
            }
            let after = try await Tables(scene.world.database)
            // That the bank declined is kept (0016), and nothing else.
            let kept: Set =
                one.error == .purchase(.paymentDeclined) ? ["bill", "journal", "world"] : []
            let differences = after.differences(from: before, besides: kept)
            #expect(differences.isEmpty, "\(one.testDescription)")
        }
    }

    @Test("A refused purchase changes nothing", arguments: Backend.available)
    func purchases(_ backend: Backend) async throws {
        try await check(
            backend,
            [
                Case("unknown", .unknown(.product, "x")) { try await $0.buy("x", by: $0.bea) },
                Case("empty", .unknown(.product, "")) { try await $0.buy("", by: $0.bea) },
                Case("not for sale", .purchase(.notForSale("season"))) {
                    try await $0.buy("season", by: $0.bea)
                },
                Case("not for sale here", .purchase(.notForSale("bronze.weekly"))) {
                    try await $0.buy("bronze.weekly", by: $0.ada)
                },
                Case("none", .purchase(.invalidQuantity(0, largest: 10))) {
                    try await $0.buy("coins", 0, by: $0.bea)
                },
                Case("negative", .purchase(.invalidQuantity(-1, largest: 10))) {
                    try await $0.buy("coins", -1, by: $0.bea)
                },
                Case("too many", .purchase(.invalidQuantity(11, largest: 10))) {
                    try await $0.buy("coins", 11, by: $0.bea)
                },
                Case("two subscriptions", .purchase(.invalidQuantity(2, largest: 1))) {
                    try await $0.buy("gold.monthly", 2, by: $0.bea)
                },
                Case("two for ever", .purchase(.invalidQuantity(2, largest: 1))) {
                    try await $0.buy("lifetime", 2, by: $0.bea)
                },
                Case("owned", .refused(.alreadySubscribed)) {
                    try await $0.buy("silver.monthly", by: $0.ada)
                },
                Case("declined", .purchase(.paymentDeclined)) {
                    try await $0.buy("silver.monthly", by: $0.cleo)
                },
                Case("declined coins", .purchase(.paymentDeclined)) {
                    try await $0.buy("coins", by: $0.cleo)
                },
            ])
    }

    @Test("A refused change of a subscription changes nothing", arguments: Backend.available)
    func changes(_ backend: Backend) async throws {
        let change: @Sendable (Scene, [SubscriptionChange], Bool) async throws -> Void = {
            try await $0.world.store.change(
                subscription: $0.silver, $1, by: $2 ? $0.ada : $0.bea)
        }
        let id = try await Scene(backend).silver
        try await check(
            backend,
            [
                Case("unknown", .unknown(.originalTransaction, "1")) {
                    try await $0.world.store.change(
                        subscription: 1, [.renewal(isOn: false)], by: $0.ada)
                },
                Case("somebody else's", .unknown(.originalTransaction, "\(id)")) {
                    try await change($0, [.renewal(isOn: false)], false)
                },
                Case("unknown product", .unknown(.product, "x")) {
                    try await change($0, [.product("x")], true)
                },
                Case("no subscription", .subscription(.notASubscription("coins"))) {
                    try await change($0, [.product("coins")], true)
                },
                Case(
                    "other group",
                    .subscription(.wrongGroup(product: "news.monthly", group: "club"))
                ) {
                    try await change($0, [.product("news.monthly")], true)
                },
                Case("not for sale", .purchase(.notForSale("bronze.weekly"))) {
                    try await change($0, [.product("bronze.weekly")], true)
                },
                Case("the second of two", .purchase(.notForSale("bronze.weekly"))) {
                    try await change(
                        $0, [.renewal(isOn: false), .product("bronze.weekly")], true)
                },
                Case("what it is", .refused(.alreadySubscribed)) {
                    try await change($0, [.product("silver.monthly")], true)
                },
                Case("end of nothing", .unknown(.originalTransaction, "1")) {
                    try await $0.world.store.end(subscription: 1)
                },
            ])
    }

    @Test("Refused settings change nothing", arguments: Backend.available)
    func settings(_ backend: Backend) async throws {
        let other = "com.example.other"
        let steps = "it must be 0 to 1000000000000 milliunits in steps of"
        let price: @Sendable (Scene, Int64, String, String, String) async throws -> Void = {
            try await $0.world.store.setPrice(
                $1, product: $2, storefront: Storefront(code: $3)!, bundleID: $4)
        }
        try await check(
            backend,
            [
                Case("app exists", .setting(.appExists(World.bundleID))) {
                    try await $0.world.store.addApp(
                        bundleID: World.bundleID, appleID: 2, settings: App.Settings(name: "2"))
                },
                Case("number exists", .setting(.appExists(other))) {
                    try await $0.world.store.addApp(
                        bundleID: other, appleID: World.appleID, settings: App.Settings(name: "2"))
                },
                Case("unknown app", .unknown(.app, other)) {
                    try await $0.world.store.configure(bundleID: other) { $0.name = "2" }
                },
                Case("import into unknown app", .unknown(.app, other)) {
                    try await $0.world.store.importCatalogue(Catalogue(), bundleID: other)
                },
                Case("price of unknown app", .unknown(.app, other)) {
                    try await price($0, 990, "coins", "USA", other)
                },
                Case("price of unknown product", .unknown(.product, "x")) {
                    try await price($0, 990, "x", "USA", World.bundleID)
                },
                Case(
                    "half a yen",
                    .setting(.invalid("price", reason: "\(steps) 1000, as JPY allows"))
                ) { try await price($0, 1_500, "coins", "JPN", World.bundleID) },
                Case(
                    "tenth of a cent",
                    .setting(.invalid("price", reason: "\(steps) 10, as USD allows"))
                ) { try await price($0, 999, "coins", "USA", World.bundleID) },
                Case("negative", .setting(.invalid("price", reason: "\(steps) 10, as USD allows")))
                {
                    try await price($0, -990, "coins", "USA", World.bundleID)
                },
                Case("too much", .setting(.invalid("price", reason: "\(steps) 10, as USD allows")))
                {
                    try await price($0, 1_000_000_000_010, "coins", "USA", World.bundleID)
                },
                Case("sale of unknown product", .unknown(.product, "x")) {
                    try await $0.world.store.setAvailability(
                        false, product: "x", storefront: nil, bundleID: World.bundleID)
                },
                Case("sign-in to unknown app", .unknown(.app, other)) {
                    try await $0.world.store.signIn(
                        SignInRequest(bundleID: other, account: "new"), in: .production,
                        token: "token")
                },
            ])
    }

    @Test("What could not hold changes nothing", arguments: Backend.available)
    func couldNotHold(_ backend: Backend) async throws {
        try await check(
            backend,
            [
                Case("sale in one storefront", .setting(.offSaleEverywhere("season"))) {
                    try await $0.world.store.setAvailability(
                        true, product: "season", storefront: .usa, bundleID: World.bundleID)
                },
                Case("free subscription", Self.isNeverFree) {
                    try await $0.world.store.setPrice(
                        0, product: "silver.monthly", storefront: .usa, bundleID: World.bundleID)
                },
            ])
    }

    @Test(
        "Refused commands about accounts and transactions change nothing",
        arguments: Backend.available)
    func accounts(_ backend: Backend) async throws {
        let token = "0a1b2c3d-0000-4000-8000-000000000001"
        let scene = try await Scene(backend)
        let (id, coins) = (scene.silver, scene.coins)
        try await check(
            backend,
            [
                Case("payment of nobody", .unknown(.account, "dora")) {
                    try await $0.world.store.setPaymentMethod(
                        .approves, account: "dora", in: .production)
                },
                Case("payment in the other environment", .unknown(.account, "ada")) {
                    try await $0.world.store.setPaymentMethod(
                        .approves, account: "ada", in: .sandbox)
                },
                Case("storefront of nobody", .unknown(.account, "dora")) {
                    try await $0.world.store.setStorefront(
                        .usa, account: "dora", in: .production)
                },
                Case("speed of nobody", .unknown(.account, "ada")) {
                    try await $0.world.store.setSandboxSpeed(.sixtyMinutes, account: "ada")
                },
                Case("finish of nothing", .unknown(.transaction, "1")) {
                    try await $0.world.store.finish(transaction: 1, by: $0.ada)
                },
                Case("finish of somebody else's", .unknown(.transaction, "\(coins)")) {
                    try await $0.world.store.finish(transaction: $0.coins, by: $0.bea)
                },
                Case("finish in the other environment", .unknown(.transaction, "\(coins)")) {
                    try await $0.world.store.finish(
                        transaction: $0.coins, bundleID: World.bundleID, in: .sandbox)
                },
                Case("token for nothing", .unknown(.originalTransaction, "1")) {
                    try await $0.world.store.setAppAccountToken(
                        token, originalTransaction: 1, bundleID: World.bundleID, in: .production)
                },
                Case("token in the other environment", .unknown(.originalTransaction, "\(id)")) {
                    try await $0.world.store.setAppAccountToken(
                        token, originalTransaction: $0.silver, bundleID: World.bundleID,
                        in: .sandbox)
                },
                Case("signed out", .request(.signedOut)) {
                    _ = try await $0.world.store.device(token: "nobody's", in: .production)
                },
            ])
    }

    @Test("A change of an expired subscription's renewal is refused", arguments: Backend.available)
    func expired(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.store.end(subscription: id)
        let before = try await Tables(world.database)
        for isOn in [true, false] {
            await #expect(throws: StoreError.refused(.notActive)) {
                try await world.store.change(subscription: id, [.renewal(isOn: isOn)], by: ada)
            }
        }
        #expect(try await Tables(world.database) == before)
    }
}

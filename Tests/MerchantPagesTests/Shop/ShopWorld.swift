import AppStoreSigning
import AppStoreWire
import HTTPTypes
import HummingbirdTesting
import Logging
import Merchant
import MerchantHTTP
import MerchantPages
import Storage
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestPages
import TestSupport
import Testing

/// A store, and a merchant's server with the shop and the demonstration in front of it.
struct ShopWorld: Sendable {
    let world: World
    let server: MerchantServer
    let access: ShopAccess
    let beside: TestedStore
    let demo: DemoAccess
    /// The merchant's.
    let database: any Database

    static let token = "operator-0123456789abcdef"
    static let app = "app-0123456789abcdef"

    init(
        _ backend: Backend = .sqlite, letsAnybodySignIn: Bool = true,
        setUp: @Sendable (inout AppSetup) -> Void = { _ in }
    ) async throws {
        let world = try await World(backend, isListening: false)
        self.world = world
        let database = try await backend.borrowDatabase(for: .merchant)
        self.database = database
        var setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID,
            rootDER: [World.chain.rootDER])
        setUp(&setup)
        let merchant = try await Merchant(
            database: database, apps: [setup],
            time: { try await world.store.clockReading().now }, log: Logger(label: "test"))
        var server = MerchantServer(
            merchant: merchant,
            tokens: TokenBook(
                MerchantServer.Tokens(
                    theOperator: Self.token,
                    apps: [World.bundleID: .init(app: Self.app, server: "server-0123456789")])),
            processesFirst: true, uptime: { .zero }, log: Logger(label: "test"))
        access = ShopAccess(secret: Self.token, letsAnybodySignIn: letsAnybodySignIn)
        beside = TestedStore(world)
        demo = DemoAccess(operatorToken: Self.token)
        server.show(Demo(demo, shop: Shop(access, store: beside), host: beside))
        self.server = server
    }

    /// Looks at the server without a network.
    func with(_ body: @escaping @Sendable (Browser) async throws -> Void) async throws {
        try await server.application(port: 0).test(.router) { http in
            let usual: HTTPFields = [.accept: "text/html", .acceptLanguage: "en-US"]
            try await body(Browser(http: http, root: "/shop", usual: usual))
        }
    }

    /// The same, as a customer who is signed in already.
    func signedIn(
        as account: String = "ada", _ body: @escaping @Sendable (Browser) async throws -> Void
    ) async throws {
        try await with { shopper in
            let sight = try await shopper.post(
                "/shop/sign-in", [("app", World.bundleID), ("account", account)])
            #expect(sight.status == 303)
            try await body(shopper)
        }
    }

    /// Buys at the store; the merchant hears nothing of it.
    func buy(_ product: String, _ account: String = "ada") async throws {
        let signed = try await world.store.purchase(
            PurchaseRequest(productID: product), by: try await world.device(account))
        beside.put(try #require(signed))
    }
}

/// A store as the shop asks it, with what a test says.
final class TestedStore: DemoHost {
    private let world: World
    private let state = Mutex(State())

    private struct State {
        var signed: [String] = []
        var home = ShopHome(storefront: "USA", locale: "en_US")
        var advances: [Instant] = []
    }

    init(_ world: World) { self.world = world }

    func put(_ signed: String) { state.withLock { $0.signed.append(signed) } }
    func set(_ home: ShopHome) { state.withLock { $0.home = home } }
    var advances: [Instant] { state.withLock { $0.advances } }

    func home(of account: String) async throws -> ShopHome { state.withLock { $0.home } }

    func goods(
        of bundleID: String, for home: ShopHome, language: String
    ) async throws -> ShopGoods {
        ShopGoods(try JSONValue(parsing: Array(Self.products.utf8)), app: "Garden")
    }

    func signedTransactions(of account: String, in bundleID: String) async throws -> [String] {
        state.withLock { $0.signed }
    }

    func origin(reachedBy authority: String?) -> String { "http://127.0.0.1:8080" }
    func customers(_ most: Int) async throws -> [String] { ["ada"] }
    func now() async throws -> Instant { try await world.store.clockReading().now }

    func advance(to moment: Instant) async throws {
        state.withLock { $0.advances.append(moment) }
        _ = try await world.store.advance(to: moment)
    }

    func cookies(
        for account: String, in bundleID: String, machineTime: Instant
    ) -> [String] { ["perennial-account=\(account)"] }

    private static let products = #"""
        {"storefront":"USA","currency":"USD","canMakePayments":true,
        "privacyPolicyUrl":"https://example.com/privacy",
        "licenceAgreement":"javascript:alert(1)",
        "products":[
        {"id":"generic.monthly","type":"Auto-Renewable Subscription","displayName":"Generic",
        "description":"","price":0,"currency":"USD","isGeneric":true,
        "subscription":{"groupId":"club","groupDisplayName":"Garden Club","level":3,
        "period":"P1M"}},
        {"id":"silver.monthly","type":"Auto-Renewable Subscription","displayName":"Silver",
        "description":"Ten plants each month.","price":9990,"currency":"USD",
        "familyShareable":true,"subscription":{"groupId":"club","groupDisplayName":"Garden Club",
        "level":1,"period":"P1M","introductoryOffer":
        {"mode":"FREE_TRIAL","period":"P1W","periodCount":1,"price":0}}},
        {"id":"silver.yearly","type":"Auto-Renewable Subscription","displayName":"Silver Year",
        "description":"Ten plants each month.","price":99990,"currency":"USD",
        "familyShareable":false,"subscription":{"groupId":"club","level":1,"period":"P1Y"}},
        {"id":"news.monthly","type":"Auto-Renewable Subscription","displayName":"<b>News</b>",
        "description":"A letter each week.","price":4990,"currency":"USD",
        "familyShareable":false,"subscription":{"groupId":"news","level":1,"period":"P1M",
        "introductoryOffer":
        {"mode":"PAY_AS_YOU_GO","period":"P1M","periodCount":3,"price":990}}},
        {"id":"coins","type":"Consumable","displayName":"Coins","description":"","price":990,
        "currency":"USD","familyShareable":false},
        {"id":"lifetime","type":"Non-Consumable","displayName":"For Life",
        "description":"Everything.","price":49990,"currency":"USD","familyShareable":false},
        {"id":"season","type":"Non-Renewing Subscription","displayName":"Season",
        "description":"A summer.","price":14990,"currency":"USD","familyShareable":false}]}
        """#
}

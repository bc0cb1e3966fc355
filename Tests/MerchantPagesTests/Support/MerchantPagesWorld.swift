import AppStoreSigning
import AppStoreWire
import Hummingbird
import HummingbirdTesting
import Logging
import Merchant
import MerchantHTTP
import MerchantPages
import Store
import TestFloor
import TestPages
import TestSupport

/// A store, and a merchant with its pages that knows nothing yet.
struct MerchantPagesWorld: Sendable {
    let world: World
    let server: MerchantServer
    let book: TokenBook
    private let database: FaultyDatabase

    static let theOperator = "operator-0123456789"
    static let app = "app-0123456789"
    static let developer = "server-0123456789"

    static func tokens(_ theOperator: String = Self.theOperator) -> MerchantServer.Tokens {
        MerchantServer.Tokens(
            theOperator: theOperator, apps: [World.bundleID: .init(app: app, server: developer)])
    }

    init(_ backend: Backend = .sqlite) async throws {
        let world = try await World(backend)
        self.world = world
        database = FaultyDatabase(try await backend.borrowDatabase(for: .merchant))
        let merchant = try await Merchant(
            database: database,
            apps: [
                try AppSetup(
                    bundleID: World.bundleID, appAppleID: World.appleID,
                    rootDER: [World.chain.rootDER])
            ],
            time: { try await world.store.clockReading().now }, log: Logger(label: "test"))
        book = TokenBook(Self.tokens())
        var server = MerchantServer(
            merchant: merchant, tokens: book, processesFirst: true, uptime: { .zero },
            log: Logger(label: "test"))
        server.showConsole()
        self.server = server
    }

    /// Looks at the pages without a network.
    func with(_ body: @escaping @Sendable (Browser) async throws -> Void) async throws {
        try await server.application(port: 0).test(.router) { http in
            try await body(Browser(http: http, root: "/console"))
        }
    }

    /// The same, signed in.
    func signedIn(
        _ body: @escaping @Sendable (Browser) async throws -> Void
    ) async throws {
        try await with { browser in
            try await browser.signIn()
            try await body(browser)
        }
    }

    /// What the merchant has stored.
    func tables() async throws -> Tables {
        try await Tables(
            database,
            named: [
                "inbox", "account", "purchase", "transaction_register", "binding", "campaign",
                "campaign_plan", "audit_entry",
            ])
    }

    /// Buys something at the store, and sends it to the merchant as the app does.
    ///
    /// - Parameter account: the app's name for the customer; the store knows another.
    func buy(
        _ product: String, _ browser: Browser, as account: String = "ada"
    ) async throws {
        let signed = try await world.store.purchase(
            PurchaseRequest(productID: product), by: try await world.device("ada"))
        var json = JSONWriter()
        json.object { json in
            json.field("account", account)
            json.field("signedTransaction", signed)
        }
        let reply = try await browser.call(
            .post, "/v1/apps/\(World.bundleID)/transactions",
            String(decoding: json.bytes, as: UTF8.self), token: Self.app)
        precondition(reply.status == 200, reply.text)
    }

    /// Posts what the store has sent since the last time.
    func deliver(_ browser: Browser) async throws {
        try await world.store.settle()
        for arrival in world.listener.takeArrivals() {
            let body = ResponseBodyV2(signedPayload: arrival.signedPayload).jsonBytes()
            _ = try await browser.call(
                .post, "/apple/v2/\(World.bundleID)", String(decoding: body, as: UTF8.self),
                token: nil)
        }
    }
}

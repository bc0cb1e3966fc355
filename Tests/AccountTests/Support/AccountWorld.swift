import Account
import AppStoreSigning
import AppStoreWire
import HummingbirdTesting
import Logging
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

/// A world with its two servers in front of it, and customers' pages at both.
struct AccountWorld: Sendable {
    let world: World
    let server: StoreServer
    /// The machine's clock, which stands still until a test moves it.
    let machine: ManualClock

    static let operatorToken = "operator-0123456789abcdef"

    init(
        _ backend: Backend = .sqlite, at start: String = "2026-01-01T12:00:00Z",
        catalogue: Catalogue = SampleCatalogue.all, letsAnybodySignIn: Bool = true
    ) async throws {
        self.init(
            try await World(
                backend, at: start, catalogue: catalogue, isListening: false),
            letsAnybodySignIn: letsAnybodySignIn)
    }

    /// Puts servers in front of a world.
    init(_ world: World, letsAnybodySignIn: Bool = true) {
        self.world = world
        let machine = ManualClock(World.instant("2026-03-01T12:00:00Z"))
        self.machine = machine
        var server = StoreServer(
            store: world.store, tokenVerifier: RequestTokenVerifier(keys: [:], issuerID: "nobody"),
            operatorToken: Self.operatorToken, machineTime: { machine.now }, wait: { _ in },
            uptime: { .zero }, log: Logger(label: "test"))
        server.showAccount(secret: Self.operatorToken, letsAnybodySignIn: letsAnybodySignIn)
        self.server = server
    }

    /// Looks at one environment's server without a network.
    func with<T: Sendable>(
        _ environment: StoreEnvironment = .production,
        _ body: @escaping @Sendable (Browser) async throws -> T
    ) async throws -> T {
        try await server.application(for: environment, port: 0).test(.router) { http in
            try await body(Browser(http: http, root: "/account"))
        }
    }

    /// The same, as a customer who is signed in already.
    func signedIn<T: Sendable>(
        as account: String = "ada", _ environment: StoreEnvironment = .production,
        _ body: @escaping @Sendable (Browser) async throws -> T
    ) async throws -> T {
        try await with(environment) { browser in
            try await browser.signIn(account)
            return try await body(browser)
        }
    }

    /// Everything that the database holds.
    func tables() async throws -> Tables { try await Tables(world.database) }

    /// The tables that were changed.
    func changes(since before: Tables) async throws -> [String] {
        try await tables().differences(from: before)
    }

    /// A customer who has bought a subscription, and its identifier.
    @discardableResult
    func subscribe(
        _ account: String = "ada", to product: String = "silver.monthly",
        in environment: StoreEnvironment = .production
    ) async throws -> String {
        let device = try await world.device(account, in: environment)
        let signed = try #require(
            try await world.store.purchase(PurchaseRequest(productID: product), by: device))
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return transaction.originalTransactionId
    }

    /// Moves the store's clock.
    func advance(to moment: String) async throws {
        _ = try await world.store.advance(to: World.instant(moment))
    }
}

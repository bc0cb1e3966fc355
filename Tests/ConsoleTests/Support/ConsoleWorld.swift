import AppStoreForgery
import AppStoreSigning
import AppStoreWire
import Console
import HTTPTypes
import HummingbirdTesting
import Letters
import Logging
import Mail
import Mails
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

/// A world with its two servers in front of it, and the console at both.
struct ConsoleWorld: Sendable {
    let world: World
    let server: StoreServer
    /// The machine's clock, which stands still until a test moves it.
    let machine: ManualClock
    let access: ConsoleAccess

    static let operatorToken = "operator-0123456789abcdef"

    private static let forger: Forger = {
        var chance = SeededGenerator(seed: 1)
        return Forger(chain: World.chain, key: APIKey.generate(using: &chance))
    }()

    init(
        _ backend: Backend = .sqlite, isListening: Bool = true,
        mode: StoreClock.Mode = .frozen, options: StoreServer.Options = StoreServer.Options(),
        writer: any LetterWriter = MailWriter()
    ) async throws {
        let sender = try #require(EmailAddress("store@shop.example"))
        self.init(
            try await World(
                backend, isListening: isListening, mode: mode,
                mailroom: Mailroom(writer: writer, sender: sender)), options: options)
    }

    /// Puts servers in front of a world.
    init(_ world: World, options: StoreServer.Options = StoreServer.Options()) {
        self.world = world
        let machine = ManualClock(World.instant("2026-03-01T12:00:00Z"))
        self.machine = machine
        access = ConsoleAccess(operatorToken: Self.operatorToken)
        var server = StoreServer(
            store: world.store, tokenVerifier: RequestTokenVerifier(keys: [:], issuerID: "nobody"),
            operatorToken: Self.operatorToken, options: options, machineTime: { machine.now },
            wait: { _ in }, uptime: { .zero }, forks: nil, forger: Self.forger,
            log: Logger(label: "test"))
        // However slow the machine is, an answer says what came of it.
        server.pages = Console(access, patience: .seconds(7200)).endpoints
        self.server = server
    }

    /// Looks at one environment's server without a network.
    func with<T: Sendable>(
        _ environment: StoreEnvironment = .production,
        _ body: @escaping @Sendable (Browser) async throws -> T
    ) async throws -> T {
        try await server.application(for: environment, port: 0).test(.router) { http in
            try await body(Browser(http: http, root: "/console"))
        }
    }

    /// The same, signed in already.
    func signedIn<T: Sendable>(
        _ environment: StoreEnvironment = .production,
        _ body: @escaping @Sendable (Browser) async throws -> T
    ) async throws -> T {
        try await with(environment) { browser in
            try await browser.signIn()
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
}

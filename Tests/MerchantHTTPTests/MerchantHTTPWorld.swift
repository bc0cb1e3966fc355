import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Merchant
import MerchantHTTP
import NIOCore
import Store
import TestFloor
import TestSupport

/// A store, and a merchant's server that knows nothing yet.
struct MerchantHTTPWorld: Sendable {
    let world: World
    /// The merchant's.
    let database: FaultyDatabase
    let server: MerchantServer

    static let app = "app-0123456789"
    static let developer = "server-0123456789"
    static let theOperator = "operator-0123456789"

    /// Another app's, which is served by nobody here.
    static let otherApp = "app-of-another-app"
    static let otherDeveloper = "server-of-another-app"

    /// The tokens above.
    static let tokens = MerchantServer.Tokens(
        theOperator: theOperator,
        apps: [
            World.bundleID: .init(app: app, server: developer),
            "com.example.another": .init(app: otherApp, server: otherDeveloper),
        ])

    static let secret = "0123456789abcdef0123456789abcdef"

    /// - Parameters:
    ///   - takesReceipts: whether the store's receipts are trusted too.
    ///   - setUp: changes what the app is.
    init(
        _ backend: Backend, processesFirst: Bool = true, limits: RequestLimits = RequestLimits(),
        book: TokenBook = TokenBook(MerchantHTTPWorld.tokens), takesReceipts: Bool = false,
        setUp: @Sendable (inout AppSetup) -> Void = { _ in }
    ) async throws {
        let world = try await World(backend)
        self.world = world
        database = FaultyDatabase(try await backend.borrowDatabase(for: .merchant))
        let receiptRoots = takesReceipts ? [World.receiptChain.rootDER] : []
        var setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID,
            rootDER: [World.chain.rootDER] + receiptRoots)
        setUp(&setup)
        let merchant = try await Merchant(
            database: database, apps: [setup],
            time: { try await world.store.clockReading().now }, log: Logger(label: "test"))
        server = MerchantServer(
            merchant: merchant, tokens: book, limits: limits,
            processesFirst: processesFirst, uptime: { .zero }, log: Logger(label: "test"))
    }

    /// Calls the server without a network.
    func with(_ body: @escaping @Sendable (Client) async throws -> Void) async throws {
        try await server.application(port: 0).test(.router) { http in
            try await body(Client(http: http, world: self))
        }
    }

    /// What the merchant has stored.
    func tables(besides: Set<String> = []) async throws -> Tables {
        let all: Set = [
            "inbox", "account", "account_token", "purchase", "transaction_register",
            "renewal_register", "binding", "account_transfer", "account_alias",
        ]
        return try await Tables(database, named: Array(all.subtracting(besides)))
    }

    /// Buys something at the store.
    ///
    /// - Returns: the signed transaction.
    func buy(_ product: String, _ account: String = "ada") async throws -> String? {
        try await world.store.purchase(
            PurchaseRequest(productID: product), by: try await world.device(account))
    }
}

/// Somebody who calls the server.
struct Client: Sendable {
    let http: any TestClientProtocol
    let world: MerchantHTTPWorld

    static let path = "/v1/apps/\(World.bundleID)"
    static let apple = "/apple/v2/\(World.bundleID)"

    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil,
        token: String? = nil, _ fields: HTTPFields = [:]
    ) async throws -> Reply {
        var fields = fields
        fields[.authorization] = token.map { "Bearer \($0)" }
        if body != nil { fields[.contentType] = "application/json" }
        let response = try await http.executeRequest(
            uri: uri, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        return Reply(
            status: response.status.code, fields: response.headers,
            body: Array(response.body.readableBytesView))
    }

    /// Sends what the app has got from StoreKit.
    func post(
        _ transaction: String, as account: String = "ada", restoring: Bool? = nil
    ) async throws -> Reply {
        var json = JSONWriter()
        json.object { json in
            json.field("account", account)
            json.field("signedTransaction", transaction)
            json.field("restore", restoring)
        }
        return try await send(
            .post, "\(Self.path)/transactions", String(decoding: json.bytes, as: UTF8.self),
            token: MerchantHTTPWorld.app)
    }

    /// Posts a notification as the store does.
    func notify(_ signedPayload: String) async throws -> Reply {
        let body = ResponseBodyV2(signedPayload: signedPayload).jsonBytes()
        return try await send(.post, Self.apple, String(decoding: body, as: UTF8.self))
    }

    /// Posts what the store has sent since the last time.
    ///
    /// - Returns: what came of each.
    @discardableResult
    func deliver() async throws -> [String] {
        try await world.world.store.settle()
        var results: [String] = []
        for arrival in world.world.listener.takeArrivals() {
            results.append(try await notify(arrival.signedPayload).summary)
        }
        return results
    }

    /// Moves the store's clock, and posts what that brings.
    func advance(to moment: String) async throws {
        _ = try await world.world.store.advance(to: World.instant(moment))
        try await deliver()
    }

    /// What an account has.
    func customer(
        _ account: String = "ada", unless tag: String? = nil
    ) async throws -> Reply {
        var fields = HTTPFields()
        fields[.ifNoneMatch] = tag
        return try await send(
            .get, "\(Self.path)/accounts/\(account)", token: MerchantHTTPWorld.app, fields)
    }
}

/// What came back.
struct Reply: Sendable {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// A member of the body; nil where that is no object.
    subscript(member: String) -> JSONValue? { (try? JSONValue(parsing: body))?[member] }

    /// The status, and what came of a notification or why something was refused.
    var summary: String {
        "\(status) \(self["result"]?.string ?? self["error"]?.string ?? "")"
    }

    /// An entitlement a line: `club active until 2026-02-01T00:00:00Z`.
    var entitlements: [String] {
        (self["entitlements"]?.array ?? []).map { one in
            let until = one["until"]?.string.map { " until \($0)" } ?? ""
            let reason = one["reason"]?.string ?? ""
            return "\(one["id"]?.string ?? "") \(reason)\(until)"
        }
    }
}

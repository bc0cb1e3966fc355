import AppStoreForgery
import AppStoreSigning
import AppStoreWire
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Store
import StoreHTTP
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

/// Numbers that only make the key's identifiers; its secret comes from the system.
private struct CountingGenerator: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}

/// A world with its two servers in front of it.
struct HTTPWorld: Sendable {
    let world: World
    let server: StoreServer
    /// The machine's clock, which stands still until a test moves it.
    let machine: Machine

    static let operatorToken = "operator-0123456789abcdef"
    static let key = makeKey()

    /// A key with the same identifiers as every other, and a secret of its own.
    static func makeKey() -> APIKey {
        var generator = CountingGenerator()
        return APIKey.generate(using: &generator)
    }

    /// A clock of the machine that a test moves.
    final class Machine: Sendable {
        private let value = Mutex(World.instant("2026-03-01T12:00:00Z"))
        var now: Instant {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
        /// How long calls were held up, in order; nobody really waits.
        let waits = Mutex<[Duration]>([])
        /// What happens while a call waits.
        let meanwhile = Mutex<(@Sendable () async -> Void)?>(nil)
        /// How long the process has been running; it stands still as well.
        let uptime = Mutex(Duration.zero)
    }

    init(
        _ backend: Backend = .sqlite, at start: String = "2026-01-01T00:00:00Z",
        catalogue: Catalogue = SampleCatalogue.all,
        isListening: Bool = true, options: StoreServer.Options = StoreServer.Options(),
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws {
        self.init(
            try await World(
                backend, at: start, catalogue: catalogue, isListening: isListening,
                configure: configure), options: options)
    }

    /// Puts servers in front of a world.
    init(
        _ world: World, options: StoreServer.Options = StoreServer.Options(),
        forks: (any ForkHost)? = nil,
        forger: Forger? = Forger(
            chain: World.chain, key: HTTPWorld.key, receiptChain: World.receiptChain),
        log: Logger = Logger(label: "test")
    ) {
        self.world = world
        let machine = Machine()
        self.machine = machine
        server = StoreServer(
            store: world.store,
            tokenVerifier: RequestTokenVerifier(
                keys: [HTTPWorld.key.keyID: VerificationKey(HTTPWorld.key)],
                issuerID: HTTPWorld.key.issuerID),
            operatorToken: HTTPWorld.operatorToken, options: options,
            machineTime: { machine.now },
            wait: { duration in
                machine.waits.withLock { $0.append(duration) }
                await machine.meanwhile.withLock { $0 }?()
            },
            uptime: { machine.uptime.withLock { $0 } }, forks: forks, forger: forger,
            log: log)
    }

    /// Calls one environment's server without a network.
    func with<T: Sendable>(
        _ environment: StoreEnvironment = .production, _ setup: TestingSetup = .router,
        _ body: @escaping @Sendable (Client) async throws -> T
    ) async throws -> T {
        let application = server.application(for: environment, port: 0)
        return try await application.test(setup) { http in
            try await body(Client(http: http, world: self, environment: environment))
        }
    }

    /// A request token as Apple's clients make them.
    func token(bundleID: String = World.bundleID, lifetime: Int64 = 300) throws -> String {
        try RequestToken.make(
            key: HTTPWorld.key, bundleID: bundleID,
            now: Double(machine.now.milliseconds) / 1000, lifetime: lifetime)
    }
}

/// Somebody who calls a server.
struct Client: Sendable {
    let http: any TestClientProtocol
    let world: HTTPWorld
    let environment: StoreEnvironment

    /// What is shown in the Authorization header.
    enum Credential: Sendable {
        case nothing
        case header(String)
        case bearer(String)
        /// A request token of the sample app.
        case developer
        /// A request token of an app.
        case developerOf(String)
        case operatorToken
    }

    /// Sends a request; a body of text goes out as JSON.
    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil,
        as credential: Credential = .nothing, _ fields: HTTPFields = [:]
    ) async throws -> Reply {
        try await send(
            method, uri, bytes: body.map { Array($0.utf8) }, as: credential,
            body == nil || fields[.contentType] != nil
                ? fields : fields.adding(.contentType, "application/json"))
    }

    /// Sends a request with any bytes.
    func send(
        _ method: HTTPRequest.Method, _ uri: String, bytes: [UInt8]?,
        as credential: Credential = .nothing, _ fields: HTTPFields = [:]
    ) async throws -> Reply {
        var fields = fields
        switch credential {
        case .nothing: break
        case .header(let text): fields[.authorization] = text
        case .bearer(let token): fields[.authorization] = "Bearer \(token)"
        case .developer: fields[.authorization] = "Bearer \(try world.token())"
        case .developerOf(let id):
            fields[.authorization] = "Bearer \(try world.token(bundleID: id))"
        case .operatorToken: fields[.authorization] = "Bearer \(HTTPWorld.operatorToken)"
        }
        let response = try await http.executeRequest(
            uri: uri, method: method, headers: fields, body: bytes.map { ByteBuffer(bytes: $0) })
        return Reply(
            status: response.status.code, fields: response.headers,
            body: Array(response.body.readableBytesView))
    }
}

extension HTTPFields {
    func adding(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var fields = self
        fields[name] = value
        return fields
    }
}

/// What came back.
struct Reply: Sendable {
    let status: Int
    let fields: HTTPFields
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body, if it is JSON.
    func json() throws -> JSONValue { try JSONValue(parsing: body) }

    /// A member of the body, which must be an object.
    subscript(member: String) -> JSONValue? { try? json()[member] }

    /// The error code, if the reply is an error as Apple's clients need it: the exact content type
    /// and the two members and no other.
    var apiErrorCode: Int64? {
        guard fields[.contentType] == "application/json", let members = try? json().object,
            Set(members.keys) == ["errorCode", "errorMessage"],
            members["errorMessage"]?.string?.isEmpty == false
        else { return nil }
        return members["errorCode"]?.integer
    }

    /// The code of an error of our own surfaces.
    var complaint: String? {
        guard fields[.contentType] == "application/json", let members = try? json().object,
            members["message"]?.string?.isEmpty == false
        else { return nil }
        return members["error"]?.string
    }
}

/// Expects one of Apple's errors, with the status that its number begins with.
func expect(
    _ reply: Reply, _ error: APIError, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(reply.status == error.status, "\(reply.text)", sourceLocation: sourceLocation)
    #expect(reply.apiErrorCode == error.code, "\(reply.text)", sourceLocation: sourceLocation)
}

/// Expects 4000000 with a message that names what is wrong: a member or the body.
func expectMalformed(_ reply: Reply, sourceLocation: SourceLocation = #_sourceLocation) {
    expect(reply, .generalBadRequest, sourceLocation: sourceLocation)
    let message = reply["errorMessage"]?.string ?? ""
    #expect(
        message.hasPrefix("`") || message.hasPrefix("The body is not a JSON object"),
        "\(message)", sourceLocation: sourceLocation)
}

/// Expects a status and no body, as Apple answers where it has no code.
func expectBare(
    _ reply: Reply, _ status: Int, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(reply.status == status, "\(reply.text)", sourceLocation: sourceLocation)
    #expect(reply.body.isEmpty, sourceLocation: sourceLocation)
    #expect(reply.fields[.contentType] == nil, sourceLocation: sourceLocation)
}

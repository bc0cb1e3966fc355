import AppStoreSigning
import HummingbirdTesting
import Logging
import ServerAPIClient
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Keys that stores and clients share, made once.
enum Keys {
    static let first = make(seed: 1)
    static let second = make(seed: 2)

    private static func make(seed: UInt64) -> APIKey {
        var chance = SeededGenerator(seed: seed)
        return APIKey.generate(using: &chance, issuerID: "57246542-96fe-1a63-e053-0824d011072a")
    }
}

/// The machine's clock for servers and clients; it stands still.
enum Machine {
    static let now = World.instant("2026-03-01T12:00:00Z")
}

/// A store at a port of its own, and a client that asks it.
struct ServedStore: Sendable {
    let world: World
    private let server: StoreServer

    /// - Parameter keys: what the store takes.
    init(
        _ backend: Backend = .sqlite, keys: [APIKey] = [Keys.first],
        options: StoreServer.Options = StoreServer.Options()
    ) async throws {
        world = try await World(backend)
        var known: [String: VerificationKey] = [:]
        for key in keys { known[key.keyID] = VerificationKey(key) }
        server = StoreServer(
            store: world.store,
            tokenVerifier: RequestTokenVerifier(keys: known, issuerID: Keys.first.issuerID),
            operatorToken: "operator-0123456789abcdef", options: options,
            machineTime: { Machine.now }, wait: { _ in }, uptime: { .zero },
            log: Logger(label: "test"))
    }

    /// Serves one environment while somebody asks it.
    func with(
        _ environment: StoreEnvironment = .production, keys: [APIKey] = [Keys.first],
        retries: RequestRetries = RequestRetries(),
        _ body: @escaping @Sendable (ServerAPIClient) async throws -> Void
    ) async throws {
        try await server.application(for: environment, port: 0).test(.live) { http in
            let port = try #require(http.port)
            let client = try ServerAPIClient(
                baseURL: "http://127.0.0.1:\(port)", bundleID: World.bundleID,
                key: try #require(keys.first), otherKeys: Array(keys.dropFirst()),
                limits: RequestLimits.none, retries: retries, timeout: .seconds(60),
                machineTime: { Machine.now }, wait: { _ in }, chance: { 0 })
            try await body(client)
        }
    }
}

/// Expects one of Apple's errors.
func expect(
    _ code: Int64, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("nothing was refused", sourceLocation: sourceLocation)
    } catch let error as ServerAPIError {
        #expect(error.kind == .refused, sourceLocation: sourceLocation)
        #expect(error.errorCode == code, sourceLocation: sourceLocation)
        #expect(error.status == Int(code / 10_000), sourceLocation: sourceLocation)
        #expect(error.canBeRetried == false, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}

import AppStoreSigning
import HummingbirdTesting
import Logging
import Merchant
import Store
import StoreHTTP
import TestFloor
import TestSupport
import Testing

/// The store of a world behind HTTP in both environments, for merchants that ask it.
enum ServedStore {
    private static let key = {
        var chance = SeededGenerator(seed: 1)
        return APIKey.generate(using: &chance, issuerID: "57246542-96fe-1a63-e053-0824d011072a")
    }()

    /// Serves as long as the body takes.
    static func run(
        _ world: World, _ body: @escaping @Sendable (ServerAPI) async throws -> Void
    ) async throws {
        let server = StoreServer(
            store: world.store,
            tokenVerifier: RequestTokenVerifier(
                keys: [key.keyID: VerificationKey(key)], issuerID: key.issuerID),
            operatorToken: "operator-0123456789abcdef", log: Logger(label: "test"))
        try await server.application(for: .production, port: 0).test(.live) { http in
            let production = try #require(http.port)
            try await server.application(for: .sandbox, port: 0).test(.live) { http in
                let sandbox = try #require(http.port)
                try await body(
                    ServerAPI(
                        urls: [
                            .production: "http://127.0.0.1:\(production)",
                            .sandbox: "http://127.0.0.1:\(sandbox)",
                        ], key: key))
            }
        }
    }
}

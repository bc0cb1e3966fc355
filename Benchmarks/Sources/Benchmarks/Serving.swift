import Account
import AppStoreSigning
import Console
import Hummingbird
import Logging
import Store
import StoreHTTP
import TimeAndChance

extension Fixture {
    /// What opens `/connect` of a server that is measured, and its pages.
    static let operatorToken = "bench"

    /// Runs a Production server on a free port for as long as the body takes, with everything that
    /// the program serves there.
    ///
    /// - Parameters:
    ///   - known: what opens the server API; nil for a new key.
    ///   - body: is told the port, and a token for the server API.
    static func serve<T: Sendable>(
        _ store: Store, key known: APIKey? = nil,
        _ body: @escaping @Sendable (Int, String) async throws -> T
    ) async throws -> T {
        var generator = SystemRandomNumberGenerator()
        let key = known ?? APIKey.generate(using: &generator, issuerID: nil)
        var options = StoreServer.Options()
        options.rateLimits = .none
        var opened = StoreServer(
            store: store,
            tokenVerifier: RequestTokenVerifier(
                keys: [key.keyID: VerificationKey(key)], issuerID: key.issuerID),
            operatorToken: operatorToken, options: options, log: Logger(label: "bench"))
        opened.showConsole(operatorToken: operatorToken)
        opened.showAccount(secret: operatorToken, letsAnybodySignIn: true)
        let server = opened
        let token = try RequestToken.make(
            key: key, bundleID: bundleID,
            now: Double(SystemTime.now().milliseconds) / 1000, lifetime: 3000)
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        return try await withThrowingTaskGroup { group in
            group.addTask {
                try await server.application(for: .production, port: 0) { port in
                    continuation.yield(port)
                }.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                preconditionFailure("the server did not start")
            }
            let result = try await body(port, token)
            group.cancelAll()
            return result
        }
    }
}

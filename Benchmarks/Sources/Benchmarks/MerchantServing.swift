import Hummingbird
import Logging
import Merchant
import MerchantHTTP

extension Fixture {
    /// What opens the app of a merchant's server that is measured.
    static let merchantToken = "bench-0123456789"
    /// What opens all of it, and its console.
    static let merchantOperatorToken = merchantToken + "-operator"

    /// Runs a merchant's server on a free port for as long as the body takes; nothing is processed
    /// meanwhile.
    ///
    /// - Parameters:
    ///   - showPages: puts pages on it.
    ///   - body: is told the port.
    static func serveMerchant<T: Sendable>(
        _ merchant: Merchant, showPages: (inout MerchantServer) -> Void = { _ in },
        _ body: @escaping @Sendable (Int) async throws -> T
    ) async throws -> T {
        var limits = RequestLimits()
        (limits.app, limits.server) = (nil, nil)
        var opened = MerchantServer(
            merchant: merchant,
            tokens: TokenBook(
                MerchantServer.Tokens(
                    theOperator: merchantOperatorToken,
                    apps: [bundleID: .init(app: merchantToken, server: merchantToken + "-server")]
                )), limits: limits, log: Logger(label: "bench"))
        showPages(&opened)
        let server = opened
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        return try await withThrowingTaskGroup { group in
            group.addTask {
                try await server.application(port: 0) { port in
                    continuation.yield(port)
                }.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                preconditionFailure("the server did not start")
            }
            let result = try await body(port)
            group.cancelAll()
            return result
        }
    }
}

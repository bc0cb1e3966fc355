import AppStoreSigning
import Foundation
import Hummingbird
import Logging
import StorageSQLite
import Store
import StoreHTTP
import Synchronization
import TimeAndChance

/// Requests per second at the server API, against `/health` of the same server, which answers
/// without looking anything up.
struct RequestBenchmark {
    let subscribers: Int
    let rounds: Int
    private let requests = 20_000

    func run() async throws -> [Result] {
        try await Fixture.withFolder { folder in
            let chain = try Fixture.chain()
            let database = try SQLiteDatabase(path: folder + "/store.sqlite")
            let store = try await Fixture.store(database, chain: chain)
            progress("  \(subscribers) subscribers sign up …")
            try await Fixture.fill(store, subscribers: subscribers)
            let ids = try await database.read { session in
                try session.rows("SELECT id FROM subscription ORDER BY id")
                    .map { try $0.integer(0) }
            }
            return try await serve(store) { port, token in
                try await measure(port: port, token: token, ids: ids)
            }
        }
    }

    private func measure(port: Int, token: String, ids: [Int64]) async throws -> [Result] {
        var rates: [Target: [Double]] = [:]
        for round in 1...rounds {
            progress("  round \(round): requests …")
            for target in Target.allCases {
                let load = Load(port: port, connections: 16, total: requests) { index in
                    // Spread over all subscribers, so that no cache of pages helps.
                    let id = ids[(index &* 7919) % ids.count]
                    return "GET \(target.path(id)) HTTP/1.1\r\nHost: localhost\r\n"
                        + "Authorization: Bearer \(token)\r\n\r\n"
                }
                rates[target, default: []].append(try await load.run())
            }
        }
        return [Target.info, .statuses].map { target in
            Result(
                name: "\(target.rawValue) requests", rate: median(rates[target] ?? []),
                limitName: "an empty route", limit: median(rates[.empty] ?? []))
        }
    }

    private enum Target: String, CaseIterable {
        case empty
        case info = "transaction info"
        case statuses = "subscription statuses"

        func path(_ id: Int64) -> String {
            switch self {
            case .empty: "/health"
            case .info: "/inApps/v1/transactions/\(id)"
            case .statuses: "/inApps/v1/subscriptions/\(id)"
            }
        }
    }

    /// Runs a Production server on a free port for as long as the body takes.
    private func serve<T: Sendable>(
        _ store: Store, _ body: @escaping @Sendable (Int, String) async throws -> T
    ) async throws -> T {
        var generator = SystemRandomNumberGenerator()
        let key = try APIKey.generate(using: &generator, issuerID: nil)
        var options = StoreServer.Options()
        options.rateLimits = .none
        let server = StoreServer(
            store: store,
            tokenVerifier: RequestTokenVerifier(
                keys: [key.keyID: key.publicKey], issuerID: key.issuerID),
            operatorToken: "bench", options: options, log: Logger(label: "bench"))
        let token = try RequestToken.make(
            key: key, bundleID: Fixture.bundleID,
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

import ArgumentParser
import Foundation
import Storage
import StoragePostgres
import StorageSQLite
import Store
import SubscriptionRules

/// Requests a second at the server API, and how long they wait, against a bound of the same round:
/// a route of the same server that looks nothing up, and the raw signatures that the answer needs.
///
/// The client is in the same process and takes its share of the same processors, in the bound too.
struct RequestBenchmark {
    let subscribers: Int
    let rounds: Int
    let questions: [Question]
    /// How many requests of a kind are made in each round.
    let calls: Int
    /// Of a PostgreSQL database that is measured as well.
    let databaseURL: String?

    /// What is asked.
    enum Question: String, CaseIterable, ExpressibleByArgument {
        case info, statuses, history

        var name: String {
            switch self {
            case .info: "transaction info"
            case .statuses: "subscription statuses"
            case .history: "transaction history"
            }
        }

        func path(_ id: Int64) -> String {
            switch self {
            case .info: "/inApps/v1/transactions/\(id)"
            case .statuses: "/inApps/v1/subscriptions/\(id)"
            case .history: "/inApps/v2/history/\(id)"
            }
        }

        /// How many signatures an answer needs.
        ///
        /// - Parameter transactions: how many a customer has.
        func signatures(_ transactions: Int) -> Int {
            switch self {
            case .info: 1
            case .statuses: 2
            case .history: transactions
            }
        }
    }

    private static let connections = 16
    /// A purchase and the renewals of two months.
    private static let transactions = 3

    func run() async throws -> [RequestFigure] {
        var figures = try await Fixture.withFolder { folder in
            try await measure(try SQLiteDatabase(path: folder + "/store.sqlite"), "SQLite")
        }
        guard let databaseURL else { return figures }
        let server = try PostgresDatabase(url: databaseURL, connections: 1)
        let place = try await Fixture.freshSchema(in: server, at: databaseURL)
        await server.close()
        figures += try await measure(try PostgresDatabase(url: place), "PostgreSQL")
        return figures
    }

    private func measure(_ database: any Database, _ name: String) async throws -> [RequestFigure] {
        let store = try await Fixture.store(database, chain: Fixture.chain())
        progress("  \(subscribers) subscribers on \(name) …")
        let first = min(subscribers, 1000)
        try await Fixture.fill(store, subscribers: first)
        _ = try await store.advance(by: CalendarStep(iso8601: "P2M")!)
        try await Fixture.multiply(in: database, by: subscribers / first)
        // As the databases do by and by; without it PostgreSQL takes a table for an empty one.
        try await database.write { _ = try $0.execute("ANALYZE") }
        let ids = try await database.read { session in
            try session.rows("SELECT id FROM subscription ORDER BY id").map { try $0.integer(0) }
        }
        let figures = try await Fixture.serve(store) { port, token in
            try await measure(Client(port: port, token: token, ids: ids, calls: calls), name)
        }
        await database.close()
        return figures
    }

    private func measure(_ client: Client, _ name: String) async throws -> [RequestFigure] {
        var empties: [RequestFigure.Round] = []
        var answers: [Question: [RequestFigure.Round]] = [:]
        for round in 1...rounds {
            progress("  round \(round): requests …")
            let signatures = SignatureBenchmark.rateOfAllProcessors()
            let empty = try await client.load { _ in "/health" }
            empties.append(RequestFigure.Round(outcome: empty, bound: empty.rate))
            for question in questions {
                let outcome = try await client.load(question.path)
                let count = Double(question.signatures(Self.transactions))
                answers[question, default: []].append(
                    RequestFigure.Round(
                        outcome: outcome, bound: 1 / (1 / empty.rate + count / signatures)))
            }
        }
        return [RequestFigure("an empty route beside \(name)", empties)]
            + questions.map { RequestFigure("\($0.name) on \(name)", answers[$0] ?? []) }
    }

    /// Who asks.
    private struct Client {
        let port: Int
        let token: String
        /// Of all subscriptions, and so of their first transactions.
        let ids: [Int64]
        let calls: Int

        func load(_ path: @escaping @Sendable (Int64) -> String) async throws -> Load.Outcome {
            try await Load(
                port: port, connections: RequestBenchmark.connections, total: calls
            ) { [token, ids] index in
                // Spread over all subscribers, so that no cache of pages helps.
                "GET \(path(ids[(index &* 7919) % ids.count])) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Authorization: Bearer \(token)\r\n\r\n"
            }.run()
        }
    }
}

/// How many requests of a kind were answered a second, how long they waited, and how near that is
/// to the bound.
struct RequestFigure: Figure, Sendable {
    /// One round's requests and bound, both a second.
    struct Round: Sendable {
        let outcome: Load.Outcome
        let bound: Double
    }

    private let name: String
    private let rate: Double
    private let bound: Double
    /// Each round against its own bound, since the machine's speed drifts.
    private let percents: [Double]
    /// Within which half of them, and 99 of a hundred, were answered, in milliseconds.
    private let waits: (half: Double, most: Double)
    private let processorTime: Double
    private let switches: Double

    init(_ name: String, _ rounds: [Round]) {
        self.name = name
        rate = median(rounds.map(\.outcome.rate))
        bound = median(rounds.map(\.bound))
        percents = rounds.map { $0.outcome.rate / $0.bound * 100 }.sorted()
        waits = (
            median(rounds.map { $0.outcome.wait(of: 0.5) }),
            median(rounds.map { $0.outcome.wait(of: 0.99) })
        )
        processorTime = median(rounds.map(\.outcome.processorTime))
        switches = median(rounds.map(\.outcome.switches))
    }

    private var percent: Int { Int(median(percents).rounded()) }
    private var spread: (least: Int, most: Int) {
        (Int((percents.first ?? 0).rounded()), Int((percents.last ?? 0).rounded()))
    }

    var line: String {
        "\(name): \(Int(rate)) a second, \(percent) % (\(spread.least) to \(spread.most)) of the "
            + "bound (\(Int(bound)) a second); half within \(text(waits.half)) ms, "
            + "99 % within \(text(waits.most)) ms; \(text(processorTime)) µs of the processors "
            + "and \(text(switches)) thread switches each"
    }

    var json: String {
        "{\"name\":\"\(name)\",\"perSecond\":\(Int(rate)),\"boundPerSecond\":\(Int(bound)),"
            + "\"percent\":\(percent),\"leastPercent\":\(spread.least),"
            + "\"mostPercent\":\(spread.most),\"p50Milliseconds\":\(text(waits.half)),"
            + "\"p99Milliseconds\":\(text(waits.most)),"
            + "\"processorMicroseconds\":\(text(processorTime)),"
            + "\"threadSwitches\":\(text(switches))}"
    }

    private func text(_ number: Double) -> String { String(format: "%.2f", number) }
}

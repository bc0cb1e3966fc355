import Console
import Storage
import StoragePostgres
import StorageSQLite
import Store
import SubscriptionRules
import Timeline

/// Pages of the console and of customers a second, and how long they wait, beside an empty route of
/// the same server in the same round; and how long a life is drawn in which very much happened.
///
/// The client is in the same process and takes its share of the same processors.
struct PageBenchmark {
    let subscribers: Int
    let rounds: Int
    /// How many pages of a kind are asked for in each round, and how many empty routes ten times.
    let calls: Int
    /// Of a PostgreSQL database that is measured as well.
    let databaseURL: String?

    /// What is looked at.
    private enum Sight: CaseIterable {
        case overview, customers, accounts, transaction, customer, subscription

        var name: String {
            switch self {
            case .overview: "the overview"
            case .customers: "the list of customers"
            case .accounts: "a search that finds fifty accounts"
            case .transaction: "a search that finds a transaction"
            case .customer: "a customer's page"
            case .subscription: "a subscription's page"
            }
        }

        func path(_ one: Subscriber) -> String {
            switch self {
            case .overview: "/console"
            case .customers: "/console/customers"
            case .accounts: "/console/customers?q=\(one.original)"
            case .transaction: "/console/customers?q=\(one.transaction)"
            case .customer: "/console/customers/\(one.account)"
            case .subscription: "/console/subscriptions/\(one.subscription)"
            }
        }
    }

    /// Whose pages are looked at.
    private struct Subscriber: Sendable {
        let account: String
        let subscription: Int64
        /// The newest transaction.
        let transaction: Int64

        var customer: CustomerPages.Customer {
            CustomerPages.Customer(account: account, subscription: subscription)
        }

        /// The account that this one is a copy of, whose name all copies begin with.
        var original: String {
            account.split(separator: "-").prefix(2).joined(separator: "-")
        }
    }

    private static let connections = 16
    private static let events = 600

    func run() async throws -> [any Figure] {
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

    private func measure(_ database: any Database, _ name: String) async throws -> [any Figure] {
        let store = try await Fixture.store(database, chain: Fixture.chain(), post: Everything())
        progress("  a life of \(Self.events) events on \(name) …")
        let life = try await LongLife(store: store, events: Self.events).play()
        progress("  \(subscribers) subscribers on \(name) …")
        let visited = try await fill(store, in: database)
        let figures = try await Fixture.serve(store) { port, _ in
            let visit = Visit(
                port: port,
                cookie: PageSession.begin(
                    at: "/console/sign-in", ["token": Fixture.operatorToken], port: port))
            return (
                console: try await measure(visit, visited, name),
                account: try await CustomerPages(port: port, rounds: rounds, calls: calls)
                    .measure(visited.map(\.customer), name),
                life: try await measure(life, visit, name)
            )
        }
        await database.close()
        var all: [any Figure] = figures.console
        all += figures.account
        all.append(figures.life)
        return all
    }

    /// Makes the crowd, with everything that pages show of it.
    private func fill(_ store: Store, in database: any Database) async throws -> [Subscriber] {
        let last = try await database.read { session in
            try session.row("SELECT MAX(sequence) FROM journal")?.integer(0) ?? 0
        }
        let first = min(subscribers, 1000)
        try await Fixture.fill(store, subscribers: first, from: try await store.now())
        _ = try await store.advance(by: CalendarStep(iso8601: "P2M")!)
        // Twice the price: customers are asked, and have a sheet to look at.
        try await store.schedule(
            PriceOrder(
                productID: "club.monthly", storefront: Storefront(code: "USA")!, price: 19_990,
                existing: .apply),
            bundleID: Fixture.bundleID)
        _ = try await store.advance(by: CalendarStep(iso8601: "P10D")!)
        try await Fixture.multiply(
            in: database, by: subscribers / first, after: last, withHistory: true)
        // As the databases do by and by; without it PostgreSQL takes a table for an empty one.
        try await database.write { _ = try $0.execute("ANALYZE") }
        return try await database.read { session in
            try session.rows(
                """
                SELECT c.account, s.id, s.term_transaction
                FROM subscription s JOIN customer c ON c.id = s.customer
                WHERE s.next_change IS NOT NULL ORDER BY s.id
                """
            ).map { row in
                Subscriber(
                    account: try row.text(0), subscription: try row.integer(1),
                    transaction: try row.integer(2))
            }
        }
    }

    /// Who looks, signed in.
    private struct Visit: Sendable {
        let port: Int
        let cookie: String

        func load(
            _ total: Int, over connections: Int = PageBenchmark.connections,
            _ path: @escaping @Sendable (Int) -> String
        ) async throws -> Load.Outcome {
            try await Load(port: port, connections: connections, total: total) { index in
                PageSession.request(path(index), cookie)
            }.run()
        }
    }

    private func measure(
        _ visit: Visit, _ visited: [Subscriber], _ name: String
    ) async throws -> [PageFigure] {
        var empties: [PageFigure.Round] = []
        var pages: [Sight: [PageFigure.Round]] = [:]
        for round in 1...max(1, rounds) {
            progress("  \(name), round \(round): pages …")
            let empty = try await visit.load(10 * calls) { _ in "/health" }
            empties.append(PageFigure.Round(outcome: empty, empty: empty.rate))
            for sight in Sight.allCases {
                let outcome = try await visit.load(calls) { index in
                    // Spread over all subscribers, so that no cache of pages helps.
                    sight.path(visited[(index &* 7919) % visited.count])
                }
                pages[sight, default: []].append(
                    PageFigure.Round(outcome: outcome, empty: empty.rate))
            }
        }
        return [PageFigure("an empty route beside \(name)", empties)]
            + Sight.allCases.map { PageFigure("\($0.name) on \(name)", pages[$0] ?? []) }
    }

    /// Draws a life alone, and asks for its page again and again, one at a time.
    private func measure(
        _ life: Life, _ visit: Visit, _ name: String
    ) async throws -> LongLifeFigure {
        progress("  \(name): a life …")
        var drawings: [Double] = []
        var bytes = 0
        for _ in 1...50 {
            let start = ContinuousClock.now
            bytes = life.drawings.reduce(0) { $0 + $1.utf8.count }
            drawings.append(start.duration(to: .now) / .milliseconds(1))
        }
        precondition(bytes > 0, "nothing was drawn")
        let page = try await visit.load(100, over: 1) { _ in "/console/subscriptions/\(life.id)" }
        return LongLifeFigure(
            name: "a life of \(life.entries.count) events on \(name)",
            drawing: median(drawings), drawingBytes: bytes, page: page)
    }
}

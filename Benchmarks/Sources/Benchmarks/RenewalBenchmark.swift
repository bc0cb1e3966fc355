import AppStoreSigning
import Foundation
import Storage
import StorageSQLite
import Store
import SubscriptionRules
import TestFloor

/// A year of monthly renewals, against plain writes of the very rows that it made and changed.
struct RenewalBenchmark {
    let subscribers: Int
    let rounds: Int

    func run() async throws -> [any Figure] {
        let chain = try Fixture.chain()
        var sweeps: [Double] = []
        var (inserts, writes): ([Double], [Double]) = ([], [])
        var statements: StatementFigure?
        for round in 1...rounds {
            try await Fixture.withFolder { folder in
                progress("  round \(round): \(subscribers) subscribers sign up …")
                let database = try SQLiteDatabase(path: folder + "/store.sqlite")
                let store = try await Fixture.store(database, chain: chain)
                try await Fixture.fill(store, subscribers: subscribers)
                let begin = try await store.clockReading().now
                let year = CalendarStep(iso8601: "P1Y")!.applied(to: begin)
                progress("  round \(round): a year passes …")
                var changes = 0
                let time = try await seconds {
                    changes = try await store.advance(to: year).changes
                }
                precondition(changes >= subscribers * 12, "only \(changes) renewals happened")
                sweeps.append(Double(changes) / time)
                progress("  round \(round): the same rows are written plainly …")
                let plain = try SQLiteDatabase(path: folder + "/plain.sqlite")
                _ = try await Fixture.store(plain, chain: chain)
                let plainly = try await copy(from: database, to: plain, count: changes)
                inserts.append(Double(changes) / plainly.inserts)
                writes.append(Double(changes) / plainly.all)
                statements = try await count(in: database, chain: chain)
                await database.close()
                await plain.close()
            }
        }
        let figures: [any Figure] = [
            Result(
                name: "renewals on SQLite", rate: median(sweeps),
                limitName: "plain writes of the same rows", limit: median(writes)),
            Result(
                name: "renewals on SQLite", rate: median(sweeps),
                limitName: "plain inserts of the same transactions and journal entries",
                limit: median(inserts)),
        ]
        guard let statements else { return figures }
        return figures + [statements]
    }

    /// Counts the statements of one more month. It is not timed, since counting takes time.
    private func count(
        in database: SQLiteDatabase, chain: CertificateChain
    ) async throws -> StatementFigure {
        let counting = CountingDatabase(database)
        let store = try await Fixture.store(counting, chain: chain)
        counting.forget()
        let changes = try await store.advance(by: CalendarStep(iso8601: "P1M")!).changes
        let all = counting.all
        return StatementFigure(
            sent: Double(all.sent) / Double(changes), runs: Double(all.runs) / Double(changes))
    }

    /// Writes the rows of the newest renewals into another database, in batches as large as the
    /// sweeper's.
    ///
    /// - Returns: the seconds that writing took, without reading: of inserting transactions and
    ///   journal entries, and of booking money and changing subscriptions besides.
    private func copy(
        from source: SQLiteDatabase, to target: SQLiteDatabase, count: Int
    ) async throws -> (inserts: Double, all: Double) {
        for table in ["customer", "subscription"] {
            _ = try await insert(table, "id", from: source, to: target)
        }
        var inserts = 0.0
        for (table, key) in [("store_transaction", "id"), ("journal", "sequence")] {
            inserts += try await insert(table, key, from: source, to: target, newest: count)
        }
        let books = try await insert("ledger", "sequence", from: source, to: target, newest: count)
        let changes = try await renew(in: target, as: source, newest: count)
        return (inserts, inserts + books + changes)
    }

    /// Inserts the newest rows of a table into another database; all where no number is given.
    ///
    /// - Returns: the seconds that inserting took.
    private func insert(
        _ table: String, _ key: String, from source: SQLiteDatabase, to target: SQLiteDatabase,
        newest count: Int? = nil
    ) async throws -> Double {
        try await batches(of: table, key, in: source, newest: count, columns: "*") { rows in
            let places = (1...rows[0].count).map { "$\($0)" }.joined(separator: ", ")
            let insert = "INSERT INTO \(table) VALUES (\(places))"
            return try await seconds {
                try await target.write { session in _ = try session.executeMany(insert, rows) }
            }
        }
    }

    /// Changes the subscription of each of the newest transactions as a renewal does, its indexed
    /// next moment included.
    ///
    /// - Returns: the seconds that it took.
    private func renew(
        in target: SQLiteDatabase, as source: SQLiteDatabase, newest count: Int
    ) async throws -> Double {
        try await batches(
            of: "store_transaction", "id", in: source, newest: count,
            columns: "id, purchased_at, expires_at, subscription"
        ) { rows in
            try await seconds {
                try await target.write { session in
                    _ = try session.executeMany(
                        """
                        UPDATE subscription SET term_transaction = $1, term_purchased_at = $2,
                            term_start = $2, term_end = $3, cycle_elapsed = cycle_elapsed + 1,
                            renewal_count = renewal_count + 1, paid_periods = paid_periods + 1,
                            next_change = $3
                        WHERE id = $4
                        """, rows)
                }
            }
        }
    }

    /// Reads the newest rows of a table in the order of their keys and does something with each
    /// batch.
    ///
    /// - Returns: what the batches came to.
    private func batches(
        of table: String, _ key: String, in source: SQLiteDatabase, newest count: Int?,
        columns: String, _ body: ([[SQLValue]]) async throws -> Double
    ) async throws -> Double {
        var total = 0.0
        var last: Int64 = 0
        if let count {
            last = try await source.read { session in
                try session.row(
                    """
                    SELECT \(raw: key) FROM \(raw: table) ORDER BY \(raw: key) DESC
                    LIMIT 1 OFFSET \(count)
                    """)?.integer(0) ?? 0
            }
        }
        while true {
            let after = last
            let rows = try await source.read { session in
                try session.rows(
                    """
                    SELECT \(raw: key), \(raw: columns) FROM \(raw: table)
                    WHERE \(raw: key) > \(after) ORDER BY \(raw: key) LIMIT 2000
                    """
                ).map(\.values)
            }
            guard let key = rows.last?[0], case .integer(let newest) = key else { break }
            last = newest
            total += try await body(rows.map { Array($0.dropFirst()) })
        }
        return total
    }
}

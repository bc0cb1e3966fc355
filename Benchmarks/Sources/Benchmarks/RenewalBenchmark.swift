import AppStoreSigning
import Foundation
import Storage
import StorageSQLite
import Store
import SubscriptionRules

/// A year of monthly renewals, against plain inserts of the very rows that it made.
struct RenewalBenchmark {
    let subscribers: Int
    let rounds: Int

    func run() async throws -> [Result] {
        let chain = try Fixture.chain()
        var sweeps: [Double] = []
        var inserts: [Double] = []
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
                progress("  round \(round): the same rows are inserted plainly …")
                let plain = try SQLiteDatabase(path: folder + "/plain.sqlite")
                _ = try await Fixture.store(plain, chain: chain)
                inserts.append(
                    Double(changes) / (try await copy(from: database, to: plain, count: changes)))
                await database.close()
                await plain.close()
            }
        }
        return [
            Result(
                name: "renewals on SQLite", rate: median(sweeps),
                limitName: "plain inserts of the same transactions and journal entries",
                limit: median(inserts))
        ]
    }

    /// Inserts the newest transactions and journal entries into another database, in batches as
    /// large as the sweeper's.
    ///
    /// - Returns: the seconds that inserting took, without reading.
    private func copy(
        from source: SQLiteDatabase, to target: SQLiteDatabase, count: Int
    ) async throws -> Double {
        var total = 0.0
        for (table, key, width) in [
            ("store_transaction", "id", 30), ("journal", "sequence", 10),
        ] {
            let places = (1...width).map { "$\($0)" }.joined(separator: ", ")
            let insert = "INSERT INTO \(table) VALUES (\(places))"
            var last: Int64 = try await source.read { session in
                try session.row(
                    """
                    SELECT \(raw: key) FROM \(raw: table) ORDER BY \(raw: key) DESC
                    LIMIT 1 OFFSET \(count)
                    """)?.integer(0) ?? 0
            }
            while true {
                let after = last
                let rows = try await source.read { session in
                    try session.rows(
                        """
                        SELECT * FROM \(raw: table) WHERE \(raw: key) > \(after)
                        ORDER BY \(raw: key) LIMIT 2000
                        """
                    ).map(\.values)
                }
                guard let key = rows.last?[0], case .integer(let newest) = key else { break }
                last = newest
                total += try await seconds {
                    try await target.write { session in _ = try session.executeMany(insert, rows) }
                }
            }
        }
        return total
    }
}

import AppStoreSigning
import Foundation
import Storage
import StorageSQLite
import Store
import SubscriptionRules

/// One order that extends every subscription of a product, against plain writes of the very rows
/// that it changed: two updates by key and one journal entry each.
struct MassExtensionBenchmark {
    let subscribers: Int

    func run() async throws -> [Result] {
        let chain = try Fixture.chain()
        return try await Fixture.withFolder { folder in
            progress("  \(subscribers) active subscriptions are made …")
            let database = try SQLiteDatabase(path: folder + "/store.sqlite")
            let store = try await Fixture.store(database, chain: chain)
            let first = min(subscribers, 1000)
            try await Fixture.fill(store, subscribers: first)
            try await Fixture.multiply(in: database, by: subscribers / first)
            progress("  all of them are extended …")
            let caller = Caller(bundleID: Fixture.bundleID, environment: .production)
            try await store.massExtend(
                MassExtensionOrder(
                    productID: "club.monthly",
                    request: try ExtensionRequest(days: 10, reasonCode: 3),
                    requestIdentifier: "0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6a"),
                for: caller)
            let time = try await seconds { _ = try await store.settle() }
            let status = try await store.massExtensionStatus(
                productID: "club.monthly",
                requestIdentifier: "0b7a2c1e-5f0d-4c9b-9d0a-1f2e3d4c5b6a", for: caller)
            let count = subscribers / first * first
            precondition(status.succeededCount == Int64(count), "not all were extended")
            progress("  \(count) subscriptions in \(Int(time.rounded())) seconds")
            progress("  the same rows are written plainly …")
            let plain = try await writePlainly(to: database)
            await database.close()
            return [
                Result(
                    name: "extensions of one mass request on SQLite", rate: Double(count) / time,
                    limitName: "plain writes of the same rows", limit: Double(count) / plain)
            ]
        }
    }

    /// Writes the newest journal entries once more, and the changed columns of their rows.
    ///
    /// - Returns: the seconds that writing took, without reading.
    private func writePlainly(to database: SQLiteDatabase) async throws -> Double {
        try await database.write { session in
            try session.execute("CREATE TABLE copy AS SELECT * FROM journal WHERE 0")
        }
        var total = 0.0
        var last: Int64 = 0
        while true {
            let after = last
            let rows = try await database.read { session in
                try session.rows(
                    """
                    SELECT j.*, s.term_end, s.term_extended, s.cycle_anchor, s.cycle_elapsed,
                        s.first_extension, s.next_change, t.modification, t.id
                    FROM journal j JOIN subscription s ON s.id = j.subscription
                    JOIN store_transaction t ON t.id = s.term_transaction
                    WHERE j.kind = 'wasExtended' AND j.sequence > \(after)
                    ORDER BY j.sequence LIMIT 1000
                    """
                ).map(\.values)
            }
            guard let newest = rows.last?[0], case .integer(let sequence) = newest else { break }
            last = sequence
            total += try await seconds {
                try await database.write { session in
                    try session.executeMany(
                        "INSERT INTO copy VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
                        rows.map { Array($0[0..<10]) })
                    try session.executeMany(
                        """
                        UPDATE subscription SET term_end = $1, term_extended = $2,
                            cycle_anchor = $3, cycle_elapsed = $4, first_extension = $5,
                            next_change = $6 + 1
                        WHERE id = $7
                        """, rows.map { Array($0[10..<16]) + [$0[5]] })
                    try session.executeMany(
                        """
                        UPDATE store_transaction SET expires_at = $1,
                            modification = $2 + 1000000000000
                        WHERE id = $3
                        """, rows.map { [$0[10], $0[16], $0[17]] })
                }
            }
        }
        return total
    }
}

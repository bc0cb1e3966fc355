import Storage
import SubscriptionRules

extension Merchant {
    /// How many bodies one transaction removes.
    private static let portion = 1000

    /// Removes the bodies of notifications that were processed, where an app keeps them for so
    /// long and no longer. What they said stays in the registers.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    public func removeOldBodies() async throws -> Int {
        var removed = 0
        for app in apps.values {
            guard let retention = app.setup.retention else { continue }
            let end = try await now() - retention
            while true {
                let count = try await database.write(.together) { session in
                    // In these words, for the index is on these.
                    try session.execute(
                        """
                        UPDATE inbox SET body = '' WHERE id IN (
                            SELECT id FROM inbox
                            WHERE app = \(app.id) AND state = 1 AND body <> ''
                                AND received_at <= \(end)
                            ORDER BY received_at LIMIT \(Self.portion))
                        """)
                }
                removed += count
                if count < Self.portion { break }
            }
        }
        return removed
    }
}

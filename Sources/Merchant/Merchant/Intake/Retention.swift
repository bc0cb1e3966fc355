import Storage
import SubscriptionRules

extension Merchant {
    /// How many notifications one transaction changes.
    private static let portion = 1000
    /// How long what was meant for others is kept.
    private static let patience = Span.days(30)

    /// Removes notifications that were set aside 30 days ago: anybody may send what is authentic
    /// and meant for another app.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    public func removeSetAside() async throws -> Int {
        let end = try await now() - Self.patience
        var removed = 0
        while true {
            let count = try await database.write(.together) { session in
                // In these words, for the index is on these.
                try session.execute(
                    """
                    DELETE FROM inbox WHERE id IN (
                        SELECT id FROM inbox
                        WHERE state = 2 AND environment = 0 AND received_at <= \(end)
                        ORDER BY received_at LIMIT \(Self.portion))
                    """)
            }
            removed += count
            if count < Self.portion { return removed }
        }
    }

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

import Storage

/// A count that stops at a limit, so that it takes no longer the more there are.
public struct CappedCount: Hashable, Sendable {
    /// How far it counts.
    public static let limit: Int64 = 10_000

    /// At most the limit.
    public let count: Int64
    /// Whether there are no more than that.
    public let isExact: Bool

    /// - Parameter rows: what follows `FROM` in a query of them, without an order or a limit.
    init(of rows: SQL, _ session: any Session) throws(StorageError) {
        let row = try session.row(
            """
            SELECT COUNT(*) FROM (SELECT 1 AS one FROM \(rows) LIMIT \(Self.limit + 1)) counted
            """)
        let found = try row?.integer(0) ?? 0
        count = min(found, Self.limit)
        isExact = found <= Self.limit
    }
}

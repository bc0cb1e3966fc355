import Storage
import SubscriptionRules

/// What a world is among its copies: columns of its row that are changed for nothing else.
struct CopyStanding: Hashable {
    /// Whether its notifications go out.
    var isDelivering: Bool
    /// Whether it is a fork of another world, whatever was put in its place since.
    var isFork: Bool
    /// What its clock showed when it was copied; nil for one that is no copy.
    var copied: Instant?
    /// How often it was put back.
    var rewinds: Int64

    /// The condition under which notifications go out.
    static let delivers: SQL = "EXISTS (SELECT 1 FROM world WHERE delivers = 1)"

    private static let columns = "delivers, is_fork, copied_at, rewinds"

    init(of session: any Session) throws {
        guard let row = try session.row("SELECT \(raw: Self.columns) FROM world") else {
            throw StorageError(.corrupt, "the world's row is missing")
        }
        let stored = StoredRow(row, of: "world", Self.columns)
        isDelivering = try stored.bool(0)
        isFork = try stored.bool(1)
        copied = try stored.instantOrNil(2)
        rewinds = try stored.integer(3, in: 0...Int64.max)
    }

    func save(in session: any Session) throws {
        try session.execute(
            """
            UPDATE world SET delivers = \(isDelivering), is_fork = \(isFork),
                copied_at = \(copied), rewinds = \(rewinds)
            """)
    }
}

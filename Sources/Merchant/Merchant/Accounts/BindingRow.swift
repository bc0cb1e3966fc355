import Storage
import SubscriptionRules

/// How an account came by a purchase: a closed list.
public enum BindingMeans: String, Hashable, Sendable, CaseIterable {
    /// The app sent it first.
    case app
    /// It was bought with a token that the account has shown.
    case token
    /// The customer asked to restore it, or the policy is that it moves.
    case restore
    /// Support gave it to the account.
    case support
    /// The customer named the order.
    case order
    /// The account that had it was merged into this one.
    case merge
    /// A list said so, from which the merchant was rebuilt.
    case rebuild
}

/// That an account has a purchase, from one version of the account to another one. A row stays
/// when it ends, so what an account had is known for each version.
enum BindingRow {
    static func open(
        _ purchase: Int64, for account: Int64, by how: BindingMeans, at now: Instant,
        version: Int64, _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            INSERT INTO binding (purchase, account, how, since_at, since_version)
            VALUES (\(purchase), \(account), \(how.rawValue), \(now), \(version))
            """)
    }

    static func close(
        _ purchase: Int64, for account: Int64, at now: Instant, version: Int64,
        _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            UPDATE binding SET until_at = \(now), until_version = \(version)
            WHERE purchase = \(purchase) AND account = \(account) AND until_version IS NULL
            """)
    }

    /// The condition for the rows `b` of what an account has.
    ///
    /// - Parameter version: that of the account; nil for now.
    static func held(by account: Int64, at version: Int64? = nil) -> SQL {
        guard let version else { return "b.account = \(account) AND b.until_version IS NULL" }
        return """
            b.account = \(account) AND b.since_version <= \(version)
            AND (b.until_version IS NULL OR b.until_version > \(version))
            """
    }

    /// When an account got or lost something last, up to a version; nil where it never did.
    static func lastChange(
        of account: Int64, upTo version: Int64, _ session: any Session
    ) throws(StorageError) -> Instant? {
        let row = try session.row(
            """
            SELECT MAX(since_at),
                (SELECT MAX(until_at) FROM binding
                WHERE account = \(account) AND until_version <= \(version))
            FROM binding WHERE account = \(account) AND since_version <= \(version)
            """)
        guard let row else { return nil }
        let moments = [try row.integerOrNil(0), try row.integerOrNil(1)]
        return moments.compactMap(\.self).max().map(Instant.init(milliseconds:))
    }
}

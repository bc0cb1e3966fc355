import Storage
public import SubscriptionRules

/// That an account got a purchase, or lost it. Each move is told twice, once for each account, and
/// what an account has afterwards is asked for by the version (OWN-3).
public struct AccountTransfer: Hashable, Sendable {
    /// What has happened: a closed list.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Nobody had the purchase, and the account got it.
        case bound
        /// It came from another account.
        case transferredHere
        /// Another account got it.
        case transferredAway
        /// Two accounts have it from now on.
        case shared
        /// The account shared it, and has it no more.
        case unshared
        /// Two accounts became one.
        case merged
        /// The owner was erased, and this account owns it now.
        case erased
    }

    /// Its number, in the order in which transfers were written.
    public let id: Int64
    public let kind: Kind
    /// The account, as it was called then.
    public let account: String
    /// The account's version that it led to.
    public let version: Int64
    public let at: Instant
    /// Nil where two accounts were merged.
    public let originalTransactionID: String?
    public let environment: MerchantEnvironment?
    /// The account on the other side; nil where there is none, or it was erased.
    public let other: String?
    public let how: BindingMeans?
}

extension Merchant {
    /// What has happened to an account, the newest first.
    ///
    /// - Parameters:
    ///   - before: the number of an event before which they are; nil for the newest.
    ///   - betweenAccounts: whether to leave out first bindings (`bound`).
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`.
    public func transfers(
        of account: String, in bundleID: String, before: Int64? = nil, limit: Int,
        betweenAccounts: Bool = false
    ) async throws -> [AccountTransfer] {
        let app = try app(bundleID)
        try AccountName.check(account)
        return try await database.read { session in
            guard let found = try AccountRow.find(account, of: app.id, session) else { return [] }
            return try AccountTransfer.all(
                of: found.id, before: before ?? .max, limit: limit,
                betweenAccounts: betweenAccounts, session)
        }
    }
}

extension AccountTransfer {
    /// Writes one.
    static func insert(
        _ kind: Kind, of account: Int64, version: Int64, purchase: Int64?, other: Int64?,
        how: BindingMeans?, at now: Instant, _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            INSERT INTO account_transfer (kind, account, version, purchase, other, how, occurred_at)
            VALUES (\(kind.rawValue), \(account), \(version), \(purchase), \(other),
                \(how?.rawValue), \(now))
            """)
    }

    /// Those of an account and of the accounts that were merged into it, the newest first.
    ///
    /// - Parameters:
    ///   - before: the number before which they are.
    ///   - betweenAccounts: whether to leave out first bindings (`bound`).
    static func all(
        of account: Int64, before: Int64 = .max, limit: Int, betweenAccounts: Bool = false,
        _ session: any Session
    ) throws(StorageError) -> [AccountTransfer] {
        let kinds: SQL = betweenAccounts ? " AND e.kind <> \(Kind.bound.rawValue)" : ""
        let accounts = try AccountRow.merged(into: account, session) + [account]
        return try session.rows(
            """
            SELECT e.id, e.kind, a.name, e.version, e.occurred_at, p.original_transaction_id,
                p.environment, o.name, e.how
            FROM account_transfer e JOIN account a ON a.id = e.account
            LEFT JOIN purchase p ON p.id = e.purchase
            LEFT JOIN account o ON o.id = e.other
            WHERE e.account IN (\(list: accounts)) AND e.id < \(before)\(kinds)
            ORDER BY e.id DESC LIMIT \(limit)
            """
        ).map { row throws(StorageError) in try AccountTransfer(row) }
    }

    private init(_ row: Row) throws(StorageError) {
        id = try row.integer(0)
        guard let kind = Kind(rawValue: try row.text(1)) else {
            throw StorageError(.corrupt, "a transfer is of no kind")
        }
        self.kind = kind
        account = try row.text(2)
        version = try row.integer(3)
        at = try row.instant(4)
        originalTransactionID = try row.textOrNil(5)
        environment = try row.integerOrNil(6).flatMap(MerchantEnvironment.init(rawValue:))
        other = try row.textOrNil(7)
        how = try row.textOrNil(8).flatMap(BindingMeans.init(rawValue:))
    }
}

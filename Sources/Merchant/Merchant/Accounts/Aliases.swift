import Storage
import SubscriptionRules

extension Merchant {
    /// Lets an account answer to another name as well, for ever. Where that name is an account's
    /// already, all that it has moves to this one, which survives with a version above both.
    ///
    /// - Returns: the customer as it is afterwards.
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`.
    public func alias(
        _ alias: String, to account: String, of bundleID: String
    ) async throws -> MerchantCustomer {
        let app = try app(bundleID)
        try AccountName.check(account)
        try AccountName.check(alias)
        let now = try await now()
        // Nobody else looks a name up meanwhile and binds something to what is merged.
        try await database.write { session in
            let root = try AccountRow.ensure(account, of: app.id, session)
            guard let other = try AccountRow.find(alias, of: app.id, session) else {
                return try AliasRow.insert(alias, of: app.id, for: root, at: now, session)
            }
            guard other.id != root else { return }
            try AccountMerge(from: other.id, into: root, at: now).perform(session)
            try AliasRow.insert(other.name, of: app.id, for: root, at: now, session)
        }
        return try await customer(account, of: bundleID)
    }
}

/// Another name of an account. It leads to the account itself, never to another name: however
/// many were joined one after the other, it is found at once (OWN-4).
enum AliasRow {
    static func insert(
        _ alias: String, of app: Int64, for account: Int64, at now: Instant,
        _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            INSERT INTO account_alias (app, alias, account, since_at)
            VALUES (\(app), \(alias), \(account), \(now))
            """)
    }

    /// The other names of an account, in order.
    static func all(
        of account: Int64, _ session: any Session
    ) throws(StorageError) -> [AccountAlias] {
        try session.rows(
            """
            SELECT alias, since_at FROM account_alias WHERE account = \(account) ORDER BY alias
            """
        ).map { row throws(StorageError) in
            AccountAlias(name: try row.text(0), since: try row.instant(1))
        }
    }
}

/// Moves all that an account has to another one. The account that was is kept as a name, so that
/// its transfers stay with it.
private struct AccountMerge: Sendable {
    let from: Int64
    let into: Int64
    let now: Instant

    init(from: Int64, into: Int64, at now: Instant) {
        self.from = from
        self.into = into
        self.now = now
    }

    func perform(_ session: any Session) throws(StorageError) {
        let before = try AccountRow.touch(from, session)
        try session.execute(
            """
            UPDATE account SET version = \(before) WHERE id = \(into) AND version < \(before)
            """)
        let after = try AccountRow.touch(into, session)
        try moveBindings(closedAt: before, openedAt: after, session)
        try session.execute(
            "UPDATE account_token SET account = \(into) WHERE account = \(from)")
        try session.execute(
            "UPDATE account_alias SET account = \(into) WHERE account = \(from)")
        try StoreCustomer.moveAll(from: from, to: into, session)
        try AccountContact.move(from: from, to: into, session)
        try AccountTransfer.insert(
            .merged, of: from, version: before, purchase: nil, other: into, how: .merge, at: now,
            session)
        try AccountTransfer.insert(
            .merged, of: into, version: after, purchase: nil, other: from, how: .merge, at: now,
            session)
    }

    private func moveBindings(
        closedAt before: Int64, openedAt after: Int64, _ session: any Session
    ) throws(StorageError) {
        // What both had is had once.
        try session.execute(
            """
            INSERT INTO binding (purchase, account, how, since_at, since_version)
            SELECT b.purchase, \(into), \(BindingMeans.merge.rawValue), \(now), \(after)
            FROM binding b
            WHERE b.account = \(from) AND b.until_version IS NULL AND NOT EXISTS (
                SELECT 1 FROM binding o WHERE o.purchase = b.purchase
                    AND o.account = \(into) AND o.until_version IS NULL)
            """)
        try session.execute(
            """
            UPDATE binding SET until_at = \(now), until_version = \(before)
            WHERE account = \(from) AND until_version IS NULL
            """)
        try session.execute(
            "UPDATE purchase SET account = \(into) WHERE account = \(from)")
    }
}

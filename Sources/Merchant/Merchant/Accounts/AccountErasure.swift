import Storage
import SubscriptionRules

/// What was erased of an account.
public struct ErasedAccount: Hashable, Sendable {
    /// The account's name and its other names.
    public let names: Int64
    public let tokens: Int64
    /// The purchases that nobody has now.
    public let purchases: Int64
    /// The purchases that it shared, which the others have still.
    public let shared: Int64
}

extension Merchant {
    /// Erases an account: its names, tokens and transfers. What it owned has no owner then, and
    /// no token binds that again; what it shared is the other accounts'. Of an account that was
    /// never heard of there is nothing to erase.
    ///
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`.
    public func erase(_ account: String, of bundleID: String) async throws -> ErasedAccount {
        let app = try app(bundleID)
        try AccountName.check(account)
        let now = try await now()
        // Nobody else looks the name up meanwhile and binds something to it.
        return try await database.write { session in
            guard let found = try AccountRow.find(account, of: app.id, session) else {
                // A failed rebuild line and the audit log may name an account that never was.
                try AccountErasure.forget([account], of: app, session)
                return ErasedAccount(names: 0, tokens: 0, purchases: 0, shared: 0)
            }
            return try AccountErasure(account: found.id, app: app, now: now).perform(session)
        }
    }
}

/// Erases an account and all that was merged into it (OWN-5).
private struct AccountErasure: Sendable {
    let account: Int64
    let app: Merchant.ServedApp
    let now: Instant

    func perform(_ session: any Session) throws(StorageError) -> ErasedAccount {
        let owned = try session.rows(
            "SELECT id FROM purchase WHERE account = \(account) ORDER BY id"
        ).map { row throws(StorageError) in try row.integer(0) }
        let held = try session.row(
            "SELECT COUNT(*) FROM binding b WHERE \(BindingRow.held(by: account))")
        var free: Int64 = 0
        for purchase in owned {
            if try release(purchase, session) { free += 1 }
        }
        let tokens = try session.execute(
            "DELETE FROM account_token WHERE account = \(account)")
        return ErasedAccount(
            names: try eraseNames(session), tokens: Int64(tokens), purchases: free,
            shared: (try held?.integer(0) ?? 0) - free)
    }

    /// Takes a purchase from its owner: whoever shares it longest owns it then.
    ///
    /// - Returns: whether nobody has it now.
    private func release(_ purchase: Int64, _ session: any Session) throws(StorageError) -> Bool {
        try session.execute(
            """
            INSERT INTO erased_purchase (purchase, erased_at) VALUES (\(purchase), \(now))
            ON CONFLICT (purchase) DO NOTHING
            """)
        let sharer = try session.row(
            """
            SELECT account FROM binding
            WHERE purchase = \(purchase) AND account <> \(account) AND until_version IS NULL
            ORDER BY since_at, account LIMIT 1
            """)
        let heir = try sharer?.integer(0)
        try session.execute(
            """
            UPDATE purchase SET account = \(heir), app_account_token = NULL
            WHERE id = \(purchase)
            """)
        guard let heir else { return true }
        let version = try AccountRow.touch(heir, session)
        try AccountTransfer.insert(
            .erased, of: heir, version: version, purchase: purchase, other: nil, how: nil,
            at: now, session)
        return false
    }

    /// - Returns: how many there were.
    private func eraseNames(_ session: any Session) throws(StorageError) -> Int64 {
        let accounts = try AccountRow.merged(into: account, session) + [account]
        let names = try session.rows(
            """
            SELECT name FROM account WHERE id IN (\(list: accounts))
            UNION SELECT alias FROM account_alias WHERE account = \(account)
            """
        ).map { row throws(StorageError) in try row.text(0) }
        try Self.forget(names, of: app, session)
        try AccountContact.erase(accounts, session)
        try session.execute("DELETE FROM store_customer WHERE account IN (\(list: accounts))")
        try session.execute("DELETE FROM binding WHERE account IN (\(list: accounts))")
        try session.execute("DELETE FROM account_transfer WHERE account IN (\(list: accounts))")
        try session.execute(
            "UPDATE account_transfer SET other = NULL WHERE other IN (\(list: accounts))")
        let aliases = try session.execute(
            "DELETE FROM account_alias WHERE account = \(account)")
        try session.execute("DELETE FROM account WHERE id IN (\(list: accounts))")
        return Int64(aliases) + 1
    }

    /// The log of what was done, the lists of rebuilds and those of campaigns keep their entries,
    /// without the names.
    static func forget(
        _ names: [String], of app: Merchant.ServedApp, _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            UPDATE audit_entry SET subject = NULL
            WHERE bundle_id = \(app.setup.bundleID) AND subject IN (\(list: names))
            """)
        try session.execute(
            """
            UPDATE audit_entry SET other_name = NULL
            WHERE bundle_id = \(app.setup.bundleID) AND other_name IN (\(list: names))
            """)
        try session.execute(
            """
            UPDATE rebuild_line SET account = NULL
            WHERE account IN (\(list: names))
                AND rebuild IN (SELECT r.id FROM rebuild r WHERE r.app = \(app.id))
            """)
        try CampaignFiles.forget(names, of: app.id, session)
    }
}

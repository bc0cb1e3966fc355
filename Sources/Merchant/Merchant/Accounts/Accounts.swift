import AppStoreSigning
import Storage
import SubscriptionRules

extension Merchant {
    /// Takes a signed transaction from the app, as the account that is signed in there. Nobody has
    /// to be first: the notification may have come already, or come later.
    ///
    /// - Parameters:
    ///   - account: the app's own name for the account.
    ///   - restores: whether the customer has asked for it: only then, or where the app's policy
    ///     is to restore, a purchase moves from another account, and both change.
    /// - Returns: the customer as it is afterwards.
    /// - Throws: `MerchantError`.
    public func take(
        transaction text: String, from account: String, of bundleID: String, restores: Bool = false
    ) async throws -> MerchantCustomer {
        let app = try app(bundleID)
        let evidence: Evidence
        do {
            evidence = try await Evidence(transaction: text, verifiedBy: app.setup)
        } catch {
            throw MerchantError.notVerified(error)
        }
        let now = try await now()
        try await database.write(.together) { session in
            let owner = try AccountRow.ensure(account, of: app.id, session)
            guard var purchase = try evidence.keep(of: app.id, at: now, session) else { return }
            if purchase.account != owner {
                let moves = restores || app.setup.transfers == .restore
                guard purchase.account == nil || moves else { throw MerchantError.ownedByAnother }
                let isRestored = restores || purchase.account != nil
                try purchase.bind(to: owner, by: isRestored ? "restore" : "app", at: now, session)
            }
            if let token = evidence.appAccountToken,
                try AccountRow.remember(token, of: owner, app: app.id, session)
            {
                try PurchaseRow.bindAll(with: token, to: owner, of: app.id, at: now, session)
            }
        }
        return try await customer(account, of: bundleID)
    }
}

/// An account's row.
enum AccountRow {
    static func ensure(
        _ name: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> Int64 {
        try session.execute(
            """
            INSERT INTO account (app, name, version) VALUES (\(app), \(name), 0)
            ON CONFLICT (app, name) DO NOTHING
            """)
        guard let found = try find(name, of: app, session) else {
            throw StorageError(.other, "an account that was just made is not there")
        }
        return found.id
    }

    static func find(
        _ name: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> (id: Int64, version: Int64)? {
        guard
            let row = try session.row(
                "SELECT id, version FROM account WHERE app = \(app) AND name = \(name)")
        else { return nil }
        return (try row.integer(0), try row.integer(1))
    }

    /// Whose purchases carry a token; nil where nobody has shown it. Its row is locked, so that
    /// who shows it and what was bought with it cannot miss each other.
    static func withToken(
        _ token: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> Int64? {
        try session.execute(
            """
            INSERT INTO account_token (app, token) VALUES (\(app), \(token))
            ON CONFLICT (app, token) DO NOTHING
            """)
        return try session.row(
            """
            SELECT account FROM account_token
            WHERE app = \(app) AND token = \(token)\(raw: session.dialect.lockRow)
            """
        )?.integerOrNil(0)
    }

    /// Remembers whose a token is; the first account that shows it has it.
    ///
    /// - Returns: whether it was not known before.
    static func remember(
        _ token: String, of account: Int64, app: Int64, _ session: any Session
    ) throws(StorageError) -> Bool {
        try session.execute(
            """
            UPDATE account_token SET account = \(account)
            WHERE app = \(app) AND token = \(token) AND account IS NULL
            """) == 1
    }

    /// Gives an account its next version: what is read of it has changed.
    static func touch(_ account: Int64, _ session: any Session) throws(StorageError) {
        try session.execute("UPDATE account SET version = version + 1 WHERE id = \(account)")
    }
}

/// A purchase's row: whose it is.
struct PurchaseRow: Sendable {
    let id: Int64
    private(set) var account: Int64?
    private var token: String?
    /// Whether a register of it has taken something.
    var hasChanged = false

    /// The row of a purchase, locked.
    static func ensure(
        _ originalTransactionID: String, of app: Int64, _ environment: MerchantEnvironment,
        _ session: any Session
    ) throws(StorageError) -> PurchaseRow {
        try session.execute(
            """
            INSERT INTO purchase (app, environment, original_transaction_id)
            VALUES (\(app), \(environment.rawValue), \(originalTransactionID))
            ON CONFLICT (app, environment, original_transaction_id) DO NOTHING
            """)
        let row = try session.row(
            """
            SELECT id, account, app_account_token FROM purchase
            WHERE app = \(app) AND environment = \(environment.rawValue)
                AND original_transaction_id = \(originalTransactionID)\
            \(raw: session.dialect.lockRow)
            """)
        guard let row else {
            throw StorageError(.other, "a purchase that was just made is not there")
        }
        return try PurchaseRow(row)
    }

    private init(_ row: Row) throws(StorageError) {
        id = try row.integer(0)
        account = try row.integerOrNil(1)
        token = try row.textOrNil(2)
    }

    /// Notes the token that it was bought with, or was given since.
    mutating func note(token: String, _ session: any Session) throws(StorageError) {
        guard self.token != token else { return }
        try session.execute(
            "UPDATE purchase SET app_account_token = \(token) WHERE id = \(id)")
        self.token = token
    }

    /// Gives an account everything that nobody owns and that was bought with its token.
    static func bindAll(
        with token: String, to owner: Int64, of app: Int64, at now: Instant,
        _ session: any Session
    ) throws(StorageError) {
        let rows = try session.rows(
            """
            SELECT id, account, app_account_token FROM purchase
            WHERE app = \(app) AND app_account_token = \(token) AND account IS NULL
            ORDER BY id\(raw: session.dialect.lockRow)
            """)
        for row in rows {
            var purchase = try PurchaseRow(row)
            try purchase.bind(to: owner, by: "token", at: now, session)
        }
    }

    /// Gives it to an account; the one that had it changes too.
    mutating func bind(
        to owner: Int64, by how: String, at now: Instant, _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            """
            UPDATE purchase SET account = \(owner), bound_by = \(how), bound_at = \(now)
            WHERE id = \(id)
            """)
        // In one order whoever gives and takes, so that two that cross do not wait for each other.
        for changed in Set([owner, account].compactMap(\.self)).sorted() {
            try AccountRow.touch(changed, session)
        }
        account = owner
    }
}

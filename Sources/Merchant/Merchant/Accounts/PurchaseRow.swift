import Storage
import SubscriptionRules

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

    /// Notes when its newest period ends, by which it is found once nothing was heard of it since.
    func noteEnd(_ session: any Session) throws(StorageError) {
        try session.execute(
            """
            UPDATE purchase SET ends_at = (
                SELECT MAX(expires_at) FROM transaction_register WHERE purchase = \(id))
            WHERE id = \(id)
            """)
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

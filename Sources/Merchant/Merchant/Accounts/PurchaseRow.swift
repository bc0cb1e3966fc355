import Storage
import SubscriptionRules

/// A purchase's row: whose it is.
struct PurchaseRow: Sendable {
    let id: Int64
    /// The account that owns it; others may share it.
    private(set) var account: Int64?
    private var token: String?
    /// Whether the account that had it was erased: its token is not kept then.
    let isErased: Bool
    /// Whether a register of it has taken something.
    var hasChanged = false

    private static let columns: SQL = """
        id, account, app_account_token,
        (SELECT e.erased_at FROM erased_purchase e WHERE e.purchase = purchase.id)
        """

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
        let found = try find(originalTransactionID, of: app, environment, locked: true, session)
        guard let found else {
            throw StorageError(.other, "a purchase that was just made is not there")
        }
        return found
    }

    /// The row of a purchase; nil for one that was never heard of.
    static func find(
        _ originalTransactionID: String, of app: Int64, _ environment: MerchantEnvironment,
        locked: Bool = false, _ session: any Session
    ) throws(StorageError) -> PurchaseRow? {
        let lock = locked ? session.dialect.lockRow : ""
        let row = try session.row(
            """
            SELECT \(columns) FROM purchase
            WHERE app = \(app) AND environment = \(environment.rawValue)
                AND original_transaction_id = \(originalTransactionID)\(raw: lock)
            """)
        guard let row else { return nil }
        return try PurchaseRow(row)
    }

    private init(_ row: Row) throws(StorageError) {
        id = try row.integer(0)
        account = try row.integerOrNil(1)
        token = try row.textOrNil(2)
        isErased = try row.integerOrNil(3) != nil
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
            SELECT \(columns) FROM purchase
            WHERE app = \(app) AND app_account_token = \(token) AND account IS NULL
            ORDER BY id\(raw: session.dialect.lockRow)
            """)
        for row in rows {
            var purchase = try PurchaseRow(row)
            try purchase.bind(to: owner, by: .token, at: now, session)
        }
    }

    /// All accounts that have it, the owner among them, in order.
    func holders(_ session: any Session) throws(StorageError) -> [Int64] {
        try session.rows(
            """
            SELECT account FROM binding WHERE purchase = \(id) AND until_version IS NULL
            ORDER BY account
            """
        ).map { row throws(StorageError) in try row.integer(0) }
    }

    /// Gives each account that has it the next version.
    func touchHolders(_ session: any Session) throws(StorageError) {
        for account in try holders(session) { try AccountRow.touch(account, session) }
    }

    /// Gives it to an account alone; those that had it change too.
    mutating func bind(
        to owner: Int64, by how: BindingMeans, at now: Instant, _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            "UPDATE purchase SET account = \(owner) WHERE id = \(id)")
        let before = try holders(session)
        // In one order whoever gives and takes, so that two that cross do not wait for each other.
        for changed in Set(before + [owner]).sorted() {
            let version = try AccountRow.touch(changed, session)
            if changed == owner {
                if !before.contains(owner) {
                    try BindingRow.open(
                        id, for: owner, by: how, at: now, version: version, session)
                }
                try AccountTransfer.insert(
                    account == nil ? .bound : .transferredHere, of: owner, version: version,
                    purchase: id, other: account, how: how, at: now, session)
            } else {
                try BindingRow.close(id, for: changed, at: now, version: version, session)
                try AccountTransfer.insert(
                    changed == account ? .transferredAway : .unshared, of: changed,
                    version: version, purchase: id, other: owner, how: how, at: now, session)
            }
        }
        account = owner
    }

    /// Lets an account have it beside those that do.
    ///
    /// - Precondition: the account does not have it, and another one owns it.
    func share(
        with sharer: Int64, by how: BindingMeans, at now: Instant, _ session: any Session
    ) throws(StorageError) {
        guard let account else { preconditionFailure("what nobody owns is not shared") }
        for changed in [sharer, account].sorted() {
            let version = try AccountRow.touch(changed, session)
            if changed == sharer {
                try BindingRow.open(id, for: sharer, by: how, at: now, version: version, session)
            }
            try AccountTransfer.insert(
                .shared, of: changed, version: version, purchase: id,
                other: changed == sharer ? account : sharer, how: how, at: now, session)
        }
    }
}

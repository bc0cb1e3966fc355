import AppStoreSigning
import AppStoreWire
import Storage
public import SubscriptionRules

/// Who an account's customer is at the store: the app transaction is one for each Apple Account and
/// app. An account may have several, and several accounts one.
public struct StoreCustomer: Hashable, Sendable {
    /// The store's identifier, which transactions carry too.
    public fileprivate(set) var appTransactionID: String
    public fileprivate(set) var environment: MerchantEnvironment
    /// When the customer first got the app.
    public fileprivate(set) var acquired: Instant
    /// The version of the app that the customer first got.
    public fileprivate(set) var originalVersion: String
    /// When the newest app transaction that was sent was signed.
    public fileprivate(set) var signedAt: Instant

    /// Whom a signed app transaction names.
    ///
    /// - Throws: `MerchantError`.
    init(appTransaction text: String, verifiedBy setup: AppSetup) async throws(MerchantError) {
        let verified: (MerchantEnvironment, AppTransaction)
        do {
            verified = try await setup.verify {
                verifier throws(JWSVerificationError) in
                try await verifier.verifyAppTransaction(text)
            }
        } catch {
            throw .notVerified(error)
        }
        let (environment, payload) = verified
        guard let id = payload.appTransactionId, !id.isEmpty else {
            throw .intake(.noAppTransactionID)
        }
        appTransactionID = id
        self.environment = environment
        acquired = Instant(milliseconds: payload.originalPurchaseDate)
        originalVersion = payload.originalApplicationVersion
        signedAt = Instant(milliseconds: payload.receiptCreationDate)
    }

    fileprivate init() {
        appTransactionID = ""
        environment = .production
        acquired = Instant(milliseconds: 0)
        originalVersion = ""
        signedAt = Instant(milliseconds: 0)
    }

    /// Stores it for an account, whose version grows where it is new there.
    func keep(of account: Int64, _ session: any Session) throws(StorageError) {
        try [acquired, signedAt].checkStorable()
        let isKnown = try session.exists(
            """
            SELECT 1 FROM store_customer
            WHERE account = \(account) AND environment = \(environment.rawValue)
                AND app_transaction_id = \(appTransactionID)
            """)
        let row = StoreCustomerRow(account: account, customer: self)
        _ = try StoreCustomerRow.register.take(row, session)
        if !isKnown { try AccountRow.touch(account, session) }
    }

    /// Gives those of an account to another one, which may have some of them already.
    static func moveAll(
        from account: Int64, to other: Int64, _ session: any Session
    ) throws(StorageError) {
        for row in try StoreCustomerRow.register.records(where: "account = \(account)", session) {
            let moved = StoreCustomerRow(account: other, customer: row.customer)
            _ = try StoreCustomerRow.register.take(moved, session)
        }
        try session.execute("DELETE FROM store_customer WHERE account = \(account)")
    }

    /// An account with those that it has.
    struct Holder {
        let id: Int64
        let version: Int64
        /// Its own name.
        let name: String
        let storeCustomers: [StoreCustomer]
    }

    /// The account that answers to a name, with those that it has; nil where there is none.
    static func holder(
        named name: String, of app: Int64, _ session: any Session
    ) throws(StorageError) -> Holder? {
        let columns = StoreCustomerRow.columns
        let rows = try session.rows(
            """
            SELECT a.id, a.version, a.name, \(raw: columns.list) FROM account a
            LEFT JOIN store_customer s ON s.account = a.id
            WHERE a.id = \(AccountRow.id(of: name, in: app))
            ORDER BY s.environment, s.app_transaction_id
            """)
        guard let row = rows.first else { return nil }
        var customers: [StoreCustomer] = []
        for row in rows {
            guard let joined = try columns.record(in: row, from: 3) else { continue }
            customers.append(joined.customer)
        }
        return Holder(
            id: try row.integer(0), version: try row.integer(1), name: try row.text(2),
            storeCustomers: customers)
    }
}

/// The row of a store customer of an account.
private struct StoreCustomerRow: StoredRecord {
    var account: Int64
    var customer: StoreCustomer

    static let blank = StoreCustomerRow(account: 0, customer: StoreCustomer())

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("account", &account)
        try columns.column("environment", &customer.environment)
        try columns.column("app_transaction_id", &customer.appTransactionID)
        try columns.column("acquired_at", &customer.acquired)
        try columns.column("original_version", &customer.originalVersion)
        try columns.column("signed_at", &customer.signedAt)
    }

    static let columns = JoinedColumns<Self>(of: "s")
    static let register = Register<Self>(
        table: "store_customer", key: ["account", "environment", "app_transaction_id"],
        precedence: ["signed_at"])
}

import MerchantRules
import Storage
public import SubscriptionRules

/// Another name of an account.
public struct AccountAlias: Hashable, Sendable {
    public let name: String
    public let since: Instant
}

/// Something that the store has signed, as it is kept.
public struct KeptText: Hashable, Sendable {
    /// The transaction that it is about; nil for renewal information and notifications about none.
    public let transactionID: String?
    public let signedAt: Instant
    /// A notification's UUID, `app` or `api`.
    public let source: String
    public let text: String
}

/// A purchase of an account with everything that was signed about it.
public struct ExportedPurchase: Hashable, Sendable {
    public let originalTransactionID: String
    public let environment: MerchantEnvironment
    public let boundBy: String
    public let since: Instant
    /// Whether the account owns it, and does not only share it.
    public let isOwner: Bool
    /// The token that it was bought with.
    public let appAccountToken: String?
    public let transactions: [KeptText]
    public let renewals: [KeptText]
    public let notifications: [KeptText]
    /// What campaigns wrote, by channel, and what proves the customer's answers, by digest.
    public let messages: [KeptText]
    public let consents: [KeptText]
}

/// Everything that is kept about an account.
public struct AccountExport: Hashable, Sendable {
    public let account: String
    public let version: Int64
    public let asOf: Instant
    public let aliases: [AccountAlias]
    public let tokens: [String]
    /// How the customer is reached: one, or none where nothing was set.
    public let contacts: [AccountContact]
    /// Who the customer is at the store.
    public let storeCustomers: [StoreCustomer]
    public let purchases: [ExportedPurchase]
    /// The newest first.
    public let transfers: [AccountTransfer]
}

extension Merchant {
    /// Everything that is kept about an account; nothing, at version 0, for one that was never
    /// heard of.
    ///
    /// - Throws: `MerchantError.unknownApp`, `reservedAccount`.
    public func export(_ account: String, of bundleID: String) async throws -> AccountExport {
        let app = try app(bundleID)
        try AccountName.check(account)
        let now = try await now()
        return try await database.read { session in
            guard let found = try StoreCustomer.holder(named: account, of: app.id, session) else {
                return AccountExport(
                    account: account, version: 0, asOf: now, aliases: [], tokens: [],
                    contacts: [], storeCustomers: [], purchases: [], transfers: [])
            }
            let tokens = try session.rows(
                "SELECT token FROM account_token WHERE account = \(found.id) ORDER BY token")
            return AccountExport(
                account: found.name, version: found.version, asOf: now,
                aliases: try AliasRow.all(of: found.id, session),
                tokens: try tokens.map { try $0.text(0) },
                contacts: Array(try AccountContact.all(of: [found.id], session).values),
                storeCustomers: found.storeCustomers,
                purchases: try ExportedPurchase.all(of: found.id, app: app.id, session),
                transfers: try AccountTransfer.all(of: found.id, limit: .max, session))
        }
    }
}

extension ExportedPurchase {
    fileprivate static func all(
        of account: Int64, app: Int64, _ session: any Session
    ) throws(StorageError) -> [ExportedPurchase] {
        let rows = try session.rows(
            """
            SELECT p.id, p.original_transaction_id, p.environment, b.how, b.since_at, p.account,
                p.app_account_token
            FROM binding b JOIN purchase p ON p.id = b.purchase
            WHERE \(BindingRow.held(by: account)) ORDER BY p.id
            """)
        var purchases: [ExportedPurchase] = []
        for row in rows {
            let id = try row.integer(0)
            guard let environment = MerchantEnvironment(rawValue: try row.integer(2)) else {
                throw StorageError(.corrupt, "a purchase is of no environment")
            }
            let original = try row.text(1)
            purchases.append(
                ExportedPurchase(
                    originalTransactionID: original, environment: environment,
                    boundBy: try row.text(3), since: try row.instant(4),
                    isOwner: try row.integerOrNil(5) == account,
                    appAccountToken: try row.textOrNil(6),
                    transactions: try KeptText.transactions(of: id, session),
                    renewals: try KeptText.renewals(of: id, session),
                    notifications: try KeptText.notifications(
                        about: original, in: environment, app: app, session),
                    messages: try KeptText.messages(of: id, session),
                    consents: try KeptText.consents(of: id, session)))
        }
        return purchases
    }
}

extension KeptText {
    fileprivate static func transactions(
        of purchase: Int64, _ session: any Session
    ) throws(StorageError) -> [KeptText] {
        try TransactionRecord.register.records(
            where: "purchase = \(purchase) ORDER BY purchased_at, transaction_id", session
        ).map { KeptText($0.facts.transactionID, $0.signature) }
    }

    fileprivate static func renewals(
        of purchase: Int64, _ session: any Session
    ) throws(StorageError) -> [KeptText] {
        try RenewalRecord.register.records(where: "purchase = \(purchase)", session).map {
            KeptText(nil, $0.signature)
        }
    }

    fileprivate static func notifications(
        about original: String, in environment: MerchantEnvironment, app: Int64,
        _ session: any Session
    ) throws(StorageError) -> [KeptText] {
        try session.rows(
            """
            SELECT transaction_id, signed_at, uuid, body FROM inbox
            WHERE app = \(app) AND original_transaction_id = \(original)
                AND environment = \(environment.rawValue)
            ORDER BY signed_at, id
            """
        ).map { row throws(StorageError) in
            KeptText(
                transactionID: try row.textOrNil(0), signedAt: try row.instant(1),
                source: try row.text(2), text: try row.text(3))
        }
    }

    fileprivate static func messages(
        of purchase: Int64, _ session: any Session
    ) throws(StorageError) -> [KeptText] {
        try session.rows(
            """
            SELECT sent_at, channel, title, body FROM campaign_message
            WHERE purchase = \(purchase) AND sent_at IS NOT NULL ORDER BY sent_at, id
            """
        ).map { row throws(StorageError) in
            KeptText(
                transactionID: nil, signedAt: try row.instant(0), source: try row.text(1),
                text: "\(try row.text(2))\n\n\(try row.text(3))")
        }
    }

    fileprivate static func consents(
        of purchase: Int64, _ session: any Session
    ) throws(StorageError) -> [KeptText] {
        try session.rows(
            """
            SELECT answered_at, digest, evidence FROM campaign_consent
            WHERE purchase = \(purchase) ORDER BY campaign, place
            """
        ).map { row throws(StorageError) in
            KeptText(
                transactionID: nil, signedAt: try row.instant(0), source: try row.text(1),
                text: try row.text(2))
        }
    }

    private init(_ transactionID: String?, _ signature: RegisterSignature) {
        self.init(
            transactionID: transactionID, signedAt: signature.signedAt, source: signature.source,
            text: signature.text)
    }
}

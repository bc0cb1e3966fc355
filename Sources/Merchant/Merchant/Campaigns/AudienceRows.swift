import AppStoreWire
import MerchantRules
import Storage
import SubscriptionRules

/// A transaction as a campaign judges it: with its price, and without its signed text.
struct AudienceTransaction: StoredRecord {
    var purchase: Int64
    var facts: TransactionFacts
    /// In milliunits, for all that was bought at once; nil where only a receipt has told of it.
    var price: Int64?
    var currency: String?

    static let blank = AudienceTransaction(
        purchase: 0,
        facts: TransactionFacts(
            transactionID: "", productID: "", kind: .consumable,
            purchased: Instant(milliseconds: 0)),
        price: nil, currency: nil)

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("purchase", &purchase)
        try facts.visit(&columns)
        try columns.column("price", &price)
        try columns.column("currency", &currency)
    }

    static let register = Register<Self>(
        table: "transaction_register", key: ["purchase", "transaction_id"])
}

/// Something that has happened to a subscription and that no register keeps.
struct AudienceNotice: Sendable {
    enum Kind: Sendable {
        /// Its renewal date was moved.
        case extended
        /// A renewal that had failed was paid.
        case recovered
        /// Its customer turned renewal on again.
        case turnedOn
    }

    let kind: Kind
    let at: Instant

    /// Those of some purchases of an environment since a moment, by original transaction.
    static func all(
        about originals: [String], in environment: MerchantEnvironment, of app: Int64,
        since moment: Instant, _ session: any Session
    ) throws(StorageError) -> [String: [AudienceNotice]] {
        guard !originals.isEmpty else { return [:] }
        let known: [NotificationTypeV2] = [.renewalExtended, .didRenew, .didChangeRenewalStatus]
        let types = known.map(\.rawValue)
        let rows = try session.rows(
            """
            SELECT original_transaction_id, type, subtype, signed_at FROM inbox
            WHERE app = \(app) AND original_transaction_id IN (\(list: originals))
                AND signed_at > \(moment) AND environment = \(environment.rawValue)
                AND type IN (\(list: types))
            ORDER BY signed_at, id
            """)
        var notices: [String: [AudienceNotice]] = [:]
        for row in rows {
            guard let kind = kind(try row.text(1), try row.textOrNil(2)) else { continue }
            notices[try row.text(0), default: []].append(
                AudienceNotice(kind: kind, at: try row.instant(3)))
        }
        return notices
    }

    private static func kind(_ type: String, _ subtype: String?) -> Kind? {
        if type == NotificationTypeV2.renewalExtended.rawValue { return .extended }
        if type == NotificationTypeV2.didRenew.rawValue {
            return subtype == Subtype.billingRecovery.rawValue ? .recovered : nil
        }
        return subtype == Subtype.autoRenewEnabled.rawValue ? .turnedOn : nil
    }
}

/// A purchase with all that a campaign has to know of it.
struct AudiencePurchase: Sendable {
    let id: Int64
    let environment: MerchantEnvironment
    let originalTransactionID: String
    /// The account that owns it, and what it is called; nil where nobody has claimed it.
    let account: Int64?
    let accountName: String?
    var transactions: [AudienceTransaction] = []
    var renewal: RenewalRecord?
    /// What signed texts say, by transaction: of the one that runs, and of others where prices or
    /// offers have to be told apart.
    var payloads: [String: JWSTransactionDecodedPayload] = [:]
    var notices: [AudienceNotice] = []
    var contact: AccountContact?

    init(_ row: Row) throws(StorageError) {
        id = try row.integer(0)
        guard let environment = MerchantEnvironment(rawValue: try row.integer(1)) else {
            throw StorageError(.corrupt, "a purchase is of no environment")
        }
        self.environment = environment
        originalTransactionID = try row.text(2)
        account = try row.integerOrNil(3)
        accountName = try row.textOrNil(4)
    }

    /// The purchase as access is judged by it.
    var purchase: Purchase {
        Purchase(transactions: transactions.map(\.facts), renewal: renewal?.facts)
    }
}

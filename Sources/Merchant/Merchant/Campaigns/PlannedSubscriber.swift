import Crypto
import MerchantRules
import Storage
public import SubscriptionRules

/// Whether a campaign reaches a subscriber, as a plan says.
public enum PlanDecision: String, Hashable, Sendable, CaseIterable {
    /// It does; the reason is what is asked of the subscriber, or `extended`.
    case included
    /// Something stands in the way that may pass.
    case blocked
    /// The store would refuse it.
    case notEligible
    /// It does not.
    case leftOut
}

/// What a plan says of one subscriber.
public struct PlannedSubscriber: Hashable, Sendable {
    /// The purchase's number: a page goes on behind it.
    public let id: Int64
    public let originalTransactionID: String
    public let environment: MerchantEnvironment
    /// The account that owns it now; nil where nobody does.
    public let account: String?
    /// The newest transaction, by which a call names it.
    public let transactionID: String
    public let productID: String
    /// The alpha-3 code; nil where no signed text says it.
    public let storefront: String?
    public let currency: String?
    public let decision: PlanDecision
    /// A word of a closed list: a path, `extended`, or why not.
    public let reason: String
    /// What a period cost when the plan was made, in milliunits; nil where that was not known.
    public let oldPrice: Int64?
    public let newPrice: Int64?
    /// The first renewal at the new price, or the end that an extension gives.
    public let renewal: Instant?
    /// How many days are given; nil for prices.
    public let days: Int64?
    public let detail: PlanDetail

    /// The reason as a sentence.
    public var sentence: String { PlanReasons.sentence(decision, reason) }
}

/// The row of a planned subscriber.
struct PlannedRow: StoredRecord {
    var plan: Int64
    var purchase: Int64
    /// A number that looks random and is always the same, by which samples are drawn.
    var lot: Int64
    var transactionID: String
    var productID: String
    var storefront: String?
    var currency: String?
    var decision: PlanDecision
    var reason: String
    var oldPrice: Int64?
    var newPrice: Int64?
    var renewal: Instant?
    var days: Int64?
    var detail: String

    static let blank = PlannedRow(
        plan: 0, purchase: 0, lot: 0, transactionID: "", productID: "", storefront: nil,
        currency: nil, decision: .leftOut, reason: "", oldPrice: nil, newPrice: nil, renewal: nil,
        days: nil, detail: "")

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("plan", &plan)
        try columns.column("purchase", &purchase)
        try columns.column("lot", &lot)
        try columns.column("transaction_id", &transactionID)
        try columns.column("product_id", &productID)
        try columns.column("storefront", &storefront)
        try columns.column("currency", &currency)
        try columns.column("decision", &decision)
        try columns.column("reason", &reason)
        try columns.column("old_price", &oldPrice)
        try columns.column("new_price", &newPrice)
        try columns.column("renewal_at", &renewal)
        try columns.column("days", &days)
        try columns.column("detail", &detail)
    }

    /// The lot of a number: the first 62 bits of its digest.
    static func lot(of text: String) -> Int64 {
        let bytes = Array(SHA256.hash(data: Array(text.utf8)).prefix(8))
        return bytes.reduce(Int64(0)) { ($0 & 0x3F_FFFF_FFFF_FFFF) << 8 | Int64($1) }
            & 0x3FFF_FFFF_FFFF_FFFF
    }

    static func insert(_ rows: [PlannedRow], _ session: any Session) throws(StorageError) {
        guard !rows.isEmpty else { return }
        let columns = columnNames()
        let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        try session.executeMany(
            """
            INSERT INTO campaign_subscriber (\(columns.joined(separator: ", ")))
            VALUES (\(places))
            """, rows.map(\.storedValues))
    }
}

extension PlannedSubscriber {
    /// The subscribers of a plan that a condition on `s` chooses.
    static func all(
        where condition: SQL, _ session: any Session
    ) throws(StorageError) -> [PlannedSubscriber] {
        let columns = PlannedRow.columnNames().map { "s.\($0)" }.joined(separator: ", ")
        return try session.rows(
            """
            SELECT \(raw: columns), p.original_transaction_id, p.environment, a.name
            FROM campaign_subscriber s JOIN purchase p ON p.id = s.purchase
            LEFT JOIN account a ON a.id = p.account
            WHERE \(condition)
            """
        ).map { row throws(StorageError) in try PlannedSubscriber(row) }
    }

    private init(_ row: Row) throws(StorageError) {
        let planned = try PlannedRow(row)
        let place = PlannedRow.columnNames().count
        guard let environment = MerchantEnvironment(rawValue: try row.integer(place + 1)) else {
            throw StorageError(.corrupt, "a purchase is of no environment")
        }
        self.init(
            id: planned.purchase, originalTransactionID: try row.text(place),
            environment: environment, account: try row.textOrNil(place + 2),
            transactionID: planned.transactionID, productID: planned.productID,
            storefront: planned.storefront, currency: planned.currency,
            decision: planned.decision, reason: planned.reason, oldPrice: planned.oldPrice,
            newPrice: planned.newPrice, renewal: planned.renewal, days: planned.days,
            detail: try PlanDetail(kept: planned.detail))
    }
}

/// The words of `reason`, and their sentences.
public enum PlanReasons {
    /// No signed text says the storefront, or what a period costs.
    static let unknownTerms = "unknownTerms"
    /// The renewal date moves.
    static let extended = "extended"

    /// Every word.
    public static let all: [String] = {
        var words = ConsentDecision.Path.allCases.map(\.rawValue) + [extended, unknownTerms]
        words += BlockReason.allCases.map(\.rawValue) + LeftOutReason.allCases.map(\.rawValue)
        words += ExtensionRefusal.allCases.map(\.rawValue)
        words += OutageLeftOutReason.allCases.map(\.rawValue)
        var known: Set<String> = []
        return words.filter { known.insert($0).inserted }
    }()

    static func sentence(_ decision: PlanDecision, _ reason: String) -> String {
        switch decision {
        case .included: included(reason)
        case .blocked: BlockReason(rawValue: reason)?.sentence ?? reason
        case .notEligible: ExtensionRefusal(rawValue: reason).map { Self.sentence($0) } ?? reason
        case .leftOut:
            reason == unknownTerms
                ? "No signed transaction says where it was bought, or what a period costs."
                : LeftOutReason(rawValue: reason)?.sentence
                    ?? OutageLeftOutReason(rawValue: reason)?.sentence ?? reason
        }
    }

    private static func included(_ reason: String) -> String {
        guard let path = ConsentDecision.Path(rawValue: reason) else {
            return "The renewal date moves."
        }
        return switch path {
        case .none: "The price falls or stays: nothing is said."
        case .notice: "The subscriber is told, and need not answer."
        case .consent: "The subscriber must agree."
        case .unavailable: "The store takes no such change."
        }
    }

    private static func sentence(_ refusal: ExtensionRefusal) -> String {
        switch refusal {
        case .invalidDays: "An extension has 1 to 90 days."
        case .invalidReason: "The reason is none of the store's."
        case .familyMember: "It is shared: the purchaser's subscription is extended for all."
        case .expired: "The subscription is over."
        case .revoked: "The running period was refunded."
        case .inBillingRetry: "A renewal failed and access has stopped."
        case .inGraceAfterExpiry: "Access lasts by a grace period only."
        case .inFreeOffer: "The running period is free."
        case .neverPaid: "No period was ever paid."
        case .limitReached: "Two extensions lie within the past 365 days."
        }
    }
}

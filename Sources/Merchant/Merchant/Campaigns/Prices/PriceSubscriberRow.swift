import MerchantRules
import Storage
import SubscriptionRules

/// One subscriber of a price campaign that was started.
struct PriceSubscriberRow: StoredRecord {
    var campaign: Int64
    var purchase: Int64
    var productID: String
    var storefront: String?
    var currency: String?
    /// Whom reports put together: what is asked, or why the campaign leaves them out.
    var cohort: String
    var state: SubscriberState.Code
    var detail: String?
    var outcome: CampaignOutcome
    /// Since when the outcome is that.
    var outcomeAt: Instant
    /// Whether the campaign does nothing more for the subscriber.
    var isOver: Bool
    /// When it is to be looked at: 0 once the store has said something of it.
    var due: Instant?
    /// What a period cost and would cost when the campaign began.
    var oldPrice: Int64
    var newPrice: Int64
    /// What it costs now, and whether it goes on.
    var priceNow: Int64
    var isRenewing: Bool
    /// What the registers said last, as `PriceSight` writes it.
    var sight: String
    /// What the rules keep, as `PriceStateText` writes it.
    var record: String

    static let blank = PriceSubscriberRow(
        campaign: 0, purchase: 0, productID: "", storefront: nil, currency: nil, cohort: "",
        state: .planned, detail: nil, outcome: .waiting, outcomeAt: Instant(milliseconds: 0),
        isOver: false, due: nil, oldPrice: 0, newPrice: 0, priceNow: 0, isRenewing: true,
        sight: "", record: "")

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("campaign", &campaign)
        try columns.column("purchase", &purchase)
        try columns.column("product_id", &productID)
        try columns.column("storefront", &storefront)
        try columns.column("currency", &currency)
        try columns.column("cohort", &cohort)
        try columns.column("state", &state)
        try columns.column("detail", &detail)
        try columns.column("outcome", &outcome)
        try columns.column("outcome_at", &outcomeAt)
        try columns.column("is_over", &isOver)
        try columns.column("due_at", &due)
        try columns.column("old_price", &oldPrice)
        try columns.column("new_price", &newPrice)
        try columns.column("price_now", &priceNow)
        try columns.column("is_renewing", &isRenewing)
        try columns.column("sight_text", &sight)
        try columns.column("record_text", &record)
    }

    private static let register = Register<Self>(
        table: "price_subscriber", key: ["campaign", "purchase"])

    func save(_ session: any Session) throws(StorageError) {
        _ = try Self.register.take(self, session)
    }

    /// Those that a condition chooses.
    static func all(
        where condition: SQL, _ session: any Session
    ) throws(StorageError) -> [PriceSubscriberRow] {
        try register.records(where: condition, session)
    }

    /// One of them, locked until the transaction ends where databases lock rows.
    static func locked(
        _ campaign: Int64, _ purchase: Int64, _ session: any Session
    ) throws(StorageError) -> PriceSubscriberRow? {
        try register.records(
            where: """
                campaign = \(campaign) AND purchase = \(purchase)\(raw: session.dialect.lockRow)
                """, session
        ).first
    }

    /// Lets campaigns look at a purchase of which something was heard.
    static func wake(_ purchase: Int64, _ session: any Session) throws(StorageError) {
        try session.execute("UPDATE price_subscriber SET due_at = 0 WHERE purchase = \(purchase)")
    }

    /// The purchases that are to be looked at, the longest due first.
    static func due(
        in campaign: Int64, at now: Instant, limit: Int, _ session: any Session
    ) throws(StorageError) -> [Int64] {
        try session.rows(
            """
            SELECT purchase FROM price_subscriber
            WHERE campaign = \(campaign) AND due_at <= \(now)
            ORDER BY due_at, purchase LIMIT \(limit)
            """
        ).map { row throws(StorageError) in try row.integer(0) }
    }

    /// The purchases behind one for which the campaign may still do something.
    static func open(
        in campaign: Int64, after last: Int64, limit: Int, _ session: any Session
    ) throws(StorageError) -> [Int64] {
        try session.rows(
            """
            SELECT purchase FROM price_subscriber
            WHERE campaign = \(campaign) AND is_over = 0 AND purchase > \(last)
            ORDER BY purchase LIMIT \(limit)
            """
        ).map { row throws(StorageError) in try row.integer(0) }
    }

    /// Another campaign that may still do something for a purchase; nil where none does.
    static func other(
        than campaign: Int64, for purchase: Int64, _ session: any Session
    ) throws(StorageError) -> Int64? {
        let states: [CampaignRunState] = [.planned, .running, .paused]
        return try session.row(
            """
            SELECT s.campaign FROM price_subscriber s JOIN campaign c ON c.id = s.campaign
            WHERE s.purchase = \(purchase) AND s.is_over = 0 AND s.campaign <> \(campaign)
                AND c.state IN (\(list: states.map(\.rawValue)))
            ORDER BY s.campaign LIMIT 1
            """
        )?.integer(0)
    }
}

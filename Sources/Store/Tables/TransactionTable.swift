import Storage
import SubscriptionRules

/// One transaction, as it happened: later changes to the catalogue leave it alone.
struct TransactionRecord {
    let id: Int64
    /// The first transaction of its chain.
    let originalID: Int64
    let subscription: Int64?
    let app: Int64
    let environment: StoreEnvironment
    let customer: Int64
    let productID: String
    let groupID: String?
    let type: ProductType
    let purchased: Instant
    let firstPurchased: Instant
    var expires: Instant?
    let quantity: Int
    let isRenewal: Bool
    let price: Money
    let storefront: Storefront
    let offer: Offer?
    var appAccountToken: String?
    var isUpgraded: Bool
    /// What was given back for it, in milliunits: by an upgrade, or by `revocation`.
    var refunded: Int64?
    /// That its price was given back, and why (REF-7); nil after an upgrade.
    var revocation: Revocation?
    /// What the store keeps of the price.
    let commission: CommissionRate
    var finished: Instant?
    /// Grows with every change of any transaction: the order of histories.
    var modification: Int64

    /// The offer that a transaction was bought under.
    struct Offer {
        let kind: SubscriptionRules.Offer.Kind
        let id: String
        let mode: SubscriptionRules.Offer.Mode
        let wholePeriod: CalendarPeriod
    }

    static let columns = """
        t.id, t.original_id, t.subscription, t.app, t.environment, t.customer, t.product_id, \
        t.group_id, t.kind, t.purchased_at, t.first_purchased_at, t.expires_at, t.quantity, \
        t.is_renewal, t.price, t.currency, t.storefront, t.offer_kind, t.offer_id, t.offer_mode, \
        t.offer_period, t.app_account_token, t.is_upgraded, t.refunded, t.finished_at, \
        t.modification, t.revoked_at, t.revocation, t.revocation_reason, t.commission
        """
    static let columnCount = 30
}

extension TransactionRecord {
    /// Reads the columns of `columns`, which start at `first`.
    init(_ row: Row, first: Int = 0) {
        id = row.integer(first)
        originalID = row.integer(first + 1)
        subscription = row.integerOrNil(first + 2)
        app = row.integer(first + 3)
        environment = StoreEnvironment(rawValue: row.integer(first + 4))!
        customer = row.integer(first + 5)
        productID = row.text(first + 6)
        groupID = row.textOrNil(first + 7)
        type = ProductType(rawValue: row.text(first + 8))!
        purchased = row.instant(first + 9)
        firstPurchased = row.instant(first + 10)
        expires = row.instantOrNil(first + 11)
        quantity = row.int(first + 12)
        isRenewal = row.bool(first + 13)
        price = Money(milliunits: row.integer(first + 14), Currency(code: row.text(first + 15))!)
        storefront = Storefront(code: row.text(first + 16))!
        offer = row.intOrNil(first + 17).map { kind in
            Offer(
                kind: SubscriptionRules.Offer.Kind(rawValue: kind)!, id: row.text(first + 18),
                mode: SubscriptionRules.Offer.Mode(rawValue: row.text(first + 19))!,
                wholePeriod: CalendarPeriod(iso8601: row.text(first + 20))!)
        }
        appAccountToken = row.textOrNil(first + 21)
        isUpgraded = row.bool(first + 22)
        refunded = row.integerOrNil(first + 23)
        finished = row.instantOrNil(first + 24)
        modification = row.integer(first + 25)
        let (paid, given) = (price, refunded ?? 0)
        revocation = row.instantOrNil(first + 26).map { moment in
            Revocation(
                kind: Revocation.Kind(rawValue: row.text(first + 27))!,
                reason: row.intOrNil(first + 28).flatMap(Revocation.Reason.init(rawValue:)),
                moment: moment, price: paid, refunded: given)
        }
        commission = CommissionRate(rawValue: row.int(first + 29))!
    }

    private var values: [SQLValue] {
        [
            id.sqlValue, originalID.sqlValue, subscription.sqlValue, app.sqlValue,
            environment.sqlValue, customer.sqlValue, productID.sqlValue, groupID.sqlValue,
            type.rawValue.sqlValue, purchased.sqlValue, firstPurchased.sqlValue, expires.sqlValue,
            quantity.sqlValue, isRenewal.sqlValue, price.milliunits.sqlValue,
            price.currency.code.sqlValue, storefront.code.sqlValue,
            (offer?.kind.rawValue).sqlValue, (offer?.id).sqlValue, (offer?.mode.rawValue).sqlValue,
            (offer?.wholePeriod.iso8601).sqlValue, appAccountToken.sqlValue, isUpgraded.sqlValue,
            refunded.sqlValue, finished.sqlValue, modification.sqlValue,
            (revocation?.moment).sqlValue, (revocation?.kind.rawValue).sqlValue,
            (revocation?.reason?.rawValue).sqlValue, commission.rawValue.sqlValue,
        ]
    }

    private static let insertText: String = {
        let names = columns.replacing("t.", with: "")
        let places = (1...columnCount).map { "$\($0)" }.joined(separator: ", ")
        return "INSERT INTO store_transaction (\(names)) VALUES (\(places))"
    }()

    static func insert(_ records: [TransactionRecord], in session: any Session) throws {
        guard !records.isEmpty else { return }
        try session.executeMany(insertText, records.map(\.values))
    }

    static func find(_ id: Int64, in session: any Session) throws -> TransactionRecord? {
        try session.row(
            "SELECT \(raw: columns) FROM store_transaction t WHERE t.id = \(id)"
        ).map { TransactionRecord($0) }
    }
}

import AppStoreWire
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
    /// The offer of a subscription of one line, or of what was bought once.
    @Rare var offer: Offer?
    /// What was charged for, where it is several things; otherwise it is the product alone.
    var lines: [Line]
    var appAccountToken: String?
    var isUpgraded: Bool
    /// What was given back for it, in milliunits: by an upgrade, or by `revocation`.
    var refunded: Int64?
    /// That its price was given back, and why (REF-7); nil after an upgrade.
    @Rare var revocation: Revocation?
    /// What the store keeps of the price.
    let commission: CommissionRate
    var finished: Instant?
    /// Grows with every change of any transaction: the order of histories.
    var modification: Int64
    /// The purchaser's transaction that a family member has this one from; nil for what the
    /// customer bought.
    var source: Int64? = nil
    /// How a subscription is billed.
    var billing = BillingPlan.upFront
    /// What a month of a commitment says of that; nil for everything else (CMT-1).
    @Rare var instalment: Instalment? = nil
    /// What a merchant said of what it sells itself, as the payload tells it; nil for the
    /// catalogue's products (JWS-6).
    @Rare var advancedCommerce: AdvancedCommerceTransactionInfo? = nil
    /// The ordinary subscription that a merchant's goes on for, by its first transaction.
    var previousOriginalID: Int64? = nil

    /// A month of a commitment.
    struct Instalment: Hashable {
        /// Which one, from 1.
        let number: Int
        /// When the commitment ends: an extension of this month moves it.
        var commitmentEnd: Instant
        /// What all months cost at the standard price, in milliunits.
        let commitmentPrice: Int64
    }

    /// The offer that a transaction was bought under.
    struct Offer {
        let kind: SubscriptionRules.Offer.Kind
        let id: String
        let terms: Terms

        /// How it was paid.
        enum Terms {
            /// A subscription's, and for how long in all.
            case lasting(SubscriptionRules.Offer.Mode, CalendarPeriod)
            /// Of what is bought once (COD-6).
            case oneTime
        }

        /// The text of `offerDiscountType`.
        var mode: String {
            switch terms {
            case .lasting(let mode, _): mode.rawValue
            case .oneTime: OneTimeOffer.mode
            }
        }

        /// As `offerPeriod` gives it; nil for what is bought once.
        var wholePeriod: CalendarPeriod? {
            switch terms {
            case .lasting(_, let period): period
            case .oneTime: nil
            }
        }
    }

    /// One of several things that a transaction charges for.
    struct Line: Hashable {
        let sku: String
        /// What was charged for it, in milliunits, its offer included.
        let price: Int64
        let offer: AppliedOffer?
    }

    static let columns = """
        t.id, t.original_id, t.subscription, t.app, t.environment, t.customer, t.product_id, \
        t.group_id, t.kind, t.purchased_at, t.first_purchased_at, t.expires_at, t.quantity, \
        t.is_renewal, t.price, t.currency, t.storefront, t.offer_kind, t.offer_id, t.offer_mode, \
        t.offer_period, t.app_account_token, t.is_upgraded, t.refunded, t.finished_at, \
        t.modification, t.revoked_at, t.revocation, t.revocation_reason, t.commission, \
        t.lines, t.source, t.billing_plan, t.instalment, t.commitment_ends_at, t.commitment_price, \
        t.advanced_commerce, t.previous_original
        """
    static let columnCount = 38
}

extension TransactionRecord {
    /// Reads the columns of `columns`, which start at `first`.
    init(_ row: Row, first: Int = 0) throws(StorageError) {
        let row = StoredRow(row, of: "store_transaction", TransactionRecord.columns, first: first)
        id = try row.identifier(0)
        originalID = try row.identifier(1)
        subscription = try row.identifierOrNil(2)
        app = try row.identifier(3)
        environment = try row.value(4)
        customer = try row.identifier(5)
        productID = try row.text(6)
        groupID = try row.textOrNil(7)
        type = try row.value(8)
        purchased = try row.instant(9)
        firstPurchased = try row.instant(10)
        expires = try row.instantOrNil(11)
        quantity = Int(try row.integer(12, in: 1...Int64(Int32.max)))
        isRenewal = try row.bool(13)
        price = Money(
            milliunits: try row.amount(14), try row.parsed(15, Currency.init(everUsed:)))
        storefront = try row.parsed(16, Storefront.init(code:))
        offer = row.isNull(17) ? nil : try Offer(row)
        appAccountToken = try row.textOrNil(21)
        isUpgraded = try row.bool(22)
        refunded = try row.integerOrNil(23, in: 0...price.milliunits)
        finished = try row.instantOrNil(24)
        modification = try row.identifier(25)
        revocation =
            row.isNull(26)
            ? nil : try Revocation(row, price: price, refunded: refunded ?? 0)
        commission = try row.value(29)
        lines = try row.decodedOrNil(30, LineText.lines) ?? []
        source = try row.identifierOrNil(31)
        billing = try row.parsedOrNil(32, BillingPlan.init(rawValue:)) ?? .upFront
        instalment = try row.countOrNil(33).map { number throws(StorageError) in
            Instalment(
                number: number, commitmentEnd: try row.instant(34),
                commitmentPrice: try row.amount(35))
        }
        advancedCommerce = try row.decodedOrNil(36, AdvancedCommerceText.transactionInfo)
        previousOriginalID = try row.identifierOrNil(37)
        guard lines.isEmpty || lines.reduce(0, { $0 + $1.price }) == price.milliunits else {
            throw row.contradiction("its lines do not make its price")
        }
    }

    /// A new row. Its place in the queues is that of its first change, and stays.
    private var values: [SQLValue] {
        [
            id.sqlValue, originalID.sqlValue, subscription.sqlValue, app.sqlValue,
            environment.sqlValue, customer.sqlValue, productID.sqlValue, groupID.sqlValue,
            type.rawValue.sqlValue, purchased.sqlValue, firstPurchased.sqlValue, expires.sqlValue,
            quantity.sqlValue, isRenewal.sqlValue, price.milliunits.sqlValue,
            price.currency.code.sqlValue, storefront.code.sqlValue,
            (offer?.kind.rawValue).sqlValue, (offer?.id).sqlValue, (offer?.mode).sqlValue,
            (offer?.wholePeriod?.iso8601).sqlValue, appAccountToken.sqlValue, isUpgraded.sqlValue,
            refunded.sqlValue, finished.sqlValue, modification.sqlValue,
            (revocation?.moment).sqlValue, (revocation?.kind.rawValue).sqlValue,
            (revocation?.reason?.rawValue).sqlValue, commission.rawValue.sqlValue,
            LineText.text(lines).sqlValue, source.sqlValue,
            (billing == .upFront ? nil : billing.rawValue).sqlValue,
            (instalment?.number).sqlValue, (instalment?.commitmentEnd).sqlValue,
            (instalment?.commitmentPrice).sqlValue,
            advancedCommerce.map(AdvancedCommerceText.text).sqlValue,
            previousOriginalID.sqlValue, modification.sqlValue,
        ]
    }

    private static let insertText: String = {
        let names = columns.replacing("t.", with: "")
        let places = (1...columnCount + 1).map { "$\($0)" }.joined(separator: ", ")
        return "INSERT INTO store_transaction (\(names), queued) VALUES (\(places))"
    }()

    static func insert(_ records: [TransactionRecord], in session: any Session) throws {
        guard !records.isEmpty else { return }
        try session.executeMany(insertText, records.map(\.values))
    }

    /// Whether a merchant's subscription went on for one of a customer's.
    static func isMigrated(
        _ originalID: Int64, ofCustomer customer: Int64, in session: any Session
    ) throws -> Bool {
        try session.exists(
            """
            SELECT 1 FROM store_transaction
            WHERE customer = \(customer) AND previous_original = \(originalID)
            """)
    }

    static func find(_ id: Int64, in session: any Session) throws -> TransactionRecord? {
        try session.row(
            "SELECT \(raw: columns) FROM store_transaction t WHERE t.id = \(id)"
        ).map { try TransactionRecord($0) }
    }
}

extension TransactionRecord.Offer {
    /// Reads the columns of a transaction's row.
    fileprivate init(_ row: StoredRow) throws(StorageError) {
        kind = try row.value(17)
        id = try row.text(18)
        terms =
            try row.text(19) == OneTimeOffer.mode
            ? .oneTime
            : .lasting(try row.value(19), try row.parsed(20, CalendarPeriod.init(iso8601:)))
    }
}

extension Revocation {
    /// Reads the columns of a transaction's row.
    fileprivate init(_ row: StoredRow, price: Money, refunded: Int64) throws(StorageError) {
        self.init(
            kind: try row.value(27), reason: row.isNull(28) ? nil : try row.value(28),
            moment: try row.instant(26), price: price, refunded: refunded)
    }
}

import AppStoreWire
public import SubscriptionRules

/// A bill as the store keeps it, with what it takes to carry out what it is for, whenever the
/// answer comes.
///
/// A bill that is paid at once has no row: its transaction bears its identifier and says the rest.
public struct BillRecord: Sendable {
    /// What a bill is for.
    public enum Purpose: String, Sendable, Hashable, CaseIterable {
        case purchase
        case planChange
        /// A plan change that takes over the running trial.
        case planChangeInTrial
        /// A merchant's request changes its plan at once.
        case modification
        case renewal
        case recovery
        /// A product that is no auto-renewable subscription.
        case oneTimePurchase

        /// As a row of the table has it.
        public init(_ purpose: Bill.Purpose) {
            self =
                switch purpose {
                case .purchase: .purchase
                case .planChange(.runningTrial): .planChangeInTrial
                case .planChange: .planChange
                case .modification: .modification
                case .renewal: .renewal
                case .recovery: .recovery
                }
        }

        /// The purpose in the rules; nil for what is no subscription.
        var ofSubscription: Bill.Purpose? {
            switch self {
            case .purchase: .purchase
            case .planChange: .planChange(.change)
            case .planChangeInTrial: .planChange(.runningTrial)
            case .modification: .modification
            case .renewal: .renewal
            case .recovery: .recovery
            case .oneTimePurchase: nil
            }
        }
    }

    /// Names it to the bank as well; the transaction that it becomes bears the same.
    public let id: Int64
    let app: Int64
    public let environment: StoreEnvironment
    let customer: Int64
    /// The subscription that waits for it; nil for one-time and for first purchases.
    public let subscription: Int64?
    public let purpose: Purpose
    public let productID: String
    let groupID: String?
    public let quantity: Int
    public let amount: Money
    public let storefront: Storefront
    let appAccountToken: String?
    /// The offer by which something is bought once; nil without one.
    var offerID: String?
    /// What a merchant sells once and describes itself; nil for the catalogue's products.
    @Rare var advancedCommerce: AdvancedCommerceTransactionInfo? = nil
    /// The bill in the rules, with its lines as they were asked for; nil for what is no
    /// subscription, and for what was paid at once.
    public let bill: Bill?
    public internal(set) var state: BillState
    /// Whether the bank was asked to give it up.
    public internal(set) var isBeingVoided = false
    public let made: Instant
    /// When its state last changed.
    public internal(set) var changed: Instant
    /// What the built-in bank will say, and when; no moment when the operator answers.
    var answer: BankAnswer?
    public internal(set) var answersAt: Instant?

    /// Whether the customer is there and asked for it, as for every one-time purchase.
    var isChosen: Bool { bill?.isChosen ?? true }

    /// When something happens to it by itself: the built-in bank answers, or the customer has
    /// waited long enough. A renewal that is pending is given up by its subscription.
    public var next: Instant? {
        guard state.isOutstanding else { return nil }
        let gaveUp = isChosen && !isBeingVoided ? made + Bill.patience : nil
        return [answersAt, gaveUp].compactMap { $0 }.min()
    }
}

extension BillRecord {
    /// A subscription's bill before the bank is asked.
    init(_ bill: Bill, of record: SubscriptionRecord, token: String?, at now: Instant) {
        self.init(
            id: bill.id, app: record.app, environment: record.environment,
            customer: record.customer,
            subscription: record.subscription.state == .new ? nil : record.subscription.id,
            purpose: Purpose(bill.purpose), productID: bill.plan.productID,
            groupID: record.subscription.groupID, quantity: 1, amount: bill.amount,
            storefront: record.storefront, appAccountToken: token, bill: bill, state: .sent,
            made: now, changed: now)
    }

    /// The bill of a transaction that was paid when it was asked for.
    init(paidAtOnce transaction: TransactionRecord) {
        let purpose: Purpose
        switch (transaction.subscription, transaction.isRenewal) {
        case (nil, _): purpose = .oneTimePurchase
        case (_?, true): purpose = .renewal
        case (_?, false): purpose = .purchase
        }
        self.init(
            id: transaction.id, app: transaction.app, environment: transaction.environment,
            customer: transaction.customer, subscription: transaction.subscription,
            purpose: purpose, productID: transaction.productID, groupID: transaction.groupID,
            quantity: transaction.quantity, amount: transaction.price,
            storefront: transaction.storefront, appAccountToken: transaction.appAccountToken,
            bill: nil, state: .paid, made: transaction.purchased, changed: transaction.purchased)
    }
}

/// The bank declined what a customer asked for.
struct BillDeclined: Error {
    let bill: BillRecord
    /// The customer, whose payment method remembers that it was asked.
    let customer: Customer
}

public import SubscriptionRules

/// What belongs to an event besides its kind, its moment and its transaction. Each kind has some
/// of it; money is in milliunits.
public struct JournalDetail: Sendable, Hashable {
    /// The product after the event, or that it is about.
    public var productID: String?
    /// The currency of all amounts.
    public var currency: String?
    /// The end of the newest period after the event.
    public var until: Instant?
    /// The product that waits for the next renewal.
    public var nextProductID: String?
    /// How a plan that was chosen relates to the one before.
    public var planChange: PlanStep?
    /// How a discount of the new period is paid.
    public var offerMode: Offer.Mode?
    /// The offer that the new period is under.
    @Rare public var offer: NamedOffer? = nil
    /// The offer that waits for a renewal after the event.
    @Rare public var nextOffer: NamedOffer? = nil
    /// The month of the commitment after the event, from 1.
    public var instalment: Int?
    /// What the bank declined.
    public var declined: Int64?
    /// What the bank had still to answer after the event.
    public var pending: Int64?
    /// The bill that it is about, where it was not paid at once.
    public var billID: Int64?
    /// What that bill is for, where it is another product than the subscription's.
    public var billProductID: String?
    /// What was given back.
    public var refunded: Int64?
    /// What the command asked for that it was.
    public var asked: String?
    /// What else there is to say: a customer's reason, why an extension failed, the identifier of
    /// a mass extension.
    public var note: String?
    /// What a period cost when a new price came up.
    public var oldPrice: Int64?
    /// The new price that the event is about.
    public var newPrice: Int64?
    /// The renewal that first charges a higher price; nil while none is planned.
    public var newPriceFrom: Instant?
    /// What the new price is for, where that is the product that waits for the next renewal.
    public var pricedProductID: String?
    /// The end of a grace period, or of access while a payment is awaited.
    public var graceUntil: Instant?
    /// What the developer was told, such as `DID_RENEW` or `EXPIRED/VOLUNTARY`.
    public var notices: [String] = []
    /// What the subscription's columns became; nil where it has none.
    public var changes: ColumnChanges?
    /// What became of transactions.
    public var transactions: [TransactionChanges] = []
    /// What the operator made the developer be told although it had not happened.
    public var provoked: String?
    /// What a bank said about a bill alone.
    public var word: BankWord?
    /// What somebody should look into, of a bank that is asked.
    public var trouble: String?
    /// The price change that was scheduled or went live.
    @Rare public var scheduled: Scheduled? = nil
    /// How far a mass extension has come.
    @Rare public var massExtension: MassExtension? = nil
    /// What the developer said of how much was used.
    @Rare public var consumption: Consumption? = nil
    /// The account of the family member who gained or lost something.
    public var member: String?

    /// The devices that it happened on, each as it is after the event.
    public var devices: [DeviceQueue] = []

    /// Makes a detail that says nothing.
    public init() {}

    /// How a plan that was chosen relates to the one before, whatever the durations.
    public enum PlanStep: String, Sendable, Hashable, CaseIterable {
        case upgrade, crossgrade, downgrade

        /// Makes the step that a change of plan is.
        public init(_ change: PlanChange) {
            switch change {
            case .upgrade: self = .upgrade
            case .crossgradeOfSameDuration, .crossgradeOfOtherDuration: self = .crossgrade
            case .downgrade: self = .downgrade
            }
        }
    }

    /// What a bank said about a bill, and how the bill stands then.
    public struct BankWord: Sendable, Hashable {
        /// What it said.
        public var answer: BankAnswer
        /// The state of the bill after it.
        public var state: BillState

        /// Makes the word of a bank.
        public init(_ answer: BankAnswer, leaving state: BillState) {
            self.answer = answer
            self.state = state
        }
    }

    /// A price change.
    public struct Scheduled: Sendable, Hashable {
        /// The code of the storefront.
        public var storefront: String
        /// The new price.
        public var price: Int64
        /// What those pay whose price changes.
        public var cohortPrice: Int64?
        /// When it goes live.
        public var start: Instant
        /// What becomes of those who have subscribed, by its name.
        public var existing: String
        /// How those are billed whose price it is; nil where they pay up front.
        public var billingPlan: String?

        /// Makes a price change.
        public init(
            storefront: String, price: Int64, cohortPrice: Int64?, start: Instant,
            existing: String, billingPlan: String? = nil
        ) {
            self.billingPlan = billingPlan
            self.storefront = storefront
            self.price = price
            self.cohortPrice = cohortPrice
            self.start = start
            self.existing = existing
        }
    }

    /// An order that extends everybody's renewal date, in days and subscriptions.
    public struct MassExtension: Sendable, Hashable {
        /// How many days are added.
        public var days: Int64
        /// How many subscriptions it is about.
        public var candidates: Int64
        /// How many were extended.
        public var succeeded: Int64
        /// How many were not.
        public var failed: Int64

        /// Makes the state of an order.
        public init(days: Int64, candidates: Int64, succeeded: Int64, failed: Int64) {
            self.days = days
            self.candidates = candidates
            self.succeeded = succeeded
            self.failed = failed
        }
    }

    /// What a developer said of a purchase of which a refund is asked.
    public struct Consumption: Sendable, Hashable {
        /// The decision that is preferred, by its name.
        public var preference: String?
        /// How much was used up, in thousandths of a per cent.
        public var percentage: Int64?
        /// The text of the request.
        public var body: String

        /// Makes what a developer said.
        public init(preference: String?, percentage: Int64?, body: String) {
            self.preference = preference
            self.percentage = percentage
            self.body = body
        }
    }
}

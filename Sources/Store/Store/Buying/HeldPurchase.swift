import AppStoreWire
public import SubscriptionRules

/// A purchase that was asked for and that somebody else lets happen: an organiser who approves it,
/// or the customer who settles what interrupted it. Nothing is charged and nobody is told (ATB-1).
public struct HeldPurchase: Sendable, Hashable {
    /// Why it waits.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The account is a child's, whose purchases somebody approves.
        case askToBuy
        /// Terms, a card or an identity are to be confirmed first (INT-4).
        case interrupted
    }

    /// How far it has come.
    public enum State: String, Sendable, Hashable, CaseIterable {
        case waiting
        /// It was let happen; whether anything was bought says `obstacle`.
        case approved
        case declined
        /// Nobody decided in time (ATB-2).
        case lapsed
    }

    /// Why nothing was bought although it was approved: what refuses an ordinary purchase too.
    public enum Obstacle: String, Sendable, Hashable, CaseIterable {
        case notForSale, alreadySubscribed, notActive, paymentPending, paymentDeclined
        case paymentsNotAllowed, wrongGroup, ineligibleForOffer
    }

    public let id: Int64
    let app: Int64
    public let environment: StoreEnvironment
    let customer: Int64
    /// The subscription whose plan was to change; nil for a purchase.
    public internal(set) var subscription: Int64?
    public let productID: String
    /// How it is to be billed, of a subscription.
    public internal(set) var billing = BillingPlan.upFront
    public internal(set) var quantity: Int
    var appAccountToken: String?
    var lines: [Plan.Line]?
    /// The offer that was asked for; its signature was verified and used up when it was.
    var offer: OfferClaim?
    /// What the developer signed for it, of a product that stands for others.
    var advancedCommerce: AdvancedCommerceInAppRequest?
    public internal(set) var reason: Reason
    public internal(set) var state: State = .waiting
    public let asked: Instant
    /// When it lapses unless somebody decides before; nil once it is decided.
    public internal(set) var lapses: Instant?
    public internal(set) var decided: Instant?
    /// The bill that it was bought with, which its transaction bears the number of; nil where
    /// nothing was charged.
    public internal(set) var bill: Int64?
    public internal(set) var obstacle: Obstacle?

    /// How long it waits (ATB-2).
    public static let patience = Span.days(1)

    init(
        id: Int64, app: Int64, environment: StoreEnvironment, customer: Int64,
        subscription: Int64?, productID: String, reason: Reason, asked: Instant
    ) {
        self.id = id
        self.app = app
        self.environment = environment
        self.customer = customer
        self.subscription = subscription
        self.productID = productID
        quantity = 1
        self.reason = reason
        self.asked = asked
        lapses = asked + HeldPurchase.patience
    }
}

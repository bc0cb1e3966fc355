public import SubscriptionRules

/// What a price campaign means for one subscriber: in, waiting or out, with the reason, every date,
/// and what an operator should know before it runs.
public struct SubscriberPlan: Hashable, Sendable {
    /// Whether the campaign reaches the subscriber.
    public enum Decision: Hashable, Sendable {
        /// It does; the explanation has every test and date.
        case included(BundlePriceExplanation)
        /// Something stands in the way that may pass.
        case blocked(BlockReason)
        /// It does not.
        case leftOut(LeftOutReason)
    }

    public var originalTransactionID: String
    public var decision: Decision
    /// What lies ahead; nil unless included.
    public var schedule: CampaignSchedule?
    /// What the subscriber pays a period, offers aside, in milliunits.
    public var oldPrice: Int64
    /// What the subscriber would pay; the old price where the subscriber is left out.
    public var newPrice: Int64
    public var warnings: [PlanWarning]

    public init(
        originalTransactionID: String, decision: Decision, schedule: CampaignSchedule?,
        oldPrice: Int64, newPrice: Int64, warnings: [PlanWarning]
    ) {
        self.originalTransactionID = originalTransactionID
        self.decision = decision
        self.schedule = schedule
        self.oldPrice = oldPrice
        self.newPrice = newPrice
        self.warnings = warnings
    }
}

/// Why a campaign has to wait for a subscriber: a closed list (TAB-7.3).
public enum BlockReason: String, Hashable, Sendable, CaseIterable {
    /// A renewal failed; everything begins anew with full notice once it is paid.
    case inBillingRetry
    /// Renewal is off.
    case renewalOff
    /// There is no address, and the mail is never left out.
    case noMailAddress

    /// The reason as a sentence.
    public var sentence: String {
        switch self {
        case .inBillingRetry:
            "A renewal failed: the campaign waits and starts with full notice after the recovery."
        case .renewalOff: "Renewal is off: the campaign waits until it is turned on."
        case .noMailAddress: "There is no address for the mail, which must not be left out."
        }
    }
}

/// Why a campaign leaves a subscriber out: a closed list.
public enum LeftOutReason: String, Error, Hashable, Sendable, CaseIterable {
    /// The campaign is for another environment.
    case otherEnvironment
    /// The campaign changes no price of its items.
    case otherProduct
    /// The campaign has no price for the storefront.
    case otherStorefront
    /// The route changes no prices of such subscriptions.
    case otherRoute
    /// The subscriber pays the new price already.
    case paysItAlready
    /// The subscriber pays more, and the campaign only raises prices.
    case paysMore
    /// The subscriber pays less, and the campaign only lowers prices.
    case paysLess
    case excludedAccount
    case excludedStorefront
    case excludedProduct
    /// The purchaser decides, not who shares.
    case familyMember
    /// The subscription is over.
    case ended
    /// Advanced Commerce raises no prices in the storefront (ACP-5).
    case noIncreasesInStorefront
    /// A new price is below zero, or has more decimals than the currency allows (ACP-6).
    case priceNotAllowed
    /// Another campaign is running for the subscriber.
    case otherCampaignRuns
    /// No renewal comes before the end of time.
    case neverRenews

    /// The reason as a sentence.
    public var sentence: String {
        switch self {
        case .otherEnvironment: "The campaign is for another environment."
        case .otherProduct: "The campaign changes no price of what is subscribed to."
        case .otherStorefront: "The campaign has no price for the storefront."
        case .otherRoute: "The campaign's route does not change prices of such a subscription."
        case .paysItAlready: "The subscriber pays the new price already."
        case .paysMore: "The subscriber pays more, and the campaign only raises prices."
        case .paysLess: "The subscriber pays less, and the campaign only lowers prices."
        case .excludedAccount: "The campaign excludes the account."
        case .excludedStorefront: "The campaign excludes the storefront."
        case .excludedProduct: "The campaign excludes the product."
        case .familyMember: "It is shared: the purchaser's subscription decides."
        case .ended: "The subscription is over."
        case .noIncreasesInStorefront: "Advanced Commerce raises no prices in the storefront."
        case .priceNotAllowed: "The new price is none that the currency allows."
        case .otherCampaignRuns: "Another campaign is running for the subscriber."
        case .neverRenews: "No renewal comes that could charge the new price."
        }
    }
}

/// What would break a rule or reach nobody, said before a campaign runs: a closed list.
public enum PlanWarning: Hashable, Sendable {
    /// An increase was charged within the past 12 months: this one needs consent.
    case secondIncreaseWithin12Months(previous: Instant)
    /// The next renewal comes too soon for full notice, so the new price waits for a later one.
    case noticeTooShort(renewal: Instant)
    /// An extension is the second within 365 days: no other one is possible for a while.
    case extensionLimit
    /// Another change of price or plan waits for the next renewal already.
    case twoChangesInOneCycle
    /// The change goes live on the day of a renewal.
    case changeOnRenewalDay(Instant)
    /// The subscriber cannot be reached on a channel that the timetable uses.
    case unreachableBy(PriceMessage.Channel)

    /// The name without its details, for counting.
    public var code: String {
        switch self {
        case .secondIncreaseWithin12Months: "secondIncreaseWithin12Months"
        case .noticeTooShort: "noticeTooShort"
        case .extensionLimit: "extensionLimit"
        case .twoChangesInOneCycle: "twoChangesInOneCycle"
        case .changeOnRenewalDay: "changeOnRenewalDay"
        case .unreachableBy(.mail): "unreachableByMail"
        case .unreachableBy(.sheet): "unreachableBySheet"
        case .unreachableBy(.push): "unreachableByPush"
        }
    }

    /// Every code, in a fixed order.
    public static let codes = [
        "secondIncreaseWithin12Months", "noticeTooShort", "extensionLimit",
        "twoChangesInOneCycle", "changeOnRenewalDay", "unreachableByMail", "unreachableBySheet",
        "unreachableByPush",
    ]
}

import AppStoreWire
import ConnectAnswers
import SubscriptionRules

/// A subscription as the customer's device is told of it.
struct OwnSubscription: Sendable {
    let id: String
    /// 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    let status: Int64
    let isEntitled: Bool
    /// Whether another one of the family pays for it.
    let isShared: Bool
    let groupID: String
    let productID: String
    /// The product of the next period.
    let nextProductID: String
    let renews: Bool
    let expires: Instant
    /// When a commitment to twelve months ends.
    let commitmentEnds: Instant?
    private let transaction: JSONValue?
    private let renewal: JSONValue?

    /// - Throws: `UnusableAnswer`.
    init(_ answer: Answer) throws {
        id = try answer.text("originalTransactionId")
        status = try answer.integer("status")
        isEntitled = try answer.bool("entitled")
        isShared = try answer.bool("familyShared")
        groupID = try answer.text("subscriptionGroupIdentifier")
        productID = try answer.text("productId")
        nextProductID = try answer.text("autoRenewProductId")
        renews = try answer.bool("autoRenew")
        expires = try answer.moment("expires")
        commitmentEnds = answer.optionalMoment("commitmentExpires")
        transaction = answer.payload("signedTransactionInfo")
        renewal = answer.payload("signedRenewalInfo")
    }

    /// Whether it runs, or the store still tries to be paid for it.
    var isAlive: Bool { status == 1 || status == 3 || status == 4 }

    /// Whether the store tries to be paid for a renewal.
    var isUnpaid: Bool { status == 3 || status == 4 }

    /// When the next period is paid.
    var renewalDate: Instant {
        renewal?["renewalDate"]?.integer.map { Instant(milliseconds: $0) } ?? expires
    }

    /// What a period costs.
    struct Price: Hashable {
        let milliunits: Int64
        let currency: String
        /// Whether an offer makes it so.
        let isOffer: Bool

        fileprivate init?(_ payload: JSONValue?, _ member: String) {
            guard let milliunits = payload?[member]?.integer,
                let currency = payload?["currency"]?.string
            else { return nil }
            self.milliunits = milliunits
            self.currency = currency
            isOffer = payload?["offerType"] != nil
        }
    }

    /// What the newest period has cost.
    var price: Price? { Price(transaction, "price") }

    /// What the next one costs; nil where it does not renew.
    var nextPrice: Price? { renews ? Price(renewal, "renewalPrice") : nil }

    /// The win-back offers that the customer can have, best first.
    var winBackOffers: [String] {
        renewal?["eligibleWinBackOfferIds"]?.array?.compactMap(\.string) ?? []
    }
}

public import SubscriptionRules

/// Something that happened in the life of a purchase, or that will happen by itself.
public struct Happening: Hashable, Sendable {
    /// What it is; of two at one moment the one that comes first here happened first.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A period ended without payment, and access goes on for a while.
        case graceBegan
        /// A period ended without payment, and the store tries to charge without access.
        case retryBegan
        /// Access ended with the grace period, and the store goes on trying to charge.
        case graceEnded
        /// A period ended, and nothing has said yet whether it was the last one.
        case periodEnded
        /// A period ended, and access goes on for a while, for the news of its renewal may be late.
        case awaitingRenewal
        /// It ended for good, as far as is known.
        case ended
        /// Nothing is known of the time after a period's end, until `until`.
        case unknown
        case bought
        /// Bought once more after an end, or beside a period that ran.
        case boughtAgain
        case renewed
        /// Renewed after the store had to try again.
        case recovered
        /// Paid within the grace period: the billing day stays.
        case recoveredInGrace
        /// Renewed as another product.
        case changedPlan
        /// Another product took the place of the one that ran, at once.
        case upgraded
        /// The end of the running period was moved.
        case extended
        /// The money went back, all of it or a share.
        case refunded
        /// Whoever shared it does so no more.
        case sharingEnded
        case refundReversed
        /// The next period is going to begin.
        case willRenew
        /// The period is going to end, and is the last one.
        case willEnd
        /// The period is going to end, and nothing has said whether another one follows.
        case periodWillEnd
    }

    public var kind: Kind
    public var at: Instant
    /// The transaction that it is about.
    public var transaction: TransactionFacts
    /// The product from then on.
    public var productID: String
    /// The product before, where another one took its place.
    public var previousProductID: String?
    /// Until when what began goes on, as far as is known.
    public var until: Instant?
    /// How much of the price went back, in thousandths of a per cent; nil where nobody has said,
    /// or all of it did.
    public var refundedShare: Int64?
    /// Whether a refund was taken back later, so that no register says anything of it.
    public var isReversed = false
    /// Why it ended, in Apple's numbers.
    public var expirationIntent: Int64?
    /// Whether it comes only if the customer agrees to a price increase by then.
    public var needsConsent = false
    /// The notifications that said so, in the order of their signing.
    public var notices: [Notice] = []

    init(_ kind: Kind, at moment: Instant, _ transaction: TransactionFacts) {
        self.kind = kind
        at = moment
        self.transaction = transaction
        productID = transaction.productID
    }

    /// Whether it is still to come.
    public var isAhead: Bool {
        switch kind {
        case .willRenew, .willEnd, .periodWillEnd: true
        default: false
        }
    }
}

/// A notification about a purchase, as far as a story rests on it.
public struct Notice: Hashable, Sendable {
    /// Apple's identifier, the same in every retry.
    public var uuid: String
    /// Apple's word for its type, known or not.
    public var type: String
    public var subtype: String?
    /// The transaction that it is about.
    public var transactionID: String?
    public var signedAt: Instant

    public init(
        uuid: String, type: String, subtype: String? = nil, transactionID: String?,
        signedAt: Instant
    ) {
        self.uuid = uuid
        self.type = type
        self.subtype = subtype
        self.transactionID = transactionID
        self.signedAt = signedAt
    }
}

extension Happening {
    /// Whether a notification said so.
    func rests(on notice: Notice) -> Bool {
        guard notice.transactionID == transaction.transactionID else { return false }
        let isUpgrade = notice.subtype == "UPGRADE"
        switch kind {
        case .bought, .boughtAgain:
            return ["SUBSCRIBED", "OFFER_REDEEMED", "ONE_TIME_CHARGE"].contains(notice.type)
        case .unknown: return false
        case .renewed, .recovered, .recoveredInGrace, .changedPlan:
            return ["DID_RENEW", "OFFER_REDEEMED"].contains(notice.type)
        case .upgraded:
            return ["DID_CHANGE_RENEWAL_PREF", "OFFER_REDEEMED"].contains(notice.type) && isUpgrade
        case .graceBegan, .retryBegan: return notice.type == "DID_FAIL_TO_RENEW"
        case .graceEnded: return notice.type == "GRACE_PERIOD_EXPIRED"
        case .periodEnded, .awaitingRenewal, .ended: return notice.type == "EXPIRED"
        case .extended: return notice.type == "RENEWAL_EXTENDED" && notice.signedAt == at
        case .refunded: return notice.type == "REFUND"
        case .refundReversed: return notice.type == "REFUND_REVERSED" && notice.signedAt == at
        case .sharingEnded: return notice.type == "REVOKE"
        case .willRenew, .willEnd, .periodWillEnd:
            return notice.type == "DID_CHANGE_RENEWAL_STATUS" || notice.type == "PRICE_INCREASE"
                || notice.type == "DID_CHANGE_RENEWAL_PREF" && !isUpgrade
        }
    }

    /// One order for all, whatever the order in which they were found.
    static func isBefore(_ first: Happening, _ second: Happening) -> Bool {
        guard first.at == second.at else { return first.at < second.at }
        guard first.kind == second.kind else { return first.kind.place < second.kind.place }
        return TransactionFacts.isBefore(first.transaction, second.transaction)
    }
}

extension Happening.Kind {
    private static let places = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($0.element, $0.offset) })

    /// Its place among those of one moment.
    public var place: Int { Self.places[self] ?? 0 }
}

extension TransactionFacts {
    /// Two transactions of one moment are told apart by their number, which grows.
    static func isBefore(_ first: TransactionFacts, _ second: TransactionFacts) -> Bool {
        guard first.purchased == second.purchased else {
            return first.purchased < second.purchased
        }
        let numbers = (Int64(first.transactionID) ?? -1, Int64(second.transactionID) ?? -1)
        guard numbers.0 == numbers.1 else { return numbers.0 < numbers.1 }
        return first.transactionID < second.transactionID
    }
}

import HTTPSurface
import HTTPTypes
import Store
import SubscriptionRules

/// Why an offer is not applied, by StoreKit's own words for it.
extension ErrorBody {
    init(_ error: StoreError.OfferError) {
        switch error {
        case .unknown(let id):
            self.init(
                .notFound, "invalidOfferIdentifier",
                id.isEmpty
                    ? "The product has no introductory offer now in the customer's storefront."
                    : "The product has no such offer \(id.shortened).", field: "offer")
        case .refused(let refusal):
            self.init(.conflict, "ineligibleForOffer", refusal.sentence, field: "offer")
        case .signatureUsed:
            self.init(
                .forbidden, "invalidOfferSignature",
                "The signature was used already: each is good for one attempt to buy. Sign anew, "
                    + "with another nonce.", field: "offer")
        case .otherCustomer:
            self.init(
                .forbidden, "invalidOfferSignature",
                "The signature names a transaction that is not this customer's.", field: "offer")
        }
    }
}

extension ErrorBody {
    static func unknownOfferCodes(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownOfferCodes",
            "There are no codes with the number \(id) in this environment.")
    }

    init(_ error: StoreError.OfferCodeError) {
        switch error {
        case .unknown:
            self.init(
                .notFound, "unknownCode", "There is no such code: check what was typed.",
                field: "code")
        case .expired:
            self.init(.conflict, "codeExpired", "The code is no longer good.", field: "code")
        case .redeemed:
            self.init(
                .conflict, "codeRedeemed", "The code was redeemed already, as often as it may be.",
                field: "code")
        case .offerRedeemedBefore:
            self.init(
                .conflict, "offerRedeemedBefore",
                "The customer has redeemed a code of this offer: one is allowed.", field: "code")
        case .customTyped:
            self.init(
                .conflict, "customCodeTyped",
                "A custom code is redeemed by URL or in the app, not in account settings.",
                field: "code")
        case .taken(let code):
            self.init(
                .conflict, "codeTaken", "The app has the custom code \(code) already.",
                field: "custom")
        case .tooMany(let left):
            self.init(
                .conflict, "tooManyCodes",
                "An app can have 1000000 codes made in a quarter of a year: \(left) are left.",
                field: "count")
        }
    }
}

extension OfferRefusal {
    /// Why the customer cannot have the offer, in a sentence.
    var sentence: String {
        switch self {
        case .notAvailable:
            "The offer cannot be had now in the customer's storefront."
        case .ofOtherBillingPlan:
            "The offer belongs to the other billing plan of the product."
        case .neverSubscribed:
            "The offer is for customers who subscribe, or did."
        case .notInAudience:
            "The offer is for others: it names whether new, existing or expired subscribers may "
                + "have it."
        case .notAmongSpenders:
            "The offer is for others: it names whether those may have it who paid for nothing in "
                + "the app, for something in the last thirty days, or for something before that."
        case .wouldDowngrade:
            "Who subscribes can redeem a code for the same level of service or a higher one only."
        case .notLapsed:
            "The offer is for those whose subscription has ended and is not being renewed."
        case .hasSharedAccess:
            "The offer is for those who have no subscription of the group, and the customer has "
                + "one by Family Sharing."
        case .paidTooLittle:
            "The customer's paid service was shorter than the offer asks for."
        case .lapsedAtOtherTime:
            "The subscription ended too recently for the offer, or too long ago."
        case .wonBackRecently:
            "The customer had a win-back offer too recently."
        }
    }
}

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

extension OfferRefusal {
    /// Why the customer cannot have the offer, in a sentence.
    var sentence: String {
        switch self {
        case .notAvailable:
            "The offer cannot be had now in the customer's storefront."
        case .neverSubscribed:
            "The offer is for customers who subscribe, or did."
        case .notInAudience:
            "The offer is for others: it names whether new, existing or expired subscribers may "
                + "have it."
        case .wouldDowngrade:
            "Who subscribes can redeem a code for the same level of service or a higher one only."
        case .notLapsed:
            "The offer is for those whose subscription has ended and is not being renewed."
        case .paidTooLittle:
            "The customer's paid service was shorter than the offer asks for."
        case .lapsedAtOtherTime:
            "The subscription ended too recently for the offer, or too long ago."
        case .wonBackRecently:
            "The customer had a win-back offer too recently."
        }
    }
}

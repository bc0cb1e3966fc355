public import AppStoreWire
public import FoundationEssentials

extension Product {
    /// What is said with a purchase besides what is bought.
    public struct PurchaseOption: Sendable, Hashable {
        /// Each kind counts once: the last one of a kind that is sorted in wins.
        enum Kind: Sendable, Hashable {
            case appAccountToken(UUID)
            case quantity(Int)
            case offer(Offer)
            case billingPlan(BillingPlanType)
            case advancedCommerce(String)
            case idempotencyKey(String)
        }

        enum Offer: Sendable, Hashable {
            case introductory(jws: String)
            case promotional(id: String, jws: String)
            case signed(id: String, keyID: String, nonce: String, signature: String, Int64)
            case winBack(id: String)
        }

        let kind: Kind

        /// The developer's own name for the customer, which the transaction carries.
        public static func appAccountToken(_ token: UUID) -> PurchaseOption {
            PurchaseOption(kind: .appAccountToken(token))
        }

        /// How many of a consumable or non-renewing subscription: 1 to 10.
        public static func quantity(_ quantity: Int) -> PurchaseOption {
            PurchaseOption(kind: .quantity(quantity))
        }

        /// A promotional offer, signed by the developer's server as a compact JWS.
        public static func promotionalOffer(
            _ offerID: String, compactJWS: String
        ) -> PurchaseOption {
            PurchaseOption(kind: .offer(.promotional(id: offerID, jws: compactJWS)))
        }

        /// A promotional offer, signed by the developer's server in the older form.
        ///
        /// - Parameters:
        ///   - signature: ECDSA in DER.
        ///   - timestamp: when it was signed, in UNIX milliseconds of the real time, which counts
        ///     here, and not the store's own clock.
        public static func promotionalOffer(
            offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
        ) -> PurchaseOption {
            PurchaseOption(
                kind: .offer(
                    .signed(
                        id: offerID, keyID: keyID, nonce: nonce.uuidString.lowercased(),
                        signature: signature.base64EncodedString(), Int64(timestamp))))
        }

        /// The developer's word on whether this customer gets the introductory offer.
        public static func introductoryOfferEligibility(compactJWS: String) -> PurchaseOption {
            PurchaseOption(kind: .offer(.introductory(jws: compactJWS)))
        }

        /// A win-back offer: one of
        /// ``Product/SubscriptionInfo/RenewalInfo/eligibleWinBackOfferIDs``.
        public static func winBackOffer(_ offerID: String) -> PurchaseOption {
            PurchaseOption(kind: .offer(.winBack(id: offerID)))
        }

        /// How a yearly subscription that has both is billed: up front, which is so unless said
        /// otherwise, or monthly under a commitment to twelve months.
        public static func billingPlanType(_ plan: BillingPlanType) -> PurchaseOption {
            PurchaseOption(kind: .billingPlan(plan))
        }

        /// What the developer's server signed about a product that stands for others (Advanced
        /// Commerce): a compact JWS, or the JSON text that wraps it.
        public static func advancedCommerceData(_ data: String) -> PurchaseOption {
            PurchaseOption(kind: .advancedCommerce(data))
        }

        /// The app's own name for this one purchase: 1 to 64 visible characters, such as an order's
        /// number. Whatever happens, the store makes a purchase of one name once. Without this
        /// option the session makes a name, and keeps it until the purchase is answered.
        public static func idempotencyKey(_ key: String) -> PurchaseOption {
            PurchaseOption(kind: .idempotencyKey(key))
        }
    }

    /// What came of a purchase.
    public enum PurchaseResult: Sendable {
        /// It was made, or was made before. Verify, give what was paid for, then finish the
        /// transaction.
        case success(VerificationResult<Transaction>)
        /// ``StoreConfiguration/confirmPurchase`` said no: nothing was sent.
        case userCancelled
        /// It waits: for the bank, for somebody's approval, or to be settled, which
        /// ``PendingPurchase`` does. Once it is made, its transaction comes in
        /// ``Transaction/updates(in:)``.
        case pending
        /// Nothing is charged now: a change of plan, or a code's offer, begins with the next
        /// renewal. The subscription's status has it in its renewal info.
        case scheduled
    }

    /// Why a purchase was refused: StoreKit's reasons, and those of a store without the system's
    /// payment sheet.
    public enum PurchaseError: Error, Sendable, Hashable {
        /// The quantity is not 1 to 10, or this kind of product is bought one at a time.
        case invalidQuantity
        /// The product is unknown or not for sale in the account's storefront.
        case productUnavailable
        /// The account may not pay for anything.
        case purchaseNotAllowed
        /// The customer may not have the offer.
        case ineligibleForOffer
        /// There is no such offer of this product.
        case invalidOfferIdentifier
        /// The offer's signature does not hold: too old, of another product, by an unknown key, or
        /// used before.
        case invalidOfferSignature
        /// The offer lacks something.
        case missingOfferParameters
        /// The bank declined.
        case paymentDeclined
        /// The customer has it already.
        case alreadySubscribed
        /// Another payment for it waits for the bank.
        case paymentPending
    }
}

extension Product.PurchaseError: CustomStringConvertible {
    /// What is wrong, in one sentence.
    public var description: String {
        switch self {
        case .invalidQuantity: "So many cannot be bought."
        case .productUnavailable: "The product is not for sale here."
        case .purchaseNotAllowed: "This account may not pay for anything."
        case .ineligibleForOffer: "This customer may not have the offer."
        case .invalidOfferIdentifier: "There is no such offer of this product."
        case .invalidOfferSignature: "The offer's signature does not hold."
        case .missingOfferParameters: "The offer lacks something that must be signed."
        case .paymentDeclined: "The payment was declined."
        case .alreadySubscribed: "The customer is subscribed to it already."
        case .paymentPending: "Another payment for it has not been answered yet."
        }
    }
}

extension Product.PurchaseError {
    /// The store's codes that apps tell apart; all others stay refusals.
    init?(code: String) {
        switch code {
        case "invalidQuantity": self = .invalidQuantity
        case "unknownProduct", "notForSale", "notBilledMonthly": self = .productUnavailable
        case "paymentsNotAllowed": self = .purchaseNotAllowed
        case "ineligibleForOffer", "offerRedeemedBefore": self = .ineligibleForOffer
        case "invalidOfferIdentifier": self = .invalidOfferIdentifier
        case "invalidOfferSignature": self = .invalidOfferSignature
        case "missingOfferParameters": self = .missingOfferParameters
        case "paymentDeclined": self = .paymentDeclined
        case "alreadySubscribed": self = .alreadySubscribed
        case "paymentPending": self = .paymentPending
        default: return nil
        }
    }
}

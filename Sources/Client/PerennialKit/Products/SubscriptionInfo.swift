public import AppStoreWire
public import FoundationEssentials

extension Product {
    /// What an auto-renewable subscription has besides a name and a price.
    public struct SubscriptionInfo: Sendable, Hashable {
        /// The subscription group: of its products a customer has one at a time.
        public let subscriptionGroupID: String
        /// The group's name in the customer's language; empty where it has none.
        public let groupDisplayName: String
        /// The level of service in the group; 1 is the highest.
        public let groupLevel: Int
        /// How long a period lasts.
        public let subscriptionPeriod: SubscriptionPeriod
        /// The introductory offer, where this customer may still have it; where nobody is signed
        /// in, the one that new customers have.
        public let introductoryOffer: SubscriptionOffer?
        /// The promotional offers of the storefront now, in the order of the catalogue. The
        /// developer decides who has one, by a signature.
        public let promotionalOffers: [SubscriptionOffer]
        /// The win-back offers of the storefront now, in the order of the catalogue. The customer
        /// can have those that ``RenewalInfo/eligibleWinBackOfferIDs`` names.
        public let winBackOffers: [SubscriptionOffer]
        /// That the year can be paid month by month under a commitment to all twelve; nil where
        /// it is not sold so.
        public let monthlyBilling: MonthlyBilling?

        /// Whether the customer may still have an introductory offer in this product's group.
        public func isEligibleForIntroOffer(
            in session: StoreSession
        ) async throws(StoreKitError) -> Bool {
            try await Self.isEligibleForIntroOffer(for: subscriptionGroupID, in: session)
        }

        /// Whether the customer may still have an introductory offer in a group. A group of which
        /// no product has one is answered with false.
        ///
        /// - Throws: ``StoreKitError/notSignedIn`` too: it is a question about a customer.
        public static func isEligibleForIntroOffer(
            for groupID: String, in session: StoreSession
        ) async throws(StoreKitError) -> Bool {
            _ = try session.keeper.token()
            return try await session.shop().products.contains { product in
                guard let terms = product.subscription else { return false }
                return terms.subscriptionGroupID == groupID
                    && (terms.introductoryOffer != nil
                        || terms.monthlyBilling?.introductoryOffer != nil)
            }
        }
    }

    /// A year that is paid month by month: both prices are shown before it is bought.
    public struct MonthlyBilling: Sendable, Hashable {
        /// What a month costs, in thousandths of the currency's unit.
        public let priceMilliunits: Int64
        /// What all twelve months cost, in thousandths of the currency's unit.
        public let commitmentPriceMilliunits: Int64
        /// How long a month lasts.
        public let period: SubscriptionPeriod
        /// How long a commitment lasts.
        public let commitmentPeriod: SubscriptionPeriod
        /// The introductory offer, where this customer may still have it.
        public let introductoryOffer: SubscriptionOffer?
        /// The promotional offers of the plan that is billed monthly.
        public let promotionalOffers: [SubscriptionOffer]
        /// The win-back offers of the plan that is billed monthly.
        public let winBackOffers: [SubscriptionOffer]
    }

    /// A span of the calendar.
    public struct SubscriptionPeriod: Sendable, Hashable {
        /// What is counted.
        public enum Unit: String, Sendable, Hashable, CaseIterable {
            case day = "D"
            case week = "W"
            case month = "M"
            case year = "Y"
        }

        public let unit: Unit
        public let value: Int

        public init(unit: Unit, value: Int) {
            self.unit = unit
            self.value = value
        }

        /// As the store writes it: `P1M`.
        public var iso8601: String { "P\(value)\(unit.rawValue)" }

        init(iso8601 text: String) throws(StoreKitError) {
            guard text.first == "P", let unit = text.last.flatMap({ Unit(rawValue: String($0)) }),
                let value = Int(text.dropFirst().dropLast()), value > 0
            else { throw .invalidResponse("\(text.prefix(16)) is no period") }
            self.init(unit: unit, value: value)
        }
    }

    /// An offer of a subscription.
    public struct SubscriptionOffer: Sendable, Hashable {
        /// Which kind of offer it is.
        public typealias OfferType = AppStoreWire.OfferType
        /// How an offer is paid.
        public typealias PaymentMode = OfferDiscountType

        /// The offer's identifier; nil for an introductory one.
        public let id: String?
        /// The reference name; nil where it has none.
        public let name: String?
        public let type: OfferType
        public let paymentMode: PaymentMode
        /// How long one discounted period lasts.
        public let period: SubscriptionPeriod
        /// How many discounted periods there are.
        public let periodCount: Int
        /// What one discounted period costs, in thousandths of the currency's unit.
        public let priceMilliunits: Int64

        /// What one discounted period costs, in units of the currency: exact.
        public var price: Decimal { Decimal(milliunits: priceMilliunits) }
    }
}

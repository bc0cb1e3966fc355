public import AppStoreWire
public import SubscriptionRules

/// What a customer wants to buy.
public struct PurchaseRequest: Sendable {
    public var productID: String
    /// How it is to be billed, of a subscription.
    public var billing: BillingPlan
    /// What a subscription delivers, where that is not its product at its price: the merchant's own
    /// SKUs, prices and offers, in the currency of the customer's storefront.
    public var lines: [Plan.Line]?
    /// What the developer signed, where the product stands for what it describes itself.
    public var advancedCommerce: SignedInAppRequest?
    /// The offer that is asked for; nil for the introductory one where the customer may have it.
    public var offer: OfferClaim?
    public var quantity: Int
    /// The developer's own name for the customer: a UUID in lower case.
    public var appAccountToken: String?
    /// Makes a repeated request find what the first one bought.
    public var idempotencyKey: String?

    public init(
        productID: String, billing: BillingPlan = .upFront, lines: [Plan.Line]? = nil,
        offer: OfferClaim? = nil, quantity: Int = 1, appAccountToken: String? = nil,
        idempotencyKey: String? = nil
    ) {
        self.productID = productID
        self.billing = billing
        self.lines = lines
        self.offer = offer
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.idempotencyKey = idempotencyKey
    }
}

/// A request of Advanced Commerce whose signature somebody has verified.
public struct SignedInAppRequest: Sendable, Hashable {
    /// A UUID in lower case: one purchase for each.
    public var nonce: String
    public var request: AdvancedCommerceInAppRequest

    public init(nonce: String, _ request: AdvancedCommerceInAppRequest) {
        self.nonce = nonce
        self.request = request
    }
}

extension PurchaseRequest {
    /// What is asked for line by line, and the offer; a repeated request must say the same.
    var linesText: String {
        (billing == .upFront ? "" : " \(billing.rawValue)")
            + (offer.map { " \($0.text)" } ?? "")
            + (lines ?? []).map { line in
                " \(line.sku) \(line.price) " + (line.offer.map(PlanText.text) ?? "-")
            }.joined()
    }
}

extension Currency {
    /// - Throws: `StoreError.setting(.invalid)` where there is no line, a SKU comes twice, or an
    ///   amount cannot be paid or, as an offer, is no discount.
    func check(_ lines: [Plan.Line]) throws(StoreError) {
        guard !lines.isEmpty, Set(lines.map(\.sku)).count == lines.count else {
            throw .setting(
                .invalid("lines", reason: "there must be one at least, and no SKU twice"))
        }
        for line in lines {
            let offer = line.offer?.price ?? 0
            guard allows(line.price), allows(offer), 0 <= offer, offer <= line.price,
                line.price <= Catalogue.largestPrice
            else {
                throw .setting(
                    .invalid(
                        "lines",
                        reason: "\(line.sku) must cost 0 to \(Catalogue.largestPrice) milliunits "
                            + "in steps of \(step), as \(code) allows, and no more with an offer "
                            + "than without"))
            }
        }
    }
}

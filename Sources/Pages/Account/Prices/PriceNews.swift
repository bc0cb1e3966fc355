import ConnectAnswers
import SubscriptionRules

/// A higher price, or the end of an offer, that a customer is asked about or told of.
struct PriceNews: Sendable {
    let subscriptionID: String
    let productID: String
    let oldPrice: Int64
    let newPrice: Int64
    let currency: String
    let renewal: Instant
    /// Whether the subscription ends unless the customer agrees.
    let needsConsent: Bool
    /// Whether it is the end of an offer, as in Korea.
    let isConversion: Bool

    /// - Throws: `UnusableAnswer`.
    init(_ answer: Answer) throws {
        subscriptionID = try answer.text("originalTransactionId")
        productID = try answer.text("productId")
        oldPrice = try answer.integer("oldPrice")
        newPrice = try answer.integer("newPrice")
        currency = try answer.text("currency")
        renewal = try answer.moment("renewal")
        needsConsent = try answer.bool("needsConsent")
        isConversion = try answer.text("type") == "offerConversion"
    }
}

extension Visit {
    /// What a subscription's customer has to be told of its price; reading it counts for nothing.
    func priceNews(of id: String) async throws -> PriceNews? {
        try await priceNews().first { $0.subscriptionID == id }
    }

    /// The same of all subscriptions.
    func priceNews() async throws -> [PriceNews] {
        try await desk.get(StorePath("storefront", "v1", "messages")).list("messages")
            .map { try PriceNews($0) }
    }
}

public import AppStoreWire
public import FoundationEssentials
import FoundationInternationalization

/// Something that the app sells, with its price in the account's storefront and its texts in the
/// customer's language.
public struct Product: Sendable, Identifiable {
    /// What kind of purchase a product is.
    public typealias ProductType = TransactionType

    /// The product id.
    public let id: String
    /// What kind of purchase it is.
    public let type: ProductType
    /// Its name in the customer's language.
    public let displayName: String
    /// Its description in the customer's language.
    public let description: String
    /// The price in thousandths of the currency's unit: exact.
    public let priceMilliunits: Int64
    /// The currency, ISO 4217.
    public let currencyCode: String
    /// Whether Family Sharing is on.
    public let isFamilyShareable: Bool
    /// What an auto-renewable subscription has besides; nil for all others.
    public let subscription: SubscriptionInfo?
    /// The product as the store described it.
    public let jsonRepresentation: Data
    /// How prices are written.
    let priceLocale: Locale
    let session: StoreSession

    /// The products that can be bought, in the order of the catalogue. What is unknown or not for
    /// sale is left out. Where nobody is signed in, they are those of
    /// ``StoreConfiguration/storefront``, with offers that a customer may turn out not to have.
    ///
    /// - Parameter identifiers: none asks for nothing, as in StoreKit.
    public static func products(
        for identifiers: some Collection<String>, in session: StoreSession
    ) async throws(StoreKitError) -> [Product] {
        identifiers.isEmpty ? [] : try await session.shop(Array(identifiers)).products
    }

    /// Everything that the app sells, likewise.
    public static func allProducts(
        in session: StoreSession
    ) async throws(StoreKitError) -> [Product] {
        try await session.shop().products
    }

    /// The price in units of the currency: exact.
    public var price: Decimal { Decimal(milliunits: priceMilliunits) }

    /// The price as the storefront writes it in the customer's language: `$9.99` in the United
    /// States, `9,99 €` in Germany.
    public var displayPrice: String { display(priceMilliunits) }

    func display(_ milliunits: Int64) -> String {
        Decimal(milliunits: milliunits).formatted(
            .currency(code: currencyCode).locale(priceLocale))
    }

    /// The newest transaction of this product, finished or not.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async throws(StoreKitError) { try await Transaction.latest(for: id, in: session) }
    }

    /// The transaction by which the customer has access to this product now.
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async throws(StoreKitError) {
            try await Transaction.currentEntitlement(for: id, in: session)
        }
    }
}

extension Product: Hashable {
    public static func == (one: Product, other: Product) -> Bool {
        one.jsonRepresentation == other.jsonRepresentation
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(jsonRepresentation) }
}

extension Decimal {
    /// Thousandths, exactly.
    init(milliunits: Int64) {
        self.init(
            sign: milliunits < 0 ? .minus : .plus, exponent: -3,
            significand: Decimal(milliunits.magnitude))
    }
}

extension Date {
    /// UNIX milliseconds.
    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

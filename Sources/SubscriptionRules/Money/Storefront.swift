/// A country or region of the App Store: where a customer is at home decides the currency.
public struct Storefront: Hashable, Sendable {
    /// The three-letter code, such as `USA` (ISO 3166-1 alpha-3, and Apple's `XKS` for Kosovo).
    public let code: String
    /// Apple's number for it, such as `143441`.
    public let id: String
    /// The English name.
    public let name: String
    /// The currency of all prices there.
    public let currency: Currency

    /// The storefront with a three-letter code, in capitals.
    public init?(code: String) {
        guard let known = Storefront.byCode[code] else { return nil }
        self = known
    }

    init(code: String, id: String, name: String, currency: Currency) {
        self.code = code
        self.id = id
        self.name = name
        self.currency = currency
    }

    private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })

    /// The storefront of the United States, where nothing else is said.
    public static let usa = Storefront(code: "USA")!
}

extension Currency {
    private static let byCode = Dictionary(
        Storefront.all.map { ($0.currency.code, $0.currency) }, uniquingKeysWith: { one, _ in one })

    /// The currency with an ISO 4217 code, where the App Store charges in it.
    public init?(code: String) {
        guard let known = Currency.byCode[code] else { return nil }
        self = known
    }

    /// Currencies in which nothing is sold any more, since the euro took their place: Bulgaria's
    /// (2026), Croatia's (2023), Lithuania's (2015), Latvia's (2014) and Estonia's (2011).
    static let retired = ["BGN", "HRK", "LTL", "LVL", "EEK"].map { Currency(code: $0, decimals: 2) }

    private static let everUsed = byCode.merging(retired.map { ($0.code, $0) }) { one, _ in one }

    /// The currency with an ISO 4217 code, also one in which nothing is sold any more: for reading
    /// what was bought in it. What is offered goes by `init(code:)`.
    public init?(everUsed code: String) {
        guard let known = Currency.everUsed[code] else { return nil }
        self = known
    }
}

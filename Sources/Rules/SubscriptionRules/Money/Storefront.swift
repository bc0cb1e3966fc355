/// A country or region of the App Store: where a customer is at home decides the currency.
public struct Storefront: Hashable, Sendable {
    /// Its place in the table of storefronts: a number that costs nothing to copy.
    private let place: UInt8

    /// The three-letter code, such as `USA` (ISO 3166-1 alpha-3, and Apple's `XKS` for Kosovo).
    public var code: String { row.code }
    /// Apple's number for it, such as `143441`.
    public var id: String { row.id }
    /// The English name.
    public var name: String { row.name }
    /// The currency of all prices there.
    public var currency: Currency { row.currency }

    private var row: Row { Storefront.table[Int(place)] }

    /// What is known of a storefront.
    struct Row {
        let code: String
        let id: String
        let name: String
        let currency: Currency
    }

    /// The storefront with a three-letter code, in capitals.
    public init?(code: String) {
        guard let known = Storefront.byCode[code] else { return nil }
        self = known
    }

    private init(place: Int) { self.place = UInt8(place) }

    /// All 175 storefronts, by code.
    public static let all: [Storefront] = table.indices.map(Storefront.init(place:))

    private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })

    /// The storefront of the United States, where nothing else is said.
    public static let usa = Storefront(code: "USA")!
}

extension Currency {
    /// What is known of a currency.
    struct Row {
        let code: String
        let decimals: Int
    }

    private static let byCode = Dictionary(
        uniqueKeysWithValues: table.indices.map { (table[$0].code, Currency(place: UInt8($0))) })

    /// The currency with an ISO 4217 code, where the App Store charges in it.
    public init?(code: String) {
        guard let known = Currency(everUsed: code), !Currency.retired.contains(code) else {
            return nil
        }
        self = known
    }

    /// The currency with an ISO 4217 code, also one in which nothing is sold any more: for reading
    /// what was bought in it. What is offered goes by `init(code:)`.
    public init?(everUsed code: String) {
        guard let known = Currency.byCode[code] else { return nil }
        self = known
    }
}

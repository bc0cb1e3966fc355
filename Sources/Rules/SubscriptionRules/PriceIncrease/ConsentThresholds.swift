/// From which amounts a price increase needs consent, storefront by storefront. Apple changes
/// them with taxes and exchange rates, so they are data (THR-5, AMT-3).
public struct ConsentThresholds: Hashable, Sendable {
    /// Where the amounts of a row come from.
    public enum Origin: String, Hashable, Sendable, CaseIterable {
        /// Apple's published figures; only those in US dollars are known.
        case appleTable = "apple-table"
        /// The US dollar figures at an exchange rate that the operator gave.
        case converted
        /// The operator gave the amounts.
        case `operator`
        /// Nobody gave an amount: any increase of more than 50 % needs consent.
        case notFound = "not-found"
    }

    /// What holds in one storefront.
    public struct Row: Hashable, Sendable {
        /// The alpha-3 code.
        public let storefront: String
        /// The currency of the amounts.
        public let currency: Currency
        /// Whether the region demands consent for every increase, even of one unit (THR-1 a).
        public internal(set) var alwaysConsent: Bool
        /// Milliunits for each period of a plan shorter than a year; nil when not known (THR-3).
        public internal(set) var nonAnnualAmount: Int64?
        /// Milliunits a year for a yearly plan; nil when not known (THR-3).
        public internal(set) var annualAmount: Int64?
        /// The day from which the amounts are known.
        public internal(set) var asOf: CivilDate
        /// Where the amounts come from.
        public internal(set) var origin: Origin

        /// Restores a row as it was stored.
        public init(
            storefront: String, currency: Currency, alwaysConsent: Bool, nonAnnualAmount: Int64?,
            annualAmount: Int64?, asOf: CivilDate, origin: Origin
        ) {
            self.storefront = storefront
            self.currency = currency
            self.alwaysConsent = alwaysConsent
            self.nonAnnualAmount = nonAnnualAmount
            self.annualAmount = annualAmount
            self.asOf = asOf
            self.origin = origin
        }

        /// The amount for plans of a length, in milliunits; a 6-month plan is not annual (THR-3).
        public func amount(for period: CalendarPeriod) -> Int64? {
            period.isAnnual ? annualAmount : nonAnnualAmount
        }
    }

    /// The US dollar amounts: 5 a period, 50 a year, in milliunits (THR-3).
    public static let dollars: (nonAnnual: Int64, annual: Int64) = (5000, 50_000)

    /// The regions said to demand consent always. One unverified source names them; this is the
    /// safe side and can be switched off (AMT-2).
    public static let regionsWithConsent: Set<String> = ["AUT", "DEU", "POL"]

    /// The largest amount that can be set, in milliunits: as large as any price.
    public static let largestAmount: Int64 = 1_000_000_000_000

    /// When the built-in figures were read.
    public static let readOn = CivilDate(year: 2026, month: 10, day: 5)

    /// What holds where the operator has set nothing.
    public static let standard = ConsentThresholds()

    private var rows: [String: Row]

    /// The built-in table: US dollar figures where dollars are charged, none elsewhere.
    public init() {
        rows = Dictionary(
            uniqueKeysWithValues: Storefront.all.map { storefront in
                let isDollars = storefront.currency.code == "USD"
                let row = Row(
                    storefront: storefront.code, currency: storefront.currency,
                    alwaysConsent: Self.regionsWithConsent.contains(storefront.code),
                    nonAnnualAmount: isDollars ? Self.dollars.nonAnnual : nil,
                    annualAmount: isDollars ? Self.dollars.annual : nil,
                    asOf: Self.readOn, origin: isDollars ? .appleTable : .notFound)
                return (storefront.code, row)
            })
    }

    /// What held in one storefront when something was decided there, and in no other.
    init(onlyOf row: Row) { rows = [row.storefront: row] }

    /// The row of a storefront where it is not the built-in one.
    func operatorRow(of storefront: String) -> Row? {
        rows[storefront] == Self.standard.rows[storefront] ? nil : rows[storefront]
    }

    /// The row of a storefront, or nil when it is none of the App Store's: then every increase
    /// needs consent.
    public subscript(storefront: String) -> Row? { rows[storefront] }

    /// All rows, by storefront code.
    public var all: [Row] { rows.values.sorted { $0.storefront < $1.storefront } }

    /// Switches whether a region demands consent for every increase.
    ///
    /// - Throws: `unknownStorefront`.
    public mutating func setAlwaysConsent(
        _ isOn: Bool, in storefront: String
    ) throws(ThresholdRefusal) {
        guard rows[storefront] != nil else { throw .unknownStorefront(storefront) }
        rows[storefront]?.alwaysConsent = isOn
    }

    /// Sets the operator's amounts of a storefront, both at once, in milliunits of its currency.
    /// One that is nil counts as not known.
    ///
    /// - Throws: `unknownStorefront`, `negativeAmount`, `tooLarge` for more than any price.
    public mutating func setAmounts(
        nonAnnual: Int64?, annual: Int64?, in storefront: String, asOf day: CivilDate
    ) throws(ThresholdRefusal) {
        guard var row = rows[storefront] else { throw .unknownStorefront(storefront) }
        guard nonAnnual ?? 0 >= 0, annual ?? 0 >= 0 else { throw .negativeAmount(storefront) }
        guard max(nonAnnual ?? 0, annual ?? 0) <= Self.largestAmount else {
            throw .tooLarge(storefront)
        }
        row.nonAnnualAmount = nonAnnual
        row.annualAmount = annual
        row.asOf = day
        row.origin = .operator
        rows[storefront] = row
    }

    /// Fills in the storefronts of a currency from an exchange rate, rounding down to the
    /// currency's decimals: down means consent sooner. Amounts of Apple's table or of the
    /// operator stay; an earlier rate is replaced.
    public mutating func apply(_ rate: ExchangeRate) {
        for (code, row) in rows where row.currency == rate.currency {
            guard row.origin == .converted || row.origin == .notFound else { continue }
            rows[code]?.nonAnnualAmount = rate.convert(dollars: Self.dollars.nonAnnual)
            rows[code]?.annualAmount = rate.convert(dollars: Self.dollars.annual)
            rows[code]?.asOf = rate.asOf
            rows[code]?.origin = .converted
        }
    }
}

/// Why a threshold cannot be set; nothing has changed.
public enum ThresholdRefusal: Error, Hashable, Sendable {
    /// No storefront of the App Store has this code.
    case unknownStorefront(String)
    /// An amount below zero was given for this storefront.
    case negativeAmount(String)
    /// An amount beyond all prices was given for this storefront.
    case tooLarge(String)
}

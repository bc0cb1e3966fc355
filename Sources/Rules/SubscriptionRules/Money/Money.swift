/// An amount in milliunits of a currency: 1.99 USD is 1990, 300 JPY is 300000. Integers only.
public struct Money: Hashable, Sendable {
    /// Thousandths of the currency unit.
    public var milliunits: Int64
    /// The currency.
    public var currency: Currency

    /// Makes an amount.
    public init(milliunits: Int64, _ currency: Currency) {
        self.milliunits = milliunits
        self.currency = currency
    }
}

/// A currency of the App Store and the decimals that it allows in prices: 0 or 2.
///
/// The decimals are the App Store's, not ISO 4217's: Hong Kong dollars and Swedish crowns have
/// none here (AMT-4).
public struct Currency: Hashable, Sendable {
    /// Its place in the table of currencies. Every amount has one, so it is a number that costs
    /// nothing to copy.
    let place: UInt8

    /// The ISO 4217 code, such as `USD`.
    public var code: String { Currency.table[Int(place)].code }
    /// Decimals that a price may have: 0 or 2.
    public var decimals: Int { Currency.table[Int(place)].decimals }

    /// The smallest step of a price, in milliunits: 10 or 1000.
    public var step: Int64 { decimals == 2 ? 10 : 1000 }

    /// Rounds milliunits half up to this currency's decimals.
    public func rounded(_ milliunits: Int64) -> Int64 {
        (milliunits + step / 2).floorDivided(by: step) * step
    }

    /// Whether a price in milliunits has no more decimals than the currency allows.
    public func allows(_ milliunits: Int64) -> Bool { milliunits % step == 0 }
}

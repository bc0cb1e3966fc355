extension Money {
    /// The amount for people, such as `9.99 USD`, `300 JPY` or `-0.10 USD`: a number that is typed
    /// back as it stands, and the currency. It has the currency's decimals, and more only where an
    /// amount has them.
    public var plainText: String { Money.plainText(milliunits, currency.code) }

    /// An amount for people where only the currency's code is known.
    ///
    /// - Parameters:
    ///   - milliunits: thousandths of the currency's unit.
    ///   - code: the ISO 4217 code; one that the App Store does not have is taken to have two
    ///     decimals.
    ///   - places: how many decimals it shows at least.
    public static func plainText(
        _ milliunits: Int64, _ code: String, places: Int = 0
    ) -> String {
        let needed = max(Money.places(milliunits, code), places)
        let thousandths = String(String(milliunits.magnitude % 1000 + 1000).dropFirst())
        let fraction = needed == 0 ? "" : "." + thousandths.prefix(needed)
        let sign = milliunits < 0 ? "-" : ""
        return "\(sign)\(milliunits.magnitude / 1000)\(fraction) \(code)"
    }

    /// How many decimals an amount needs: those of its currency, or more where it has more, which
    /// are shown rather than cut off.
    public static func places(_ milliunits: Int64, _ code: String) -> Int {
        let usual = Currency(everUsed: code)?.decimals ?? 2
        let thousandths = milliunits.magnitude % 1000
        if thousandths % 10 != 0 { return 3 }
        return thousandths == 0 ? usual : max(usual, 2)
    }
}

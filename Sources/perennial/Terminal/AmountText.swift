import SubscriptionRules

/// Amounts as people read them.
enum AmountText {
    /// An amount with as many decimals as its currency has: `9.99 USD`, `1,000 JPY`.
    ///
    /// Decimals that the currency should not have are shown all the same rather than cut off.
    ///
    /// - Parameter milliunits: thousandths of the currency's unit.
    static func text(_ milliunits: Int64, _ currency: String) -> String {
        text(milliunits, currency, decimals: decimals(milliunits, currency))
    }

    /// The amounts of a column, all with as many decimals as the one that needs most, so that the
    /// points stand under one another.
    static func column(_ amounts: [(milliunits: Int64, currency: String)]) -> [String] {
        let decimals = amounts.map { Self.decimals($0.milliunits, $0.currency) }.max() ?? 0
        return amounts.map { text($0.milliunits, $0.currency, decimals: decimals) }
    }

    private static func decimals(_ milliunits: Int64, _ currency: String) -> Int {
        let usual = Currency(code: currency)?.decimals ?? 2
        let thousandths = milliunits.magnitude % 1000
        if thousandths % 10 != 0 { return 3 }
        return thousandths == 0 ? usual : max(usual, 2)
    }

    private static func text(_ milliunits: Int64, _ currency: String, decimals: Int) -> String {
        let thousandths = Int(milliunits.magnitude % 1000)
        var text = grouped(milliunits.magnitude / 1000)
        if decimals > 0 {
            text += "." + String(padded(thousandths, to: 3).prefix(decimals))
        }
        return (milliunits < 0 ? "-" : "") + "\(text) \(currency)"
    }

    /// A count with commas between thousands.
    static func grouped(_ number: UInt64) -> String {
        let digits = String(number)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}

/// A number in decimal digits, with zeros in front up to a width.
func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// A number and a noun: `1 renewal`, `2 renewals`.
func counted(_ count: Int, _ noun: String) -> String {
    "\(AmountText.grouped(UInt64(count.magnitude))) \(noun)\(count == 1 ? "" : "s")"
}

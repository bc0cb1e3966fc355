import SubscriptionRules

/// Amounts as people read them.
enum AmountText {
    /// An amount with as many decimals as its currency has: `9.99 USD`, `1,000 JPY`.
    ///
    /// Decimals that the currency should not have are shown all the same rather than cut off.
    ///
    /// - Parameter milliunits: thousandths of the currency's unit.
    static func text(_ milliunits: Int64, _ currency: String) -> String {
        let thousandths = Int(milliunits.magnitude % 1000)
        var decimals = Currency(code: currency)?.decimals ?? 2
        if thousandths % 10 != 0 {
            decimals = 3
        } else if thousandths != 0 {
            decimals = max(decimals, 2)
        }
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

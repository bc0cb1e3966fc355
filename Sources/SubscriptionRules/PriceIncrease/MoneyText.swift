extension Money {
    /// The amount for people, such as `USD 9.99`, `JPY 300` or `USD -0.10`: the currency's
    /// decimals, and a third only where an amount has a half of the smallest step.
    public var plainText: String {
        let whole = milliunits.magnitude / 1000
        let rest = milliunits.magnitude % 1000
        var text = currency.code + (milliunits < 0 ? " -" : " ") + String(whole)
        let digits = String(String(rest + 1000).dropFirst())
        if rest % 10 != 0 {
            text += "." + digits
        } else if currency.decimals == 2 || rest != 0 {
            text += "." + digits.prefix(2)
        }
        return text
    }
}

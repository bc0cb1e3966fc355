extension Money {
    /// Shares an amount out among the lines that it was charged for, in proportion to their
    /// amounts and to the currency's decimals. The shares make the whole, and where the whole is
    /// no more than the lines together, no share is more than its line (LIN-1).
    ///
    /// - Parameter lines: what each line was charged, in milliunits; not negative.
    /// - Returns: the shares in milliunits, in the same order.
    public func shared(inProportionTo lines: [Int64]) -> [Int64] {
        let total = lines.reduce(0, +)
        guard total > 0 else { return lines.map { _ in 0 } }
        let isEven = currency.allows(milliunits) && lines.allSatisfy(currency.allows)
        // What all lines up to one have together is rounded, so that nothing is left at the end.
        var (before, shared) = (Int64(0), Int64(0))
        return lines.map { line in
            before += line
            let (exact, _) = total.dividingFullWidth(milliunits.multipliedFullWidth(by: before))
            let upToHere = isEven ? currency.rounded(exact) : exact
            defer { shared = upToHere }
            return upToHere - shared
        }
    }
}

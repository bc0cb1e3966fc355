/// When a higher price is charged for the first time, and whether it is asked for.
extension NaiveStore {
    /// What is agreed to with a commitment is a year.
    func isMonthly(_ plan: HeldPlan) -> Bool {
        plan.length == .months(1) && plan.billing == .upFront
    }

    /// So many days, in Sandbox as a share of the plan's shortened length.
    public func days(_ count: Int, _ life: Life) -> Int {
        life.account.isSandbox
            ? sandboxSpan(days: count, of: life.plan.length, for: life.account)
            : count * NaiveCalendar.day
    }

    /// The first renewal at least so many days away; whoever has a discount renews once at the
    /// price shown at sign-up before that (INC-6). Of commitments only the ends count.
    func renewal(
        of life: Life, _ line: HeldLine, from: Int, distance: Int
    ) -> (start: Int, end: Int, before: Int) {
        var ahead = Ahead(life)
        ahead.toEndOfTerm(self)
        let (start, discounted) = (life.start, discountedTerms(line.sku, ahead))
        let least = days(discounted > 0 ? max(distance, 30) : distance, life)
        var (term, terms) = (start, 0)
        while terms < discounted || ahead.end - from < least {
            (term, terms) = (ahead.end, terms + 1)
            ahead.goOn(self)
            ahead.toEndOfTerm(self)
        }
        return (term, ahead.end, ahead.renewals)
    }

    /// How many ends of terms pass, a discount being given or promised, until there was a term at
    /// the price shown at sign-up: a commitment counts as discounted that begins with a discount,
    /// the running one if it ends with one.
    func discountedTerms(_ sku: String, _ last: Ahead) -> Int {
        var (ahead, count) = (last, 0)
        var isDiscounted = ahead.plan.line(sku)!.offer != nil
        while let line = ahead.plan.line(sku), line.offer != nil || line.upcoming != nil {
            ahead.goOn(self)
            if ahead.plan.line(sku)!.offer != nil { (isDiscounted, count) = (true, count + 1) }
            ahead.toEndOfTerm(self)
        }
        return isDiscounted ? count + 1 : 0
    }

    /// INC-1 and the table of thresholds.
    mutating func needsConsent(
        _ life: Life, _ line: HeldLine, _ price: Int, at renewal: Int
    ) -> Bool {
        let terms = shop.consent(in: life.country)
        if terms.always { return true }
        if let last = life.lastIncreases[line.sku] {
            let year = yearAfter(last, of: life)
            // The day on which the twelve months are full still counts.
            let isWithin =
                life.account.isSandbox ? year >= renewal : day(of: year) >= day(of: renewal)
            if isWithin { return true }
        }
        let old = line.price
        guard 2 * (price - old) > old else { return false }
        let months = life.plan.billing == .monthly ? 12 : 1
        let isYearly = life.plan.length == .months(12) || life.plan.billing == .monthly
        let amount = isYearly ? terms.yearly : terms.amount
        if terms != ConsentTerms(builtIn: life.country) { note("judged by the operator's amounts") }
        return amount.map { months * (price - old) > $0 } ?? true
    }

    /// The number of the day that wall clocks show.
    private func day(of instant: Int) -> Int {
        (instant + NaiveCalendar.offset(at: instant, isPacific: shop.terms.isPacific))
            / NaiveCalendar.day
    }
}

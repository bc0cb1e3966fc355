/// A new price of an item that a merchant describes itself (ACP-3).
public struct MerchantPriceChange: Hashable, Sendable {
    public let sku: String
    /// In milliunits of the plan's currency.
    public let price: Int64
    /// Items that end with this one where its increase is refused or unanswered (ACS-3).
    public let dependents: [String]

    public init(sku: String, price: Int64, dependents: [String] = []) {
        self.sku = sku
        self.price = price
        self.dependents = dependents
    }
}

/// Why prices of a merchant's items are not changed (ACP-4, ACP-5).
public enum MerchantPriceRefusal: Hashable, Sendable, CaseIterable {
    /// Nothing runs, or a payment is missing.
    case notActive
    /// Renewal is off.
    case renewalOff
    /// The next renewal delivers no such item.
    case unknownItem
    /// An offer runs on the item, or is to begin.
    case inOffer
    /// Higher prices are not taken in the storefront.
    case noIncreases
    /// An increase of the item was told to the subscriber already.
    case communicated
    /// An item that others depend on would depend on another one (ACS-3).
    case chainedDependent
    /// An item would depend on two others (ACS-3).
    case sharedDependent
}

/// Prices that a merchant changes with a request of its own (ACP-1 to ACP-12).
extension Subscription {
    mutating func changePrices(
        _ changes: [MerchantPriceChange], at now: Instant, under conditions: Conditions
    ) throws(Refusal) -> [Action] {
        for change in changes {
            if let refusal = refusal(of: change, under: conditions) {
                throw .priceNotChanged(refusal)
            }
        }
        if let refusal = refusalOfDependents(after: changes) { throw .priceNotChanged(refusal) }
        let before = (increases, nextPlan)
        for change in changes { changePrice(change, at: now, under: conditions) }
        // Prices that stay what they are, or are on their way, concern nobody.
        return (increases, nextPlan) == before ? [] : [.notify(.priceChanged)]
    }

    private func refusal(
        of change: MerchantPriceChange, under conditions: Conditions
    ) -> MerchantPriceRefusal? {
        let isStoreManaged = conditions.merchantRoute == .storeManaged
        switch state {
        case .active: break
        // The edition of 2025 knew billing retry alone.
        case .grace, .awaitingPayment:
            if isStoreManaged { return .notActive }
        case .new, .retrying, .expired, .revoked: return .notActive
        }
        if isStoreManaged, !renewsAutomatically { return .renewalOff }
        guard let line = (nextPlan ?? plan).line(change.sku),
            change.dependents.allSatisfy({ (nextPlan ?? plan).line($0) != nil })
        else { return .unknownItem }
        let running = runningItem(of: line)
        if isStoreManaged, [line, running].contains(where: { $0?.offer != nil }) {
            return .inOffer
        }
        let isRaised = change.price > min(line.price, running?.price ?? line.price)
        if isRaised, !conditions.merchantRoute.takesIncreases(in: conditions.storefront) {
            return .noIncreases
        }
        guard isStoreManaged, let running, let increase = increases[running.sku],
            increase.isAccepted != nil
        else { return nil }
        // Of a lower price nobody was told (ACP-12).
        return increase.price > running.price ? .communicated : nil
    }

    /// What depends on an item has no item that depends on it, and depends on no other, whichever
    /// requests said so (ACS-3).
    private func refusalOfDependents(
        after changes: [MerchantPriceChange]
    ) -> MerchantPriceRefusal? {
        let renewing = nextPlan ?? plan
        var dependents: [String: [String]] = [:]
        for line in renewing.lines {
            dependents[line.sku] = increases[increaseKey(of: line)]?.dependents
        }
        for change in changes {
            let isKept = renewing.line(change.sku)?.price == change.price
            dependents[change.sku] = isKept ? [] : change.dependents
        }
        let named = dependents.values.joined()
        guard named.allSatisfy({ dependents[$0]?.isEmpty ?? true }) else {
            return .chainedDependent
        }
        return Set(named).count < named.count ? .sharedDependent : nil
    }

    /// A price holds from the first renewal on that is a day away at least (ACP-2). A higher one
    /// is told and asked for by the store before, unless the merchant has done so (ACP-10).
    private mutating func changePrice(
        _ change: MerchantPriceChange, at now: Instant, under conditions: Conditions
    ) {
        guard let renewing = (nextPlan ?? plan).line(change.sku) else { return }
        guard let line = runningItem(of: renewing) else {
            return changePrice(change, ofWaiting: renewing, at: now, under: conditions)
        }
        let coming = increases[line.sku]
        guard coming?.price != change.price || coming?.dependents != change.dependents else {
            return
        }
        increases[line.sku] = nil
        guard change.price != line.price else { return }
        increases[line.sku] = PendingIncrease(
            price: change.price, live: now, phase: .waiting, dependents: change.dependents)
        if case .active = state { planIncrease(of: line, .renews, under: conditions) }
    }

    /// What only comes with the renewal costs what was shown for its first period: a higher price
    /// takes its course after that, told and asked for as any. What the store tells nobody of
    /// holds from the start, where the renewal is a day away (ACP-2). Either takes the place of an
    /// increase of what it is called until then, at another price.
    private mutating func changePrice(
        _ change: MerchantPriceChange, ofWaiting line: Plan.Line, at now: Instant,
        under conditions: Conditions
    ) {
        let coming = increases[change.sku]
        guard coming?.price != change.price || coming?.dependents != change.dependents else {
            return
        }
        increases[change.sku] = nil
        if let replaced = line.replaces { increases[replaced] = nil }
        guard change.price != line.price else { return }
        let increase = PendingIncrease(
            price: change.price, live: now, phase: .waiting, dependents: change.dependents)
        let isTold = isTold(of: increase, of: line, by: conditions.merchantRoute)
        let least = now + conditions.tempo.span(days: 1, of: plan.period)
        guard isTold || newestPeriod.end < least else {
            nextPlan = nextPlan?.repriced(change.sku, to: change.price)
            return
        }
        increases[change.sku] = increase
    }

    /// The item that runs and goes on in an item of the plan that waits for the renewal, be it
    /// under another SKU at the same price; nil for what only comes then.
    func runningItem(of line: Plan.Line) -> Plan.Line? {
        guard let running = plan.line(line.replaces ?? line.sku) else { return nil }
        let after = running.afterRenewal
        let isSame = (line.price, line.offer) == (after.price, after.offer)
        return line.sku == running.sku || isSame && line.nextOffer == after.nextOffer
            ? running : nil
    }

    /// By which SKU an item of the plan that waits for the renewal has its increase: under that of
    /// now what goes on, under its own what only comes then.
    public func increaseKey(of line: Plan.Line) -> String {
        plan.line(line.sku) == nil && increases[line.sku] != nil
            ? line.sku : line.replaces ?? line.sku
    }

    /// Nothing that neither runs nor waits for the renewal has an increase.
    mutating func forgetIncreasesOfWhatIsGone() {
        guard plan.merchant != nil, !increases.isEmpty else { return }
        let known = Set((plan.lines + waitingItems).map(\.sku))
        increases = increases.filter { known.contains($0.key) }
    }

    /// When a price holds that the store tells nobody of: a merchant's lower one, and a higher one
    /// where the merchant has told everybody (ACP-10, ACP-12). Nil where the store does so.
    func untoldSchedule(
        of increase: PendingIncrease, of line: Plan.Line, _ outlook: RenewalOutlook,
        under conditions: Conditions
    ) -> PendingIncrease.Schedule? {
        guard plan.merchant != nil,
            !isTold(of: increase, of: line, by: conditions.merchantRoute)
        else { return nil }
        let least = increase.live + conditions.tempo.span(days: 1, of: plan.period)
        return outlook.renewals.first { $0.moment >= least }.map {
            .init(
                path: .notice, announcement: increase.live, renewal: $0.moment, basis: outlook)
        }
    }

    /// Whether nothing would be left if what was asked were not answered: of a merchant's plan the
    /// item alone ends (ACS-2).
    public var endsWithoutConsent: Bool {
        let asked = plan.lines.map(\.sku).filter { sku in
            switch increases[sku]?.phase {
            case .asked, .declined: true
            case .waiting, .planned, .accepted, nil: false
            }
        }
        return !asked.isEmpty && restOfMerchantPlan(without: asked) == nil
    }

    /// What is left of a merchant's plan, at the prices before its increases; nil where nothing is.
    ///
    /// - Parameter skus: the items whose increases are refused, which end with those that depend on
    ///   them.
    public func restOfMerchantPlan(without skus: [String]) -> Plan? {
        guard plan.merchant != nil else { return nil }
        let dependents = Set(skus.flatMap { increases[$0]?.dependents ?? [] })
        var rest = nextPlan ?? plan.changingLines { $0 = $0.afterRenewal }
        rest.lines.removeAll { line in
            skus.contains(increaseKey(of: line)) || dependents.contains(line.sku)
                || dependents.contains(line.replaces ?? line.sku)
        }
        return rest.lines.isEmpty ? nil : rest
    }

    /// What the next renewal would charge as things stand, offers and announced increases included
    /// (INC-13): of a merchant's items without those whose higher price was refused (ACS-2).
    public var renewalAmount: Money {
        var next = renewalPlan
        let refused = skus(in: \.isDeclined)
        if !refused.isEmpty, let rest = restOfMerchantPlan(without: refused) {
            next.lines.removeAll { rest.line($0.sku) == nil }
        }
        return next.amount
    }
}

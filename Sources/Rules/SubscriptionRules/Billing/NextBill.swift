/// What a subscription will be charged next as things are, or that it will end: nobody answers
/// what is asked, and nothing is changed.
public struct NextBill: Hashable, Sendable {
    /// What comes of it.
    public enum Outcome: Hashable, Sendable {
        /// A bill is made at its moment.
        case charge(Bill)
        /// A bill was made, and the bank has still to answer it.
        case pending(Bill)
        /// It ends without one.
        case end(ExpirationReason)
    }

    public var outcome: Outcome
    /// When it is made, or when the subscription ends; nil for a bill that there is already.
    public var at: Instant?
    /// The period that the bill pays, once it is paid at that moment; nil where there is none.
    public var period: BillingPeriod?
    /// The subscription as it is just before.
    public var before: Subscription
}

extension Subscription {
    /// No subscription has so many moments before its next bill: announcements, questions, the
    /// end of a grace period.
    private static let mostMoments = 1000

    /// Finds the next bill by letting the time pass: everything that falls due happens to a copy,
    /// by the same rules. Nil where it is over.
    ///
    /// - Parameters:
    ///   - isForSale: whether a plan is for sale in the customer's storefront.
    ///   - prices: what the catalogue is going to cost, in the order of time.
    public func nextBill(
        under conditions: Conditions, prices: [(start: Instant, reach: PriceReach)] = [],
        isForSale: (Plan) -> Bool
    ) -> NextBill? {
        guard !isOver else { return nil }
        if let bill = outstanding?.bill {
            return NextBill(outcome: .pending(bill), before: self)
        }
        var (course, coming) = (self, prices[...])
        for _ in 0..<Self.mostMoments {
            guard let moment = course.nextChange else { return nil }
            while let price = coming.first, price.start <= moment {
                coming.removeFirst()
                course.meet(price.reach, at: price.start, under: conditions)
            }
            // A price may have brought an announcement before.
            guard let due = course.nextChange else { return nil }
            let before = course
            let isSold = isForSale(course.renewalPlan)
            let actions = try? course.handle(
                .becameDue(forSale: isSold), at: due, under: conditions
            ) { .max }
            guard let actions, course != before else { return nil }
            if case .expired(let reason, let at) = course.state {
                return NextBill(outcome: .end(reason), at: at, before: before)
            }
            for case .charge(let bill) in actions {
                return NextBill(
                    outcome: .charge(bill), at: due,
                    period: course.paying(bill, at: due, under: conditions), before: before)
            }
        }
        return nil
    }

    /// Lets a price of the catalogue go live.
    private mutating func meet(
        _ reach: PriceReach, at moment: Instant, under conditions: Conditions
    ) {
        guard reach.includes(self) else { return }
        let price = reach.price.milliunits
        _ = try? handle(
            .priceWasChanged(of: reach.productID, to: price, billed: reach.billing), at: moment,
            under: conditions
        ) { .max }
    }

    private func paying(
        _ bill: Bill, at moment: Instant, under conditions: Conditions
    ) -> BillingPeriod? {
        var course = self
        let actions = try? course.handle(
            .billWasPaid(bill.id), at: moment, under: conditions
        ) { .max }
        return actions == nil ? nil : course.newestPeriod
    }
}

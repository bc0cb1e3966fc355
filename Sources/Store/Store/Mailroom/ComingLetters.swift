import Letters
import SubscriptionRules

/// What the dates of one subscription bring: what is asked and told of prices, a look at whether
/// the next renewal will be paid, and its place in the monthly reminder.
///
/// It is seen from the subscription as it is, and from what was sent: nothing of it is kept but
/// when to look next, so that whatever moves a date moves its letters.
struct ComingLetters {
    let app: App
    let customer: Customer
    let record: SubscriptionRecord
    /// Whether the built-in bank collects, which can say beforehand what it will do.
    let isBankBuiltIn: Bool
    /// Whether the customer is written to by mail as well, and not on devices alone.
    let getsMail: Bool

    init(app: App, customer: Customer, record: SubscriptionRecord, isBankBuiltIn: Bool) {
        self.app = app
        self.customer = customer
        self.record = record
        self.isBankBuiltIn = isBankBuiltIn
        getsMail = app.settings.writes(to: customer, by: .mail)
    }

    var subscription: Subscription { record.subscription }
    var conditions: Conditions { app.conditions(for: customer, in: record.storefront) }

    /// What the customer knows a plan by.
    func name(of plan: Plan) -> String {
        plan.displayName { app.displayName(of: $0, for: customer) }
    }

    var isActive: Bool { if case .active = subscription.state { true } else { false } }

    private func span(_ days: Int) -> Span {
        customer.tempo.span(days: days, of: subscription.plan.period)
    }

    /// How long a request waits for the next one.
    var week: Span { span(7) }

    private var isNextForSale: Bool {
        app.isForSale(
            subscription.renewalPlan.productID, in: record.storefront, record.environment)
    }

    // MARK: The next renewal

    /// From when it is looked whether the renewal will be paid: ten days before it (S308-21).
    private var look: Instant? {
        guard getsMail, isActive, isBankBuiltIn, reasonToEnd == nil else { return nil }
        return max(subscription.newestPeriod.end - span(10), subscription.newestPeriod.purchased)
    }

    /// Why the next renewal does not come; nil where it does, as within a commitment whatever was
    /// chosen or is sold (CMT-1).
    private var reasonToEnd: CustomerMail.Upcoming.ReasonToEnd? {
        guard !subscription.owesInstalment else { return nil }
        guard subscription.renewsAutomatically else { return .turnedOff }
        guard isNextForSale else { return .notForSale }
        return subscription.hasRenewedToTheLimit(under: conditions) ? .renewalLimit : nil
    }

    /// The renewal that would probably not be paid, by a moment.
    func unpayable(at moment: Instant) -> CustomerMail.Upcoming? {
        guard let look, look <= moment, moment < subscription.newestPeriod.end else { return nil }
        let amount = subscription.renewalPlan.amount
        var method = customer.paymentMethod
        guard method.decide(on: amount, at: subscription.newestPeriod.end) == .declined else {
            return nil
        }
        return .init(
            name: name(of: subscription.renewalPlan), at: subscription.newestPeriod.end,
            price: amount, period: subscription.renewalPlan.period)
    }

    /// When the customer is to be reminded of the end of the running period: ten days before it,
    /// though in its second half.
    private var reminder: Instant? {
        guard getsMail, isActive else { return nil }
        let period = subscription.newestPeriod
        let half = Span(milliseconds: period.end.since(period.start).milliseconds / 2)
        return max(period.end - span(10), period.start + half)
    }

    /// Whether it is time for a reminder of it.
    func isToBeReminded(at moment: Instant) -> Bool {
        reminder.map { $0 <= moment && moment < subscription.newestPeriod.end } ?? false
    }

    /// What a reminder says of it, where its period ends in a time: the product and the end, and
    /// what the renewal costs. What waits for an answer is asked for and not reminded of.
    func upcoming(after moment: Instant, before until: Instant) -> CustomerMail.Upcoming? {
        let end = subscription.newestPeriod.end
        guard isActive, end > moment, end < until else { return nil }
        if let reasonToEnd {
            return .init(
                name: name(of: subscription.plan), at: end, price: nil, reasonToEnd: reasonToEnd,
                period: subscription.plan.period)
        }
        guard subscription.owesInstalment || subscription.agreesToIncreases != false else {
            return nil
        }
        let next = subscription.renewalPlan
        return .init(name: name(of: next), at: end, price: next.amount, period: next.period)
    }

    // MARK: When

    /// When something is to be written next after a moment.
    ///
    /// - Parameter remindedUntil: up to where reminders have looked.
    func next(after moment: Instant, remindedUntil: Instant?) -> Instant? {
        var coming = priceNews.flatMap(\.messages)
            .filter { getsMail || $0.channel != .mail }.map(\.moment)
        if let look { coming.append(look) }
        if let reminder, remindedUntil.map({ subscription.newestPeriod.end >= $0 }) ?? true {
            coming.append(max(reminder, remindedUntil ?? reminder))
        }
        return coming.filter { $0 > moment }.min()
    }

    /// How long after a reminder there is none.
    func month(after moment: Instant) -> Instant {
        guard customer.tempo == .real else { return moment + span(30) }
        let (date, time) = app.settings.billingZone.wallClock(at: moment)
        return app.settings.billingZone.instant(
            of: date.adding(months: 1), milliseconds: time)
    }
}

import Letters
import SubscriptionRules

/// What the dates of one subscription bring: what is asked and told of prices, a look at whether
/// the next renewal will be paid, and its place in the monthly reminder.
///
/// It is seen from the subscription as it is, and from what was sent: nothing of it is kept but
/// when to look next, so that whatever moves a date moves its letters.
struct SubscriptionLetters {
    let app: App
    let customer: Customer
    let record: SubscriptionRecord
    /// Whether the built-in bank collects, which can say beforehand what it will do.
    let isBankBuiltIn: Bool

    private var subscription: Subscription { record.subscription }
    private var conditions: Conditions { app.conditions(for: customer, in: record.storefront) }

    private var isActive: Bool { if case .active = subscription.state { true } else { false } }

    private func span(_ days: Int) -> Span {
        customer.tempo.span(days: days, of: subscription.plan.period)
    }

    /// How long a request waits for the next one.
    var week: Span { span(7) }

    private var isNextForSale: Bool {
        app.isForSale(
            subscription.renewalPlan.productID, in: record.storefront, record.environment)
    }

    // MARK: Prices

    /// Something of prices that a subscriber is asked or told, with when and how.
    struct PriceNews {
        enum Subject: Hashable {
            /// Lines whose prices rise together: one where the subscriber is asked.
            case increase(skus: [String], at: Instant, isAsked: Bool)
            case conversion(PendingConversion)
        }

        let subject: Subject
        let messages: [PriceMessage]

        var kind: MailKind {
            switch subject {
            case .increase(_, _, let isAsked):
                isAsked ? .priceIncreaseConsent : .priceIncreaseNotice
            case .conversion: .koreanConversion
            }
        }
    }

    /// What is on its way and was announced: its messages of all channels, also those of before.
    /// What is told of several lines at one renewal is told together (ACC-4).
    var priceNews: [PriceNews] {
        // In 2012 asking has turned renewal off (TAB-19).
        let isOn = subscription.renewsAutomatically || conditions.era == .session2012
        guard isActive, isOn, subscription.nextPlan == nil else { return [] }
        var news: [PriceNews] = []
        var told: [Instant: (skus: [String], messages: [PriceMessage])] = [:]
        for (line, increase) in subscription.comingIncreases {
            let messages = { subscription.messages(about: line.sku, under: conditions) }
            switch increase.phase {
            case .asked(let schedule):
                news.append(
                    PriceNews(
                        subject: .increase(
                            skus: [line.sku], at: schedule.renewal, isAsked: true),
                        messages: messages()))
            case .accepted(let schedule) where schedule.path == .notice:
                guard increase.price > line.price else { continue }
                let isTold = subscription.isTold(
                    of: increase, of: line, by: conditions.merchantRoute)
                // Where the merchant has told, the store pushes that it is so (ACP-11).
                let push = PriceMessage(
                    channel: .push, moment: schedule.announcement, condition: .always)
                var one = told[schedule.renewal] ?? ([], isTold ? messages() : [push])
                one.skus.append(line.sku)
                told[schedule.renewal] = one
            case .waiting, .planned, .accepted, .declined: break
            }
        }
        news += told.sorted { $0.key < $1.key }.map { renewal, lines in
            PriceNews(
                subject: .increase(skus: lines.skus, at: renewal, isAsked: false),
                messages: lines.messages)
        }
        if let conversion = subscription.conversion, conversion.isAsked, conversion.agreed == nil {
            news.append(
                PriceNews(
                    subject: .conversion(conversion),
                    messages: conversion.messages(at: customer.tempo)))
        }
        return news
    }

    /// What is said of it.
    func content(
        of news: PriceNews.Subject, _ name: (String) -> String
    ) -> CustomerMail {
        let plan = subscription.plan
        switch news {
        case .increase(let skus, let renewal, let isAsked):
            let increases = subscription.comingIncreases.filter { skus.contains($0.line.sku) }
            return .priceIncrease(
                .init(
                    needsConsent: isAsked,
                    lines: increases.map { line, increase in
                        .init(
                            name: name(line.sku),
                            old: Money(milliunits: line.price, plan.currency),
                            new: Money(milliunits: increase.price, plan.currency))
                    }, period: plan.period, at: renewal))
        case .conversion(let conversion):
            return .koreanConversion(
                .init(
                    name: name(plan.productID), isFree: conversion.kind == .freeTrialToPaid,
                    price: plan.price, period: plan.period, at: conversion.moment,
                    answerBy: conversion.closes - Span(milliseconds: 1)))
        }
    }

    // MARK: The next renewal

    /// From when it is looked whether the renewal will be paid: ten days before it (S308-21).
    private var look: Instant? {
        guard isActive, isBankBuiltIn, willRenew else { return nil }
        return max(subscription.newestPeriod.end - span(10), subscription.newestPeriod.purchased)
    }

    private var willRenew: Bool { subscription.renewsAutomatically && isNextForSale }

    /// The renewal that would probably not be paid, by a moment.
    func unpayable(at moment: Instant) -> CustomerMail.Upcoming? {
        guard let look, look <= moment, moment < subscription.newestPeriod.end else { return nil }
        let amount = subscription.renewalPlan.amount
        var method = customer.paymentMethod
        guard method.decide(on: amount, at: subscription.newestPeriod.end) == .declined else {
            return nil
        }
        return .init(
            name: subscription.renewalPlan.productID, at: subscription.newestPeriod.end,
            price: amount, period: subscription.renewalPlan.period)
    }

    /// When the customer is to be reminded of the end of the running period: ten days before it,
    /// though in its second half.
    private var reminder: Instant? {
        guard isActive else { return nil }
        let period = subscription.newestPeriod
        let half = Span(milliseconds: period.end.since(period.purchased).milliseconds / 2)
        return max(period.end - span(10), period.purchased + half)
    }

    /// What a reminder says of it, where its period ends in a time: the product and the end, and
    /// what the renewal costs. What waits for an answer is asked for and not reminded of.
    func upcoming(after moment: Instant, before until: Instant) -> CustomerMail.Upcoming? {
        let end = subscription.newestPeriod.end
        guard isActive, end > moment, end < until else { return nil }
        guard willRenew else {
            return .init(
                name: subscription.plan.productID, at: end, price: nil,
                period: subscription.plan.period)
        }
        guard subscription.agreesToIncreases != false else { return nil }
        let next = subscription.renewalPlan
        return .init(name: next.productID, at: end, price: next.amount, period: next.period)
    }

    // MARK: When

    /// When something is to be written next after a moment.
    ///
    /// - Parameter remindedUntil: up to where reminders have looked.
    func next(after moment: Instant, remindedUntil: Instant?) -> Instant? {
        var coming = priceNews.flatMap(\.messages).map(\.moment)
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

extension PriceMessage.Channel {
    var letterChannel: LetterChannel {
        switch self {
        case .mail: .mail
        case .sheet: .inApp
        case .push: .push
        }
    }
}

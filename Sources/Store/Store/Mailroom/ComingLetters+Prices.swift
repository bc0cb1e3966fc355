import Letters
import SubscriptionRules

/// What a subscriber is asked and told of prices, by which way and when.
extension ComingLetters {
    /// Something of prices that a subscriber is asked or told, with when and how.
    struct PriceNews {
        enum Subject: Hashable {
            /// Lines whose prices rise together.
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

    /// What is said of several lines by one message: whatever is asked for one renewal, since one
    /// answer is for all of it, and what is told at one moment (ACC-4, ACC-5).
    private struct Together: Hashable {
        let renewal: Instant
        /// Nil for what is asked.
        let told: Instant?

        /// What is asked comes before what is told.
        var place: (Int, Instant, Instant) { (told == nil ? 0 : 1, renewal, told ?? renewal) }
    }

    /// What is on its way and was announced: its messages of all channels, also those of before.
    var priceNews: [PriceNews] {
        // In 2012 asking has turned renewal off (TAB-19).
        let isOn = subscription.renewsAutomatically || conditions.era == .session2012
        // Of a merchant's plan the items that stay keep what is on its way (ACS-4).
        guard isActive, isOn, subscription.nextPlan == nil || subscription.plan.merchant != nil
        else { return [] }
        return increaseNews + conversionNews
    }

    private var increaseNews: [PriceNews] {
        var skus: [Together: [String]] = [:]
        var messages: [Together: Set<PriceMessage>] = [:]
        for (line, increase) in subscription.comingIncreases {
            guard let (together, some) = news(of: increase, of: line) else { continue }
            skus[together, default: []].append(line.sku)
            messages[together, default: []].formUnion(some)
        }
        return skus.sorted { $0.key.place < $1.key.place }.map { together, skus in
            PriceNews(
                subject: .increase(
                    skus: skus, at: together.renewal, isAsked: together.told == nil),
                messages: (messages[together] ?? []).sorted {
                    ($0.moment, $0.channel.rawValue) < ($1.moment, $1.channel.rawValue)
                })
        }
    }

    private func news(
        of increase: PendingIncrease, of line: Plan.Line
    ) -> (Together, [PriceMessage])? {
        switch increase.phase {
        case .asked(let schedule):
            return (
                Together(renewal: schedule.renewal, told: nil),
                subscription.messages(about: line.sku, under: conditions)
            )
        case .accepted(let schedule) where schedule.path == .notice:
            guard increase.price > line.price else { return nil }
            let isTold = subscription.isTold(of: increase, of: line, by: conditions.merchantRoute)
            // Where the merchant has told, the store pushes that it is so (ACP-11).
            let push = PriceMessage(
                channel: .push, moment: schedule.announcement, condition: .always)
            return (
                Together(renewal: schedule.renewal, told: schedule.announcement),
                isTold ? subscription.messages(about: line.sku, under: conditions) : [push]
            )
        case .waiting, .planned, .accepted, .declined: return nil
        }
    }

    private var conversionNews: [PriceNews] {
        guard let conversion = subscription.conversion, conversion.isAsked, conversion.agreed == nil
        else { return [] }
        return [
            PriceNews(
                subject: .conversion(conversion), messages: conversion.messages(at: customer.tempo))
        ]
    }

    /// What is said of it.
    func content(
        of news: PriceNews.Subject, _ name: (String) -> String
    ) -> CustomerMail {
        switch news {
        case .increase(let skus, let renewal, let isAsked):
            .priceIncrease(increase(of: skus, at: renewal, isAsked: isAsked, name))
        case .conversion(let conversion): .koreanConversion(request(for: conversion, name))
        }
    }

    private func increase(
        of skus: [String], at renewal: Instant, isAsked: Bool, _ name: (String) -> String
    ) -> CustomerMail.PriceIncreaseNews {
        let plan = subscription.plan
        let increases = subscription.comingIncreases.filter { skus.contains($0.line.sku) }
        let dependents = increases.flatMap(\.increase.dependents)
        return .init(
            needsConsent: isAsked,
            lines: increases.map { line, increase in
                .init(
                    name: line.displayName(name),
                    old: Money(milliunits: line.price, plan.currency),
                    new: Money(milliunits: increase.price, plan.currency))
            },
            dependents: isAsked
                ? remainingLines.filter { dependents.contains($0.sku) && !skus.contains($0.sku) }
                    .map { $0.displayName(name) } : [],
            restGoesOn: isAsked && restGoesOn(at: renewal), period: plan.period, at: renewal)
    }

    private func request(
        for conversion: PendingConversion, _ name: (String) -> String
    ) -> CustomerMail.KoreanConversionRequest {
        let plan = subscription.plan
        let items = plan.lines.filter { conversion.items.contains($0.sku) }
        let whole = CustomerMail.KoreanConversionRequest.Line(
            name: plan.displayName(name), isFree: conversion.kind == .freeTrialToPaid,
            price: plan.price)
        return .init(
            lines: items.isEmpty
                ? [whole]
                : items.map { line in
                    .init(
                        name: line.displayName(name),
                        isFree: (line.nextOffer ?? line.offer)?.price == 0,
                        price: Money(milliunits: line.price, plan.currency))
                }, restGoesOn: restGoesOn(at: conversion.moment), period: plan.period,
            at: conversion.moment, answerBy: conversion.closes - Span(milliseconds: 1))
    }

    /// What the renewal delivers.
    private var remainingLines: [Plan.Line] { (subscription.nextPlan ?? subscription.plan).lines }

    /// Whether a renewal delivers something although nothing is agreed to that was asked: of a
    /// merchant's plan the items alone end, with those that depend on them (ACS-2, ACS-3).
    private func restGoesOn(at renewal: Instant) -> Bool {
        let asked = subscription.comingIncreases.filter { _, increase in
            switch increase.phase {
            case .asked(let schedule), .declined(let schedule): schedule.renewal <= renewal
            case .waiting, .planned, .accepted: false
            }
        }.map(\.line.sku)
        let converted = subscription.conversion.map { conversion in
            conversion.moment <= renewal && conversion.agreed == nil ? conversion.items : []
        }
        return subscription.restOfMerchantPlan(without: asked + (converted ?? [])) != nil
    }

    // MARK: What still holds

    /// What is left of a letter about prices, as it is said now; nil where nothing is.
    func stillComing(
        of news: CustomerMail.PriceIncreaseNews
    ) -> CustomerMail.PriceIncreaseNews? {
        var told = news.lines.map(\.step)
        var kept: CustomerMail.PriceIncreaseNews?
        for one in priceNews {
            guard case .priceIncrease(var now) = content(of: one.subject, displayName),
                now.needsConsent == news.needsConsent, now.at == news.at
            else { continue }
            now.lines = now.lines.filter { told.take($0.step) }
            now.lines = (kept?.lines ?? []) + now.lines
            if !now.lines.isEmpty { kept = now }
        }
        return kept
    }

    /// What is left of a request about the end of offers; nil where nothing is.
    func stillAsked(
        of request: CustomerMail.KoreanConversionRequest
    ) -> CustomerMail.KoreanConversionRequest? {
        var told = request.lines.map(\.step)
        for one in priceNews {
            guard case .koreanConversion(var now) = content(of: one.subject, displayName) else {
                continue
            }
            now.lines = now.lines.filter { told.take($0.step) }
            return now.lines.isEmpty ? nil : now
        }
        return nil
    }

    private func displayName(_ sku: String) -> String { app.displayName(of: sku, for: customer) }
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

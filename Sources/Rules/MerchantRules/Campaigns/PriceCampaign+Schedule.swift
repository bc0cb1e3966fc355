import SubscriptionRules

extension PriceCampaign {
    /// What lies ahead, made flat; nil where no renewal can charge a new price.
    func schedule(
        _ explanation: BundlePriceExplanation, _ changes: [String: Int64],
        for subscriber: CampaignSubscriber, from start: Instant, contacts: [CampaignContact]
    ) -> CampaignSchedule? {
        let changing = explanation.items.filter { changes[$0.sku] != nil }
        let renewals = Dictionary(
            changing.compactMap { item in
                item.explanation.firstRenewalAtNewPrice.map { (item.sku, $0) }
            }, uniquingKeysWith: min)
        guard let first = renewals.values.min() else { return nil }
        let conversions = changing.compactMap { item in
            item.explanation.koreanConversion.map { (item.sku, $0) }
        }
        let asking = requests(conversions, from: start, contacts: contacts, tempo: subscriber.tempo)
        return CampaignSchedule(
            path: explanation.path, renewal: first,
            changes: changing.compactMap { item in
                renewals[item.sku].map { CampaignSchedule.Change(item, renewal: $0) }
            },
            answerBy: changing.compactMap(\.explanation.calendar.answerBy).min(),
            oldPrice: subscriber.price,
            newPrice: explanation.items.reduce(0) { $0 + $1.explanation.change.new },
            messages: (explanation.messages.map(CampaignMessage.init) + asking).inOrder,
            calls: route == .appStoreConnect
                ? []
                : explanation.requests.compactMap { request in
                    call(request, of: changing, renewals: renewals, from: start)
                },
            conversion: conversion(conversions, of: subscriber, from: start))
    }

    /// Of several offers that end those that end first.
    private func conversion(
        _ all: [(String, KoreanConversion)], of subscriber: CampaignSubscriber,
        from start: Instant
    ) -> CampaignSchedule.Conversion? {
        guard let first = all.map(\.1).min(by: { $0.moment < $1.moment }) else { return nil }
        let ending = all.filter { $0.1.moment == first.moment }.map(\.0)
        let offers = subscriber.items.map { ($0.sku, $0.price, $0.offer?.price ?? $0.price) }
        return CampaignSchedule.Conversion(
            moment: first.moment, kind: first.kind, opens: first.opens, closes: first.closes,
            skus: ending, oldPrice: offers.reduce(0) { $0 + $1.2 },
            newPrice: offers.reduce(0) { $0 + (ending.contains($1.0) ? $1.1 : $1.2) },
            // Nobody is ended whom the campaign could not have asked.
            isEndedByMerchant: isToldByMerchant && start < first.closes)
    }

    private func call(
        _ request: BundlePriceExplanation.Request, of items: [BundlePriceExplanation.Item],
        renewals: [String: Instant], from start: Instant
    ) -> CampaignCall? {
        let named = items.filter { request.skus.contains($0.sku) }
        guard let renewal = named.compactMap({ renewals[$0.sku] }).min() else { return nil }
        let isToldFirst =
            isToldByMerchant && named.contains { $0.explanation.change.isIncrease }
        return CampaignCall(
            skus: request.skus, needsConsent: request.needsConsent,
            needsNotice: isToldFirst && !request.needsConsent, opens: request.opens,
            closes: request.closes, latest: request.latest, renewal: renewal,
            difference: named.reduce(0) { $0 + $1.explanation.change.difference },
            status: .waiting(until: max(request.opens, start)))
    }

    /// Korea's own question beside the price (KOR-3, KOR-9): from the window's first moment, or
    /// from when the campaign begins or its week is over, on each channel.
    private func requests(
        _ conversions: [(String, KoreanConversion)], from start: Instant,
        contacts: [CampaignContact], tempo: Tempo
    ) -> [CampaignMessage] {
        var messages: [CampaignMessage] = []
        for (sku, conversion) in conversions {
            for message in conversion.messages {
                let contact = contacts.first {
                    $0.occasion == .koreanConversion && $0.channel == message.channel
                }
                let begins = max(conversion.opens, start, contact?.notBefore ?? start)
                let moment = message.moment + begins.since(conversion.opens)
                guard moment < conversion.closes, contact?.requested == nil else { continue }
                let same = messages.firstIndex {
                    $0.moment == moment && $0.channel == message.channel
                }
                if let same {
                    messages[same].skus.append(sku)
                } else {
                    messages.append(
                        CampaignMessage(
                            occasion: .koreanConversion, channel: message.channel, moment: moment,
                            condition: message.condition, skus: [sku]))
                }
            }
        }
        return messages
    }
}

extension CampaignSchedule.Change {
    fileprivate init(_ item: BundlePriceExplanation.Item, renewal: Instant) {
        self.init(
            sku: item.sku, oldPrice: item.explanation.change.old,
            newPrice: item.explanation.change.new, renewal: renewal,
            needsConsent: item.explanation.decision.path == .consent)
    }
}

extension CampaignMessage {
    fileprivate init(_ planned: BundlePriceExplanation.Message) {
        self.init(
            occasion: planned.message.condition == .untilAnswered ? .consent : .notice,
            channel: planned.message.channel, moment: planned.message.moment,
            condition: planned.message.condition, skus: planned.skus)
    }
}

extension [CampaignMessage] {
    /// By moment; at one moment by channel, in the order mail, sheet, push.
    var inOrder: [CampaignMessage] {
        let channels = PriceMessage.Channel.allCases
        func place(_ message: CampaignMessage) -> Int {
            channels.firstIndex(of: message.channel) ?? channels.count
        }
        return sorted { ($0.moment, place($0)) < ($1.moment, place($1)) }
    }
}

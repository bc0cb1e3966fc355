import SubscriptionRules

/// What the subscriber does with what was sent.
extension CampaignStep {
    /// Whether the subscriber was asked for consent, or told, since notice last began.
    private func wasTold(of occasion: CommunicationTimetable.Occasion) -> Bool {
        record.contacts.contains {
            $0.occasion == occasion && ($0.first != nil || $0.requested != nil)
        }
    }

    /// A notice that was seen needs no push any more (ACC-3). A request beside it says nothing of
    /// what the notice is about (ACC-5), and a sheet about an offer's end nothing of the price.
    mutating func look(
        at occasion: CommunicationTimetable.Occasion, isAcknowledged: Bool = false
    ) {
        if occasion != .koreanConversion, wasTold(of: occasion) {
            record.seen = record.seen ?? now
            if occasion == .notice { record.noticeSeen = record.noticeSeen ?? now }
            if isAcknowledged { record.acknowledged = record.acknowledged ?? now }
        }
        settle()
        proceed()
    }

    /// Keeps an answer to a question that was put, before any call that rests on it (ACC-8). In
    /// Korea it counts within the window (KOR-2).
    mutating func answer(_ occasion: CommunicationTimetable.Occasion, isAgreed: Bool) {
        guard let schedule = record.schedule, wasTold(of: occasion) else { return }
        switch occasion {
        case .notice:
            look(at: .notice, isAcknowledged: isAgreed)
        case .consent:
            guard let terms = schedule.terms(about: .consent) else { return }
            let answer = CampaignAnswer(
                occasion: occasion, isAgreed: isAgreed, at: now, skus: schedule.askedSKUs,
                oldPrice: terms.oldPrice, newPrice: terms.newPrice, renewal: terms.renewal)
            actions.append(.record(answer))
            // What the store has cannot be declined here: renewal can be turned off.
            let isTooLate = campaign.isToldByMerchant && consentIsUsed(schedule)
            if isAgreed || !isTooLate { record.answer = answer }
            drop(.consent)
        case .koreanConversion:
            guard let conversion = schedule.conversion, now >= conversion.opens,
                now < conversion.closes
            else { return }
            let answer = CampaignAnswer(
                occasion: occasion, isAgreed: isAgreed, at: now, skus: conversion.skus,
                oldPrice: conversion.oldPrice, newPrice: conversion.newPrice,
                renewal: conversion.moment)
            actions.append(.record(answer))
            record.conversionAnswer = answer
            drop(.koreanConversion)
        }
        settle()
    }

    mutating func decline(_ occasion: CommunicationTimetable.Occasion) {
        let before = record.answer
        answer(occasion, isAgreed: false)
        let isRefused = record.answer?.isAgreed == false && record.answer != before
        if isRefused, campaign.whenDeclined == .cancel, campaign.isToldByMerchant {
            actions.append(.cancelRenewal)
        }
        proceed()
    }

    /// Whether a call that rests on consent was made.
    private func consentIsUsed(_ schedule: CampaignSchedule) -> Bool {
        schedule.calls.contains { $0.needsConsent && ($0.isAccepted || $0.isRequested) }
    }

    private mutating func drop(_ occasion: CommunicationTimetable.Occasion) {
        record.schedule?.messages.removeAll { $0.occasion == occasion }
    }
}

import SubscriptionRules

extension PriceCampaign {
    /// What an operator should know before the campaign runs for a subscriber.
    func warnings(
        _ explanation: BundlePriceExplanation, _ schedule: CampaignSchedule,
        for subscriber: CampaignSubscriber, from start: Instant
    ) -> [PlanWarning] {
        let rising = explanation.items.filter { $0.explanation.change.isIncrease }
        var warnings: [PlanWarning] = []
        let previous = rising.flatMap(\.explanation.decision.reasons).compactMap {
            reason -> Instant? in
            guard case .frequency(let test) = reason, test.demandsConsent else { return nil }
            return test.previous
        }
        if let previous = previous.max() {
            warnings.append(.secondIncreaseWithin12Months(previous: previous))
        }
        // A weekly notice always passes over three renewals.
        let isFourth = schedule.path == .notice && subscriber.period.days != nil
        let passed = explanation.items.filter { $0.explanation.change.difference != 0 }
            .flatMap(\.explanation.calendar.oldPriceRenewals).filter(\.isForWantOfTime)
            .map(\.moment).min()
        if let passed, !isFourth { warnings.append(.noticeTooShort(renewal: passed)) }
        if subscriber.hasPendingChange { warnings.append(.twoChangesInOneCycle) }
        if let renewal = renewalOnDay(of: start, for: subscriber) {
            warnings.append(.changeOnRenewalDay(renewal))
        }
        guard isToldByMerchant else { return warnings }
        let used = Set(schedule.messages.map(\.channel))
        for channel in PriceMessage.Channel.allCases where used.contains(channel) {
            guard !subscriber.isReachable(by: channel) else { continue }
            warnings.append(.unreachableBy(channel))
        }
        return warnings
    }

    /// The renewal on the day on which the change goes live, in UTC.
    private func renewalOnDay(
        of start: Instant, for subscriber: CampaignSubscriber
    ) -> Instant? {
        let day = BillingZone.utc.wallClock(at: start).date
        let midnight = BillingZone.utc.instant(of: day, milliseconds: 0)
        let next = subscriber.outlook(of: subscriber.items[0]).renewals(from: midnight)
            .first { _ in true }
        guard let next, BillingZone.utc.wallClock(at: next.moment).date == day else { return nil }
        return next.moment
    }
}

extension CommunicationCalendar.OldPriceRenewal {
    /// Whether the renewal keeps the old price only since the change comes too late for it.
    fileprivate var isForWantOfTime: Bool {
        switch reason {
        case .tooNear, .calledTooLate: true
        case .offerGoesOn, .firstAfterOffer, .sandbox: false
        }
    }
}

/// Which renewal is the first to charge a new price, and which ones before it charge the old one.
extension CalendarPlanner {
    /// The first renewal at the new price and the ones at the old price before it.
    struct Target {
        let renewal: ComingRenewal
        let before: [CommunicationCalendar.OldPriceRenewal]
    }

    /// Whether anything can be planned at all (INC-8, ACC-11, ACP-5).
    var isOpen: Bool {
        switch outlook.expectation {
        case .renews, .recovered, .turnedOnAgain: path != .unavailable
        case .inBillingRetry, .willNotRenew: false
        }
    }

    /// Why nothing is planned.
    var obstacles: [CalendarRemark] {
        switch outlook.expectation {
        case .willNotRenew: [.willNotRenew]
        case .inBillingRetry: [.inBillingRetry]
        case .renews, .recovered, .turnedOnAgain:
            path == .unavailable ? [] : [.neverReached]
        }
    }

    /// The first renewal that may charge the new price; nil when the store's time ends before.
    var target: Target? {
        var before: [CommunicationCalendar.OldPriceRenewal] = []
        for renewal in outlook.renewals(from: live) {
            guard let reason = obstacle(to: renewal) else {
                return Target(renewal: renewal, before: before)
            }
            before.append(.init(moment: renewal.moment, reason: reason))
        }
        return nil
    }

    private func obstacle(to renewal: ComingRenewal) -> OldPriceReason? {
        if renewal.charge == .offer { return .offerGoesOn }
        guard path != .none else {
            let isLate = route != .appStoreConnect && renewal.moment < live + span(1)
            return isLate ? .calledTooLate : nil
        }
        if renewal.charge == .standardAfterOffer { return .firstAfterOffer }
        if isSandbox, route != .appStoreConnect, renewal.periodStart <= live { return .sandbox }
        let needed = neededNotice(for: renewal)
        let notice = renewal.moment.since(start)
        return notice < needed ? .tooNear(notice: notice, needed: needed) : nil
    }

    /// How long before a renewal the change must be there for it to charge the new price: who is
    /// in an offer gets at least 30 days (INC-6).
    private func neededNotice(for renewal: ComingRenewal) -> Span {
        guard let least = route.leastNotice(path, for: outlook.period) else {
            return renewal.moment.since(firstDay(before: renewal))
        }
        return span(offerEnd == nil ? least : max(least, 30))
    }
}

/// Whose ways hold where those that session 308 of 2012 tells of and today's differ (TAB-19).
public enum Era: String, Hashable, Sendable, CaseIterable {
    /// Today's, which hold unless an app is set otherwise.
    case today
    /// Those of the session: ten days before the end a higher price turns renewal off until the
    /// subscriber agrees to it, and what could not be renewed is given up a day after its end.
    case session2012 = "2012"

    /// How long a failed renewal is tried again: 60 days (REN-1), in 2012 "a little" beyond the end
    /// (REN-4), which is a day here. In Sandbox it is as long in both.
    func billingRetry(at tempo: Tempo) -> Span {
        switch (self, tempo) {
        case (.session2012, .real): .days(1)
        case (.today, _), (.session2012, .sandbox): tempo.billingRetry
        }
    }

    /// The days before a renewal from which on the store of 2012 looked for higher prices.
    static let daysOfLooking = 10
}

extension Subscription {
    /// Whether a higher price of this plan goes the way of 2012; what merchants describe themselves
    /// came later.
    func asksAsIn2012(under conditions: Conditions) -> Bool {
        conditions.era == .session2012 && plan.merchant == nil
    }

    /// When the subscriber hears of a higher price, and which renewal charges it: the next one that
    /// is no offer's, whenever the price rose before it. What falls back in time is not noticed.
    func scheduleOf2012(
        of increase: PendingIncrease, _ outlook: RenewalOutlook, under conditions: Conditions
    ) -> PendingIncrease.Schedule? {
        switch outlook.expectation {
        case .willNotRenew, .inBillingRetry: return nil
        case .renews, .recovered, .turnedOnAgain: break
        }
        let days = conditions.tempo.span(days: Era.daysOfLooking, of: plan.period)
        return outlook.renewals(from: increase.live).first { $0.charge != .offer }.map { renewal in
            PendingIncrease.Schedule(
                path: .consent,
                announcement: max(increase.live, newestPeriod.start, renewal.moment - days),
                renewal: renewal.moment, basis: outlook)
        }
    }

    /// What the subscriber is sent about a higher price of a line: in 2012 a mail on the day that
    /// renewal is turned off, since then by the calendar of the increase.
    public func messages(about sku: String, under conditions: Conditions) -> [PriceMessage] {
        guard asksAsIn2012(under: conditions) else {
            return explanation(of: sku, under: conditions)?.calendar.messages ?? []
        }
        return increases[sku]?.schedule.map {
            [PriceMessage(channel: .mail, moment: $0.announcement, condition: .always)]
        } ?? []
    }

    /// In 2012 asking turned renewal off, until the subscriber agreed.
    mutating func suspendRenewal(under conditions: Conditions) -> [Action] {
        guard asksAsIn2012(under: conditions), renewsAutomatically else { return [] }
        renewsAutomatically = false
        return [.notify(.didChangeRenewalStatus(enabled: false))]
    }

    /// In 2012 turning renewal on again was agreeing to the price.
    mutating func agreeByRenewing(under conditions: Conditions) -> [Action] {
        guard asksAsIn2012(under: conditions) else { return [] }
        var agrees = false
        for (sku, increase) in increases where increase.isAccepted == false {
            increases[sku]?.phase.accept()
            agrees = true
        }
        return agrees ? [.notify(.priceIncrease(isAccepted: true))] : []
    }

    /// Why it ends where renewal is off: by the customer's choice, or since a price was not agreed
    /// to that turned it off.
    func reasonNotToRenew(under conditions: Conditions) -> ExpirationReason {
        let lacksConsent =
            asksAsIn2012(under: conditions) && nextPlan == nil
            && increases.values.contains { $0.lacksConsent(at: newestPeriod.end) }
        return lacksConsent ? .priceIncrease : .voluntary
    }
}

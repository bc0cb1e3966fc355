public import SubscriptionRules

extension Wording {
    /// The explanation of a price increase, a line each, without line ends.
    public func lines(_ explanation: PriceIncreaseExplanation) -> [String] {
        let dates =
            explanation.change.old == explanation.change.new
            ? [] : dateLines(explanation.calendar) + messageLines(explanation.calendar)
        return heading(explanation) + reasonLines(explanation) + dates + koreanLines(explanation)
    }

    private func heading(_ explanation: PriceIncreaseExplanation) -> [String] {
        let subscriber = explanation.subscriber
        return [
            text(
                .change,
                [
                    "change": change(explanation.change),
                    "period": subscriber.outlook.period.iso8601,
                    "storefront": subscriber.storefront,
                    "live": explanation.calendar.live.plainText,
                ]),
            text(phrase(explanation.decision.path))
                + (explanation.koreanConversion == nil ? "" : " " + text(.offerAsksBesides)),
        ]
    }

    func phrase(_ path: ConsentDecision.Path) -> Phrase {
        switch path {
        case .none: .pathNone
        case .notice: .pathNotice
        case .consent: .pathConsent
        case .unavailable: .pathUnavailable
        }
    }

    func reasonLines(_ explanation: PriceIncreaseExplanation) -> [String] {
        [text(.why)]
            + explanation.decision.reasons.map {
                "  \($0.demandsConsent ? "consent" : "  -    ")  \(sentence($0))"
            }
    }

    func dateLines(_ calendar: CommunicationCalendar) -> [String] {
        var lines = calendar.remarks.map { text(.note, ["remark": sentence($0)]) }
        lines += calendar.oldPriceRenewals.map {
            text(.oldPrice, ["moment": $0.moment.plainText, "reason": sentence($0.reason)])
        }
        guard let renewal = calendar.firstRenewal else {
            return lines + [text(.newPriceNotPlanned)]
        }
        if let answerBy = calendar.answerBy {
            lines.append(text(answer(calendar), ["moment": answerBy.plainText]))
        }
        if let window = calendar.callWindow {
            lines.append(
                text(.call, ["opens": window.opens.plainText, "closes": window.closes.plainText]))
        }
        return lines + [text(.newPrice, ["moment": renewal.plainText])]
    }

    private func answer(_ calendar: CommunicationCalendar) -> Phrase {
        switch (calendar.route == .merchantManaged, calendar.outcome(agreed: nil) == .expires) {
        case (true, true): .answerUpToElseExpires
        case (true, false): .answerUpToElseOldPrice
        case (false, true): .answerBeforeElseExpires
        case (false, false): .answerBeforeElseOldPrice
        }
    }

    private func messageLines(_ calendar: CommunicationCalendar) -> [String] {
        guard !calendar.messages.isEmpty else { return [text(.noMessages)] }
        return [text(.messages)] + lines(calendar.messages).map { "  " + $0 }
    }

    func koreanLines(_ explanation: PriceIncreaseExplanation) -> [String] {
        guard let conversion = explanation.koreanConversion else { return [] }
        let window =
            conversion.days.map { days in
                text(
                    .windowInSeoul,
                    ["first": days.lowerBound.iso8601, "last": days.upperBound.iso8601])
            }
            ?? text(
                .windowOfMoments,
                ["first": conversion.opens.plainText, "last": conversion.closes.plainText])
        return [text(.korea, ["moment": conversion.moment.plainText, "window": window])]
            + lines(conversion.messages).map { "  " + $0 }
    }
}

public import SubscriptionRules

extension Wording {
    /// Why a renewal still charges the old price, in one sentence.
    public func sentence(_ reason: OldPriceReason) -> String {
        switch reason {
        case .offerGoesOn: text(.offerGoesOn)
        case .firstAfterOffer: text(.firstAfterOffer)
        case .tooNear(let notice, let needed):
            text(.tooNear, ["notice": length(notice), "needed": length(needed)])
        case .calledTooLate: text(.calledTooLate)
        case .sandbox: text(.sandboxOldPrice)
        }
    }

    /// What else shaped the dates, in one sentence.
    public func sentence(_ remark: CalendarRemark) -> String {
        switch remark {
        case .willNotRenew: text(.willNotRenew)
        case .inBillingRetry: text(.inBillingRetry)
        case .neverReached: text(.neverReached)
        case .renewalsBefore(1): text(.oneRenewalBefore)
        case .renewalsBefore(let count): text(.renewalsBefore, ["count": String(count)])
        case .couldBeCharged(let start): text(.couldBeCharged, ["start": start.plainText])
        case .recovered(let moment): text(.recovered, ["moment": moment.plainText])
        case .turnedOnAgain(let moment): text(.turnedOnAgain, ["moment": moment.plainText])
        case .shortenedLead(let usual): text(.shortenedLead, ["usual": usual.plainText])
        case .fourthRenewal: text(.fourthRenewal)
        case .sandbox: text(.sandboxDays)
        }
    }

    /// What must hold for a message to be sent, to follow its channel:
    /// `, while there is no answer`; empty where nothing must.
    func condition(_ condition: PriceMessage.Condition) -> String {
        switch condition {
        case .always: text(.sentAlways)
        case .atFirstLaunch: text(.sentAtFirstLaunch)
        case .unlessSheetWasSeen: text(.sentUnlessSheetWasSeen)
        case .untilAnswered: text(.sentUntilAnswered)
        }
    }

    /// Messages, a line a moment, such as
    /// `2026-03-19 00:00  mail, sheet, push, while there is no answer`. They must be in order.
    public func lines(_ messages: [PriceMessage]) -> [String] {
        var lines: [String] = []
        var rest = messages[...]
        while let first = rest.first {
            let together = rest.prefix { $0.moment == first.moment }
            rest = rest.dropFirst(together.count)
            let parts = PriceMessage.Condition.allCases.compactMap { condition -> String? in
                let channels = together.filter { $0.condition == condition }.map(\.channel.rawValue)
                guard !channels.isEmpty else { return nil }
                return channels.joined(separator: ", ") + self.condition(condition)
            }
            lines.append("\(first.moment.plainText)  \(parts.joined(separator: "; "))")
        }
        return lines
    }
}

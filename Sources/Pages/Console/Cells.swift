import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules
import Timeline

/// How values of `/connect` look on every page.
extension Visit {
    /// A moment that a member says; nothing where there is none.
    func momentCell(_ answer: Answer, _ member: String) -> Cell {
        answer.optionalMoment(member).map(momentCell) ?? .none
    }

    func momentCell(_ at: Instant) -> Cell { .moment(at, locale.moment(at)) }

    /// The state of a subscription.
    func stateCell(_ state: String) -> Cell {
        let tone: Tone =
            switch state {
            case "active": .good
            case "grace", "awaitingPayment", "retrying": .attention
            case "revoked": .bad
            default: .plain
            }
        return .badge(ConsoleWords.state(state), tone)
    }

    /// How a customer's payments go.
    func paymentCell(_ method: PaymentSheet) -> Cell {
        typealias Words = ConsoleWords.Customers
        switch method.behaviour {
        case .decline:
            let until = method.until.map { Words.until(locale.moment($0)) }
            let count = method.count.map { Words.times($0) }
            return .badge(Words.declines, .bad, detail: until ?? count)
        case .later: return .badge(Words.later, .attention)
        case .approve: return .badge(Words.approves, .good)
        }
    }
}

extension FormInput {
    /// What was typed into fields, which may be shown again: no marks of forms, no secrets.
    var typed: [(name: String, value: String)] {
        all.filter { name, _ in
            name != FormID.field && name != "token" && !name.hasPrefix("seen")
        }
    }

    /// A whole number; nil where nothing was filled in.
    ///
    /// - Parameter label: what the field is called on the page.
    func number(_ name: String, _ label: String) throws(ErrorBody) -> Int64? {
        guard let text = text(name) else { return nil }
        guard let number = Int64(text) else {
            throw ErrorBody(
                .badRequest, "invalidMember", ConsoleWords.Errors.noNumber(label, text),
                field: name)
        }
        return number
    }
}

extension PageLocale {
    /// How what is told of a life is written on pages.
    var figures: Figures { Figures(amount: amount, moment: moment) }
}

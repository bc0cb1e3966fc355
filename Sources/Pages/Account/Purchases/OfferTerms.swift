import ConnectAnswers
import HTMLPages
import SubscriptionRules

/// What an offer of a subscription costs, and for how long.
struct OfferTerms: Sendable {
    private let mode: String
    /// What one discounted period costs, in milliunits.
    private let price: Int64
    private let period: CalendarPeriod
    private let length: CalendarPeriod

    /// Nil for what is bought once.
    init?(_ answer: Answer) throws {
        guard let period = answer.optionalText("period").flatMap({ CalendarPeriod(iso8601: $0) })
        else { return nil }
        mode = try answer.text("mode")
        price = try answer.integer("price")
        self.period = period
        let count = max(1, Int(try answer.integer("periodCount")))
        length = CalendarPeriod(period.count * count, period.unit)
    }

    /// Whether nothing is paid at first.
    var isFree: Bool { mode == "FREE_TRIAL" }

    /// Length, price and standard price in one sentence (HIG-16, HIG-47).
    ///
    /// - Parameter after: the standard price, with its length.
    func sentence(_ visit: Visit, _ currency: String, then after: String) -> String {
        let words = visit.words
        let time = words.length(length)
        switch mode {
        case "FREE_TRIAL": return words.offerIsFree(for: time, then: after)
        case "PAY_UP_FRONT":
            return words.offerCosts(visit.locale.amount(price, currency), for: time, then: after)
        default:
            let each = words.price(visit.locale.amount(price, currency), every: period)
            return words.offerCosts(each, for: time, then: after)
        }
    }
}

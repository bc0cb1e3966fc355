import NaiveModel

extension Finding {
    /// The whole finding for people: the seed, the world, what was done, and where it parts.
    public var text: String {
        var lines = ["seed \(scenario.seed) breaks the store", ""]
        lines.append(
            "start \(NaiveCalendar.text(scenario.start))"
                + (scenario.isLate ? ", time passes by itself" : "")
                + (scenario.isListening ? ", with notifications" : "")
                + ", \(scenario.batchSize) subscriptions at once")
        lines.append("app: \(scenario.shop.terms)")
        lines += scenario.shop.articles.map { "sells \($0.id): \($0.line)" }
        lines.append("")
        lines += scenario.steps.enumerated().map { "\($0 + 1). \($1)" }
        lines.append("")
        return (lines + self.lines).joined(separator: "\n")
    }
}

extension Article {
    fileprivate var line: String {
        guard case .plan(_, let level, let length, let introduction) = kind else {
            return "\(kind) for \(price)"
        }
        let offer = introduction.map { offer in
            ", at first " + offer.line
        }
        let month = monthly.map { month in
            ", or a month for \(month.price)"
                + (month.introduction.map { ", at first " + $0.line } ?? "")
        }
        return "level \(level), \(length.line) for \(price)\(offer ?? "")\(month ?? "")"
    }
}

extension Discount {
    fileprivate var line: String { "\(mode) \(count) × \(length.line) for \(price)" }
}

extension HeldLine {
    /// In words for people.
    var line: String {
        "\(sku) for \(price)"
            + (offer.map { " (\($0.name ?? "introductory"): \($0.line))" } ?? "")
    }
}

extension Length {
    fileprivate var line: String {
        switch self {
        case .days(let days): "\(days) days"
        case .months(let months): "\(months) months"
        }
    }
}

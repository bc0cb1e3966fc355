public import SubscriptionRules

extension Wording {
    /// The explanation of several items' prices, a line each, without line ends.
    public func lines(_ explanation: BundlePriceExplanation) -> [String] {
        let items = explanation.items.flatMap { item in
            lines(item).enumerated().map { $0.offset == 0 ? $0.element : "  " + $0.element }
        }
        return [heading(explanation)] + items + sumLines(explanation)
            + requestLines(explanation.requests) + messageLines(explanation.messages)
            + billLines(explanation)
    }

    /// What is sent on a channel, how often and under which condition, such as
    /// `while there is no answer, at most every 7 days`.
    public func words(_ row: CommunicationTimetable.Row) -> String {
        let condition = String(condition(row.condition).drop { $0 == "," || $0 == " " })
        let again = row.repeatsAfterDays.map {
            text(.repeatedAfterDays, ["days": String($0)])
        }
        return [condition, again ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private func heading(_ explanation: BundlePriceExplanation) -> String {
        let first = explanation.items[0].explanation
        return text(
            .bundle,
            [
                "change": change(explanation.sum.change),
                "count": String(explanation.items.count),
                "period": first.subscriber.outlook.period.iso8601,
                "storefront": first.subscriber.storefront,
                "live": first.calendar.live.plainText,
            ])
    }

    private func lines(_ item: BundlePriceExplanation.Item) -> [String] {
        let explanation = item.explanation
        let stays = explanation.change.old == explanation.change.new
        let dependents =
            item.dependents.isEmpty
            ? [] : [text(.dependents, ["skus": item.dependents.joined(separator: ", ")])]
        return [text(.item, ["sku": item.sku, "change": change(explanation.change)])]
            + (stays ? [] : [text(phrase(explanation.decision.path))])
            + reasonLines(explanation) + dependents
            + (stays ? [] : dateLines(explanation.calendar)) + koreanLines(explanation)
    }

    private func sumLines(_ explanation: BundlePriceExplanation) -> [String] {
        guard explanation.items.count > 1 else { return [] }
        return [text(.sum)]
            + explanation.sum.reasons.map {
                "  \($0.demandsConsent ? "consent" : "  -    ")  \(sentence($0))"
            }
    }

    private func requestLines(_ requests: [BundlePriceExplanation.Request]) -> [String] {
        guard !requests.isEmpty else { return [text(.noRequests)] }
        return [text(.requests)]
            + requests.map { request in
                let phrase: Phrase =
                    request.needsConsent
                    ? .requestWithConsent : request.closes == nil ? .requestFrom : .requestWithin
                return "  "
                    + text(
                        phrase,
                        [
                            "opens": request.opens.plainText,
                            "closes": request.closes?.plainText ?? "",
                            "skus": request.skus.joined(separator: ", "),
                        ])
            }
    }

    private func messageLines(_ messages: [BundlePriceExplanation.Message]) -> [String] {
        guard !messages.isEmpty else { return [text(.noMessages)] }
        var lines = [text(.messages)]
        var rest = messages[...]
        while let first = rest.first {
            let atOnce = rest.prefix { $0.message.moment == first.message.moment }
            rest = rest.dropFirst(atOnce.count)
            var items: [[String]] = []
            for skus in atOnce.map(\.skus) where !items.contains(skus) { items.append(skus) }
            for skus in items {
                lines += self.lines(atOnce.filter { $0.skus == skus }.map(\.message)).map {
                    "  " + $0 + ": " + skus.joined(separator: ", ")
                }
            }
        }
        return lines
    }

    private func billLines(_ explanation: BundlePriceExplanation) -> [String] {
        let currency = explanation.sum.change.currency
        return [text(.bills)]
            + explanation.bills.map { bill in
                let isWhole = bill.lapsed.count == explanation.items.count
                let phrase: Phrase =
                    switch (bill.lapsed.isEmpty, bill.ifAgreed == bill.ifUnanswered) {
                    case (true, true): .bill
                    case (true, false): .billWithoutAnswer
                    case (false, _): isWhole ? .billOfNothing : .billOfRest
                    }
                return "  "
                    + text(
                        phrase,
                        [
                            "moment": bill.moment.plainText,
                            "agreed": Money(milliunits: bill.ifAgreed, currency).plainText,
                            "unanswered":
                                Money(milliunits: bill.ifUnanswered, currency).plainText,
                            "skus": bill.lapsed.joined(separator: ", "),
                        ])
            }
    }
}

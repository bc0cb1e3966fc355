import ConnectAnswers
import HTMLPages
import SubscriptionRules

extension Visit {
    /// Notifications with their attempts.
    func notificationTable(
        _ notifications: [Answer], isFolded: Bool = false, more: PageLink? = nil
    ) throws -> DataTable {
        typealias Words = ConsoleWords.Notifications
        return DataTable(
            Words.title,
            columns: [Words.created, Words.type, Words.about, Words.state, Words.attempts],
            rows: try notifications.map { one in
                let type = try one.text("notificationType")
                let subtype = one.optionalText("subtype")
                let attempts = try one.list("attempts")
                let isDelivered = try one.bool("delivered")
                let next = one.optionalMoment("nextAttempt").map { Words.next(locale.moment($0)) }
                let untried = next == nil ? Words.kept : Words.waiting
                return DataTable.Row([
                    momentCell(one, "created"),
                    Cell(
                        PageLink(type, ConsolePath.notification(try one.text("id"))),
                        detail: subtype),
                    Cell(one.optionalText("account") ?? "", detail: one.optionalText("productId")),
                    .badge(
                        isDelivered
                            ? Words.delivered : attempts.isEmpty ? untried : Words.failing,
                        isDelivered ? .good : attempts.isEmpty ? .plain : .bad, detail: next),
                    Cell(
                        try one.attemptResults(),
                        detail: try attempts.last.map { locale.moment(try $0.moment("at")) }),
                ])
            }, empty: Words.none, more: more,
            shown: isFolded ? .first(ConsoleWords.showMore) : .all)
    }
}

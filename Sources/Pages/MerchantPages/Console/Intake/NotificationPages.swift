import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP

extension MerchantConsole {
    /// What came in, and was accepted.
    var notificationPages: [Endpoint<MerchantSite>] { [notifications] }

    private var notifications: Endpoint<MerchantSite> {
        page("notifications", "notifications") { visit in
            typealias Words = MerchantWords.Notifications
            let names = ["state", "type", "purchase"]
            let path = names.reduce(StorePath("v1", "operator", "notifications")) {
                $0.with($1, visit.asked($1))
            }
            let here = names.reduce(StorePath(encoded: MerchantPath.notifications)) {
                $0.with($1, visit.asked($1))
            }
            let answer = try await visit.desk.get(path.with("before", visit.asked("before")))
            let found = try answer.list("notifications")
            return Page(
                Words.title, lead: Words.lead,
                [
                    PageForm(
                        .ask, action: MerchantPath.notifications, button: MerchantWords.filter,
                        fields: [
                            Field(
                                "state", Words.state, .choice(Words.states), in: "filter",
                                value: visit.asked("state") ?? ""),
                            Field(
                                "type", Words.type, .search, in: "filter",
                                value: visit.asked("type") ?? ""),
                            Field(
                                "purchase", Words.purchase, .search, in: "filter",
                                value: visit.asked("purchase") ?? ""),
                        ]),
                    DataTable(
                        Words.title,
                        columns: [
                            Words.number, Words.received, Words.type, Words.app, Words.purchase,
                            Words.state, Words.repeats,
                        ], rows: try found.map { try visit.notificationRow($0) },
                        empty: Words.none, more: try visit.more(answer, found.last, here.text)),
                    visit.same(MerchantCall(Words.title, .get, path, command: nil)),
                ])
        }
    }
}

extension MerchantVisit {
    fileprivate func notificationRow(_ one: Answer) throws -> DataTable.Row {
        let number = String(try one.integer("id"))
        let state = try one.text("state")
        return DataTable.Row([
            state == "dead"
                ? Cell(PageLink(number, MerchantPath.deadLetter(number))) : Cell(number),
            momentCell(one, "received"), try typeCell(one),
            Cell(try one.text("bundleId"), detail: one.optionalText("environment")),
            one.optionalText("originalTransactionId").map { Cell.code($0) } ?? Cell.none,
            noticeStateCell(state, one.optionalText("problem")), try numberCell(one, "repeats"),
        ])
    }

    /// What became of a notification.
    func noticeStateCell(_ state: String, _ problem: String?) -> Cell {
        let tone: Tone =
            switch state {
            case "processed": .good
            case "waiting": .attention
            case "dead": .bad
            default: .plain
            }
        return .badge(state, tone, detail: problem)
    }
}

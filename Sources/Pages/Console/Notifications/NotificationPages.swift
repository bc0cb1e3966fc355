import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

extension Console {
    /// What developers are told.
    var notificationPages: [Endpoint<StoreSite>] {
        [notifications, notification, resendNotification]
    }

    private var notifications: Endpoint<StoreSite> {
        page("notifications", "notifications") { visit in
            typealias Words = ConsoleWords.Notifications
            let names = ["account", "notificationType", "onlyFailures"]
            func asking(_ path: StorePath) -> StorePath {
                names.reduce(path) { $0.with($1, visit.asked($1)) }
            }
            let path = asking(StorePath("connect", "v1", "notifications"))
            let list = try await FilteredList(
                visit,
                path.with("before", visit.asked("before")).with("limit", String(Visit.pageSize)))
            let conditions = [
                list.field("account", Words.account, refusedBy: "unknownAccount"),
                list.field("notificationType", Words.type, .choice(Words.types)),
                list.field("onlyFailures", Words.onlyFailures, .checkbox),
            ]
            var page = try list.page(Words.title, to: ConsolePath.notifications, conditions) {
                answer in
                let all = try answer.list("notifications")
                let more = try visit.more(
                    answer, to: asking(StorePath("console", "notifications")), "before",
                    all.last?.text("id"))
                return [
                    try visit.notificationTable(
                        all, isFolded: visit.asked("before") == nil, more: more)
                ]
            }
            let options: [[String]?] = [
                visit.asked("account").map { ["--account", $0] },
                visit.asked("notificationType").map { ["--type", $0] },
                visit.asked("onlyFailures").map { _ in ["--failed"] },
            ]
            page.blocks.append(
                visit.same(
                    SameCall(
                        Words.title, .get, path,
                        command: ["notifications"] + options.flatMap { $0 ?? [] })))
            return page
        }
    }

    private var notification: Endpoint<StoreSite> {
        page("notifications/{id}", "notification") { visit in
            typealias Words = ConsoleWords.Notifications
            let id = try visit.part("id")
            let path = StorePath("connect", "v1", "notifications", id)
            let one = try await visit.desk.get(path)
            return Page(
                try [one.text("notificationType"), one.optionalText("subtype")]
                    .compactMap(\.self).joined(separator: " / "),
                trail: [PageLink(Words.title, ConsolePath.notifications)],
                try visit.blocks(of: one) + [
                    visit.same(
                        SameCall(Words.one, .get, path, command: ["notifications", id]),
                        SameCall(
                            Words.resend, .post,
                            StorePath("connect", "v1", "notifications", id, "resend"),
                            command: ["notifications", id, "--resend"]))
                ])
        }
    }

    private var resendNotification: Endpoint<StoreSite> {
        action("notifications/{id}/resend", "resendNotification") { visit, _ in
            let id = try visit.part("id")
            _ = try await visit.desk.send(
                .post, StorePath("connect", "v1", "notifications", id, "resend"))
            return ConsolePath.notification(id)
        }
    }
}

extension Visit {
    /// Where a list goes on; nil where it does not.
    func more(
        _ answer: Answer, to path: StorePath, _ cursor: String, _ last: String?
    ) throws -> PageLink? {
        guard try answer.bool("hasMore"), let last else { return nil }
        return PageLink(ConsoleWords.more, path.with(cursor, last).text)
    }

    /// How many notifications have a next attempt.
    func waitingNotifications() async throws -> Cell {
        typealias Words = ConsoleWords.Notifications
        let answer = try await desk.get(
            StorePath("connect", "v1", "notifications").with("limit", "200"))
        let count = try answer.list("notifications").count { $0.optionalText("nextAttempt") != nil }
        return .number(
            locale.number(count), detail: try answer.bool("hasMore") ? Words.ofNewest : nil)
    }

    fileprivate func blocks(of one: Answer) throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Notifications
        let subscription = one.optionalText("originalTransactionId")
        let attempts = try one.list("attempts")
        var blocks: [any PageBlock] = [
            Facts([
                (Words.created, momentCell(one, "created")),
                (Words.app, Cell(try one.text("bundleId"))),
                (
                    Words.account,
                    one.optionalText("account").map {
                        Cell(PageLink($0, ConsolePath.customer($0)))
                    }
                ),
                (
                    Words.about,
                    subscription.map { .code($0).linked(to: ConsolePath.subscription($0)) }
                ),
                (Words.uuid, .code(try one.text("notificationUUID"))),
                (Words.nextAttempt, one.optionalMoment("nextAttempt").map(momentCell)),
            ]),
            PageSection(
                Words.attempts, id: "attempts",
                [
                    DataTable(
                        Words.attempts, columns: [ConsoleWords.Clock.when, Words.result],
                        rows: try attempts.map { attempt in
                            let result = try attempt.text("result")
                            return DataTable.Row([
                                momentCell(attempt, "at"),
                                .badge(result, result == "SUCCESS" ? .good : .bad),
                            ])
                        }, empty: Words.notTried),
                    PageForm(
                        .change,
                        action: ConsolePath.notification(try one.text("id"), "resend"),
                        button: Words.resend, about: Words.resendAbout,
                        hidden: [FormID.hidden()]),
                ]),
        ]
        if let payload = one.value["payload"] {
            var texts: [any PageBlock] = [
                CodeText(Words.decoded, Visit.pretty(payload), isOpen: true)
            ]
            if let signed = one.optionalText("signedPayload") {
                texts.append(CodeText(Words.signed, signed))
            }
            blocks.append(
                PageSection(Words.payload, id: "payload", about: Words.payloadAbout, texts))
        }
        return blocks
    }

    /// JSON on several lines, its members in the order of their names.
    static func pretty(_ value: JSONValue, _ indent: String = "") -> String {
        let inner = indent + "  "
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = members.sorted { $0.key < $1.key }.map {
                "\(inner)\($0.key.jsonText()): \(pretty($0.value, inner))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .array(let elements) where !elements.isEmpty:
            let lines = elements.map { inner + pretty($0, inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
        case .object: return "{}"
        case .array: return "[]"
        case .string(let text): return text.jsonText()
        case .integer(let number): return String(number)
        case .number(let number): return "\(number)"
        case .bool(let truth): return truth ? "true" : "false"
        case .null: return "null"
        }
    }
}

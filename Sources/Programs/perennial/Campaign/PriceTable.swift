import AppStoreWire
import ConnectAnswers
import SubscriptionRules
import Timeline

/// A price campaign that runs, and its report, as tables and as CSV.
enum PriceTable {
    /// What a campaign would do within a day.
    static func today(_ answer: Answer) throws -> String {
        let today = Answer(value: answer.value["today"] ?? .object([:]), source: answer.source)
        let parts = try ["mails", "sheets", "pushes", "calls"].map {
            "\(try today.integer($0)) \($0)"
        }
        return "Within a day: \(parts.joined(separator: ", "))."
    }

    /// How far a campaign is.
    static func lines(ofRun run: Answer, _ style: Style) throws -> [String] {
        let title =
            "\(try run.text("campaign")) (\(try run.text("state"))), started "
            + "\(try run.moment("started").plainText): \(try run.integer("audience")) subscribers"
        var lines = [style.paint(title, .strong)]
        if let problem = run.optionalText("problem") { lines.append("stands still: \(problem)") }
        lines += [""] + (try counts(try run.list("outcomes"), "outcome", style))
        lines += [""] + (try counts(try run.list("states"), "state", style))
        let messages = try run.list("messages")
        if !messages.isEmpty { lines += [""] + (try counts(messages, "messages", style)) }
        let calls = try run.list("calls")
        if !calls.isEmpty { lines += [""] + (try counts(calls, "calls", style)) }
        return lines
    }

    private static func counts(
        _ counts: [Answer], _ title: String, _ style: Style
    ) throws -> [String] {
        var table = Columns(
            [("count", .right), (title, .left), ("", .left)], first: ["count", title])
        for one in counts {
            table.add([
                String(try one.integer("count")), try one.text("name"),
                one.optionalText("detail") ?? "",
            ])
        }
        return table.lines(style)
    }

    // MARK: Report

    /// What has come of a campaign, or would.
    static func lines(of report: Answer, _ style: Style) throws -> [String] {
        let isRehearsed = try report.bool("rehearsed")
        let title =
            "\(try report.text("campaign")): \(try report.integer("audience")) subscribers"
        var lines = [style.paint(title, .strong)]
        if report.optionalText("rehearsedOn") == "fork" {
            let days =
                "\(try report.moment("began").plainText) to "
                + "\(try report.moment("until").plainText)"
            lines.append(
                "Rehearsed on a fork of the store with answers that were made up, from \(days): "
                    + "nothing that is live has changed.")
        } else if isRehearsed {
            lines.append(
                "Rehearsed on the merchant's registers with answers that were made up: no store "
                    + "was forked, asked or changed.")
        }
        lines += [""] + (try counts(try report.list("outcomes"), "outcome", style))
        lines += [""] + (try days(report, style)) + [""] + (try cohorts(report, style))
        let money = try report.list("money")
        if !money.isEmpty { lines += [""] + (try self.money(money, style)) }
        return lines
    }

    private static func days(_ report: Answer, _ style: Style) throws -> [String] {
        var table = Columns(
            [("day", .left), ("outcome", .left), ("count", .right)],
            first: ["day", "outcome", "count"])
        for one in try report.list("days") {
            table.add([
                try one.text("day"), try one.text("outcome"), String(try one.integer("count")),
            ])
        }
        return table.lines(style)
    }

    private static func cohorts(_ report: Answer, _ style: Style) throws -> [String] {
        var table = Columns(
            [
                ("cohort", .left), ("product", .left), ("storefront", .left), ("outcome", .left),
                ("count", .right),
            ], first: ["cohort", "outcome", "count"])
        for one in try report.list("cohorts") {
            table.add([
                try one.text("cohort"), try one.text("productId"),
                one.optionalText("storefront") ?? "", try one.text("outcome"),
                String(try one.integer("count")),
            ])
        }
        return table.lines(style)
    }

    private static func money(_ money: [Answer], _ style: Style) throws -> [String] {
        var table = Columns(
            [
                ("group", .left), ("subscribers", .right), ("before", .right), ("after", .right),
                ("renewing", .right),
            ], first: ["group", "before", "after"])
        for one in money {
            let currency = try one.text("currency")
            table.add([
                try one.bool("control") ? "left out" : "campaign",
                String(try one.integer("subscribers")),
                Money.plainText(try one.integer("before"), currency),
                Money.plainText(try one.integer("after"), currency),
                String(try one.integer("renewing")),
            ])
        }
        return table.lines(style)
    }

    // MARK: Messages

    /// A message a line, with its words below it.
    static func lines(ofMessages messages: [Answer], _ style: Style) throws -> [String] {
        guard !messages.isEmpty else { return ["There is none."] }
        return try messages.flatMap { one -> [String] in
            let sent = one.optionalMoment("sent")
            let moment = try (sent ?? one.moment("due")).plainText
            let title =
                "\(moment)  \(try one.text("channel")), \(try one.text("occasion")) "
                + "\(try one.integer("step")), \(try one.text("state")): "
                + "\(try one.text("originalTransactionId")) "
                + "(\(one.optionalText("account") ?? "nobody's"))"
            var lines = [style.paint(title, .strong), "  \(try one.text("title"))"]
            lines += try one.text("body").split(whereSeparator: \.isNewline).map { "  \($0)" }
            if let problem = one.optionalText("problem") { lines.append("  problem: \(problem)") }
            return lines
        }
    }

    // MARK: CSV

    private static let columns = [
        "originalTransactionId", "account", "productId", "storefront", "currency", "cohort",
        "outcome", "outcomeAt", "state", "detail", "nextMoment", "oldPrice", "newPrice",
        "priceNow", "isRenewing",
    ]

    /// A line for the names and one for each subscriber (RFC 4180); amounts in milliunits.
    static func csv(_ subscribers: [Answer]) -> [String] {
        CommaSeparated.lines(of: subscribers, columns)
    }
}

import AppStoreWire
import ConnectAnswers
import SubscriptionRules
import Timeline

/// A plan as tables and as CSV.
enum PlanTable {
    /// What it adds up to.
    static func totals(_ plan: Answer, _ style: Style) throws -> [String] {
        let audience = try plan.integer("audience")
        let title =
            "\(try plan.text("campaign")), plan \(try plan.integer("id")) of "
            + "\(try plan.moment("plannedAt").plainText): \(audience) subscribers"
        var lines = [style.paint(title, .strong)]
        guard audience > 0 else {
            return lines + ["The merchant knows of no subscription of what the campaign names."]
        }
        lines += [""] + (try counts(plan, style))
        let money = try plan.list("money")
        if !money.isEmpty { lines += [""] + (try self.money(money, plan, style)) }
        let days = try plan.integer("days")
        if days > 0 { lines += ["", "\(days) days are given in all."] }
        for (member, title) in [
            ("unreachable", "cannot be reached by"), ("warnings", "have the warning"),
        ] {
            for one in try plan.list(member) {
                lines.append("\(try one.integer("count")) \(title) \(try one.text("name"))")
            }
        }
        return lines
    }

    private static func counts(_ plan: Answer, _ style: Style) throws -> [String] {
        var table = Columns(
            [("count", .right), ("decision", .left), ("reason", .left), ("", .left)],
            first: ["count", "decision", "reason"])
        for one in try plan.list("counts") {
            table.add([
                String(try one.integer("count")), try one.text("decision"),
                try one.text("reason"), try one.text("sentence"),
            ])
        }
        return table.lines(style)
    }

    private static func money(
        _ money: [Answer], _ plan: Answer, _ style: Style
    ) throws -> [String] {
        let isPrice = try plan.text("kind") == "price"
        let stake = isPrice ? "more a year" : "worth"
        var table = Columns(
            [
                ("currency", .left), ("subscribers", .right), ("a period today", .right),
                ("then", .right), (stake, .right),
            ], first: ["currency", "subscribers", stake])
        for one in money {
            let currency = try one.text("currency")
            func amount(_ member: String) throws -> String {
                guard let milliunits = one.value[member]?.integer else { return "" }
                return Money.plainText(milliunits, currency)
            }
            table.add([
                currency, String(try one.integer("subscribers")), try amount("oldPrice"),
                try amount("newPrice"), try amount("stake"),
            ])
        }
        return table.lines(style)
    }

    /// A subscriber a row, with what comes when below it.
    static func lines(_ subscribers: [Answer], _ style: Style) throws -> [String] {
        guard !subscribers.isEmpty else { return ["There is none."] }
        return try subscribers.flatMap { try lines(of: $0, style) }
    }

    private static func lines(of one: Answer, _ style: Style) throws -> [String] {
        let account = one.optionalText("account") ?? "nobody's"
        let place = one.optionalText("storefront") ?? "unknown storefront"
        let title =
            "\(try one.text("originalTransactionId")) (\(account)), \(try one.text("productId")), "
            + place
        var lines = [
            style.paint(title, .strong),
            "  \(try one.text("decision")): \(try one.text("sentence"))",
        ]
        if let change = change(of: one) { lines.append("  \(change)") }
        for reason in try one.list("reasons") {
            let mark = try reason.bool("demandsConsent") ? "consent" : "  -    "
            lines.append("  \(mark)  \(try reason.text("sku")): \(try reason.text("sentence"))")
        }
        for message in try one.list("messages") {
            lines.append(
                "  \(try message.moment("at").plainText)  \(try message.text("channel")), "
                    + "\(try message.text("occasion")), \(try message.text("condition"))")
        }
        for call in try one.list("calls") {
            let closes = call.optionalMoment("closes").map { " to \($0.plainText)" } ?? ""
            let consent = try call.bool("needsConsent") ? ", with consent" : ""
            lines.append("  \(try call.moment("opens").plainText)\(closes)  call\(consent)")
        }
        for warning in try one.list("warnings") {
            let at = warning.optionalMoment("at").map { " (\($0.plainText))" } ?? ""
            lines.append("  warning: \(try warning.text("code"))\(at)")
        }
        return lines
    }

    /// What changes, in a line; nil where nothing does.
    private static func change(of one: Answer) -> String? {
        let when = one.optionalMoment("renewal").map { $0.plainText }
        if let days = one.value["days"]?.integer {
            return "\(days) days more, until \(when ?? "")"
        }
        guard let old = one.value["oldPrice"]?.integer, let new = one.value["newPrice"]?.integer,
            let currency = one.optionalText("currency"), let when
        else { return nil }
        return "\(Money.plainText(old, currency)) to \(Money.plainText(new, currency)), first on "
            + when
    }

    // MARK: CSV

    private static let columns = [
        "originalTransactionId", "environment", "account", "transactionId", "productId",
        "storefront", "currency", "decision", "reason", "oldPrice", "newPrice", "renewal", "days",
    ]

    /// A line for the names and one for each subscriber (RFC 4180); amounts in milliunits.
    static func csv(_ subscribers: [Answer]) throws -> [String] {
        let names = columns + ["firstMessage", "messages", "calls", "warnings"]
        return [CommaSeparated.line(names)] + (try subscribers.map { try row($0) })
    }

    private static func row(_ one: Answer) throws -> String {
        var cells = CommaSeparated.cells(of: one, columns)
        let messages = try one.list("messages")
        cells.append(try messages.first?.text("at") ?? "")
        cells.append(String(messages.count))
        cells.append(String(try one.list("calls").count))
        cells.append(try one.list("warnings").map { try $0.text("code") }.joined(separator: " "))
        return CommaSeparated.line(cells)
    }
}

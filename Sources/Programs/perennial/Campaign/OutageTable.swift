import AppStoreWire
import ConnectAnswers
import MerchantRules
import SubscriptionRules
import Timeline

/// An outage campaign as tables and as CSV.
enum OutageTable {
    /// Which calls it will make.
    static func calls(of campaign: OutageCampaign) -> [String] {
        let days = "\(campaign.grantedDays) \(campaign.grantedDays == 1 ? "day" : "days")"
        guard campaign.isMass else {
            let pace = min(campaign.pace.callsPerSecond, 20)
            return [
                "Calls: Extend a Subscription Renewal Date, \(days), for each one included, "
                    + "\(pace) a second."
            ]
        }
        let places = campaign.storefronts.map { "in " + $0.sorted().joined(separator: ", ") }
        let environments = campaign.environments.map(\.rawValue).sorted()
        return ["Calls: Extend Subscription Renewal Dates for All Active Subscribers"]
            + environments.flatMap { environment in
                campaign.products.sorted().map { product in
                    "  \(product), \(environment), \(days), \(places ?? "in all storefronts")"
                }
            }
    }

    /// How far a campaign is.
    static func lines(of report: Answer, _ style: Style) throws -> [String] {
        let audience = try report.integer("audience")
        let title =
            "\(try report.text("campaign")) (\(try report.text("state"))), started "
            + "\(try report.moment("started").plainText): \(audience) subscriptions"
        var lines = [style.paint(title, .strong)]
        if let problem = report.optionalText("problem") { lines.append("stands still: \(problem)") }
        lines += [""] + (try counts(report, style))
        let calls = try report.list("calls")
        if !calls.isEmpty { lines += [""] + (try calls.flatMap { try self.lines(ofCall: $0) }) }
        let mails = try report.list("mails")
        if !mails.isEmpty {
            let parts = try mails.map { "\(try $0.integer("count")) \(try $0.text("state"))" }
            lines += ["", "mails: \(parts.joined(separator: ", "))"]
        }
        if let next = report.optionalMoment("next") { lines += ["", "next: \(next.plainText)"] }
        return lines
    }

    private static func counts(_ report: Answer, _ style: Style) throws -> [String] {
        var table = Columns(
            [("count", .right), ("outcome", .left), ("reason", .left), ("", .left)],
            first: ["count", "outcome", "reason"])
        for one in try report.list("counts") {
            table.add([
                String(try one.integer("count")), try one.text("outcome"), try one.text("reason"),
                try one.text("sentence"),
            ])
        }
        return table.lines(style)
    }

    private static func lines(ofCall call: Answer) throws -> [String] {
        let name = "\(try call.text("productId")), \(try call.text("environment"))"
        var parts = [
            call.optionalMoment("accepted").map { "accepted \($0.plainText)" } ?? "not accepted yet"
        ]
        if let completed = call.optionalMoment("completed") {
            parts.append("done \(completed.plainText)")
        }
        if let succeeded = call.optionalInteger("succeeded") {
            parts.append("\(succeeded) extended")
        }
        if let failed = call.optionalInteger("failed") { parts.append("\(failed) failed") }
        var lines = ["call for \(name): \(parts.joined(separator: ", "))"]
        if let problem = call.optionalText("problem") { lines.append("  \(problem)") }
        return lines
    }

    // MARK: CSV

    private static let columns = [
        "originalTransactionId", "environment", "account", "productId", "storefront", "outcome",
        "reason", "days", "endBefore", "end", "calls", "failure", "requestIdentifier",
        "nextAttempt", "mail",
    ]

    /// A line for the names and one for each subscription (RFC 4180).
    static func csv(_ subscribers: [Answer]) -> [String] {
        CommaSeparated.lines(of: subscribers, columns)
    }
}

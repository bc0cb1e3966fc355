import ConnectAnswers
import SubscriptionRules
import Timeline

/// A merchant's health, in words.
enum OverviewWords {
    /// One text a line.
    static func lines(_ overview: Answer, _ style: Style) throws -> [String] {
        let now = try overview.moment("asOf")
        let waiting = try overview.integer("waiting")
        let oldest = overview.optionalMoment("oldestWaiting").map {
            ", the oldest for \(age(since: $0, at: now))"
        }
        let dead = try overview.integer("deadLetters")
        let facts = [
            ("Inbox", waiting == 0 ? "nothing waits" : "\(waiting) waiting\(oldest ?? "")"),
            (
                "Dead letters",
                dead == 0 ? "none" : "\(dead): `perennial merchant dead-letters` lists them"
            ),
            (
                "Unowned",
                try count(overview, "unownedPurchases", "unownedPurchasesIsExact")
                    + " purchases of no account"
            ),
        ]
        let lines = facts.map { style.paint($0.0.filled(to: 14), .faint) + $0.1 }
        var table = Columns(
            [
                ("app", .left), ("environment", .left), ("last notification", .left),
                ("last look", .left), ("certificates end", .left), ("problem", .left),
            ], first: ["app", "environment", "last notification"])
        for one in try overview.list("sources") {
            let look = one.optionalMoment("lastGapLook").map { "\(age(since: $0, at: now)) ago" }
            table.add([
                try one.text("bundleId"), try one.text("environment"),
                one.optionalMoment("lastNotification").map { "\(age(since: $0, at: now)) ago" }
                    ?? "never", look ?? "never",
                one.optionalMoment("certificatesEnd")?.plainText ?? "",
                one.optionalText("gapProblem") ?? "",
            ])
        }
        return ["At \(now.plainText):"] + lines + [""] + table.lines(style)
    }

    /// A number that is counted up to a limit: `10000+` where there are more.
    static func count(_ answer: Answer, _ name: String, _ isExact: String) throws -> String {
        "\(try answer.integer(name))" + (try answer.bool(isExact) ? "" : "+")
    }

    /// How long ago something was: `5 minutes`, `3 days`.
    private static func age(since moment: Instant, at now: Instant) -> String {
        let seconds = Int(max(0, now.since(moment).milliseconds / 1000))
        switch seconds {
        case ..<120: return counted(seconds, "second")
        case ..<7200: return counted(seconds / 60, "minute")
        case ..<172_800: return counted(seconds / 3600, "hour")
        default: return counted(seconds / 86_400, "day")
        }
    }
}

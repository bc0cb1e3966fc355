import HTTPSurface
import Merchant
import SubscriptionRules

extension PrometheusText {
    /// Adds the merchant's health. What the database would say is left out where it is away.
    mutating func add(_ merchant: Merchant) async {
        add(merchant.intakeCounts)
        guard let overview = try? await merchant.overview() else { return }
        add(overview)
    }

    private mutating func add(_ counts: [IntakeCount]) {
        let name = "perennial_merchant_notifications_total"
        head(name, "counter", "Notifications received, by type and what came of them.")
        for one in counts {
            line(name, "type=\"\(one.type)\",outcome=\"\(one.outcome)\"", "\(one.count)")
        }
    }

    private mutating func add(_ overview: MerchantOverview) {
        let inbox = overview.inbox
        gauge("inbox_waiting", "Notifications that wait to be processed.", inbox.waiting)
        gauge(
            "inbox_oldest_seconds", "For how long the oldest of them has waited.",
            max(0, (overview.oldestAge?.milliseconds ?? 0) / 1000))
        gauge("dead_letters", "Notifications that could not be processed.", inbox.deadLetters)
        gauge(
            "unowned_purchases",
            "Purchases that no account has claimed, counted up to \(CappedCount.limit).",
            inbox.unownedPurchases.count)
        moments(
            "last_notification", "When the newest notification came that was accepted.",
            overview.sources, \.lastNotification)
        moments(
            "last_gap_look", "Up to when the last look for missed notifications has read.",
            overview.sources, \.lastGapLook)
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: Int64) {
        head("perennial_merchant_\(name)", "gauge", help)
        line("perennial_merchant_\(name)", "", "\(value)")
    }

    /// A moment of each environment of an app, in seconds since 1970.
    private mutating func moments(
        _ name: String, _ help: String, _ sources: [MerchantOverview.Source],
        _ figure: (MerchantOverview.Source) -> Instant?
    ) {
        let name = "perennial_merchant_\(name)_timestamp_seconds"
        head(name, "gauge", help)
        for source in sources {
            guard let moment = figure(source) else { continue }
            let app = Self.escaped(source.bundleID)
            line(
                name, "app=\"\(app)\",environment=\"\(source.environment.name)\"",
                "\(moment.milliseconds / 1000)")
        }
    }

    /// A configuration may name an app as it likes.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}

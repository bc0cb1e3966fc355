import Journal
import SubscriptionRules

@testable import Timeline

/// Lives to draw, written as the store tells them.
enum Lives {
    static let monthly = "com.example.garden.estate.monthly"
    static let flowers = "com.example.garden.flowers.monthly"

    /// Sixty renewals and nothing else.
    static let fiveYears: Life = {
        var entries = [
            entry(
                "2026-01-31", "chosePlan", opens: month(1, after: "2026-01-31"), amount: 9990,
                notices: ["SUBSCRIBED/INITIAL_BUY"])
        ]
        entries += (1...60).map { renewal(month($0, after: "2026-01-31"), after: "2026-01-31", $0) }
        return life(
            entries, expires: month(61, after: "2026-01-31"), now: moment("2031-01-31"))
    }()

    /// A trial, an upgrade, a grace period, billing retry, an end and a new beginning.
    static let stormy: Life = {
        var entries = [
            entry(
                "2026-01-31", "chosePlan", opens: moment("2026-02-28"), amount: 0,
                product: flowers, offer: .freeTrial, notices: ["SUBSCRIBED/INITIAL_BUY"])
        ]
        entries += (1...5).map {
            renewal(month($0, after: "2026-01-31"), after: "2026-01-31", $0, 4990, flowers)
        }
        var upgrade = entry(
            "2026-07-10", "chosePlan", opens: moment("2026-08-10"), amount: 9990,
            notices: ["DID_CHANGE_RENEWAL_PREF/UPGRADE"])
        upgrade.refunded = 3380
        entries.append(upgrade)
        entries += (1...2).map { renewal(month($0, after: "2026-07-10"), after: "2026-07-10", $0) }
        var choice = entry(
            "2026-09-20", "chosePlan", notices: ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE"])
        choice.nextProductID = flowers
        entries.append(choice)
        entries += failures(from: "2026-10-10", graceUntil: "2026-10-26", attempts: 30)
        entries.append(
            entry(
                "2026-11-10", "changedPaymentMethod", opens: moment("2026-12-10"), amount: 4990,
                product: flowers, notices: ["DID_RENEW/BILLING_RECOVERY"]))
        entries += (1...2).map {
            renewal(month($0, after: "2026-11-10"), after: "2026-11-10", $0, 4990, flowers)
        }
        entries += [
            entry(
                "2027-01-15T12:30:00Z", "turnedRenewalOff", product: flowers,
                notices: ["DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"]),
            entry("2027-02-10", "becameDue", product: flowers, notices: ["EXPIRED/VOLUNTARY"]),
            entry(
                "2027-05-01", "chosePlan", opens: moment("2027-06-01"), amount: 4990,
                product: flowers, notices: ["SUBSCRIBED/RESUBSCRIBE"]),
        ]
        var life = Lives.life(entries, expires: moment("2027-06-01"), now: moment("2027-05-20"))
        life.productID = flowers
        life.price = 4990
        return life
    }()

    /// An hour of Sandbox: twelve renewals of five minutes each.
    static let sandbox: Life = {
        let start = moment("2026-01-31T10:02:13Z")
        var entries = (0...12).map { count in
            var entry = entry(
                "2026-01-31", count == 0 ? "chosePlan" : "becameDue",
                opens: start + .minutes(5 * count + 5), amount: 9990,
                notices: [count == 0 ? "SUBSCRIBED/INITIAL_BUY" : "DID_RENEW"])
            entry.at = start + .minutes(5 * count)
            return entry
        }
        var end = entry(
            "2026-01-31", "becameDue",
            notices: [
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "EXPIRED/VOLUNTARY",
            ])
        end.at = start + .minutes(65)
        entries.append(end)
        var life = Lives.life(entries, expires: end.at, now: start + .minutes(80))
        life.state = "expired"
        life.renewsAutomatically = false
        return life
    }()

    // MARK: Parts

    static func moment(_ text: String) -> Instant { Instant(iso8601: text)! }

    static func month(_ count: Int, after text: String) -> Instant {
        let date = BillingZone.utc.wallClock(at: moment(text)).date.adding(months: count)
        return BillingZone.utc.instant(of: date, milliseconds: 0)
    }

    static func life(_ entries: [TimelineEntry], expires: Instant, now: Instant) -> Life {
        Life(
            id: "400000000000005", account: "anna", productID: monthly, state: "active",
            renewsAutomatically: true, expires: expires, price: 9990, currency: "USD",
            entries: entries, now: now)
    }

    /// - Parameter opens: the end of the period that the event opens, if it opens one.
    static func entry(
        _ at: String, _ event: String, opens: Instant? = nil, amount: Int64? = nil,
        product: String = monthly, offer: Offer.Mode? = nil, notices: [String] = []
    ) -> TimelineEntry {
        var event = JournalEvent(named: event, at: moment(at))
        event.transactionID = opens == nil ? nil : 400_000_000_000_009
        (event.amount, event.currency, event.productID) = (amount, "USD", product)
        (event.until, event.offerMode, event.notices) = (opens, offer, notices)
        return TimelineEntry(sequence: 1, event)
    }

    private static func renewal(
        _ at: Instant, after start: String, _ number: Int, _ amount: Int64 = 9990,
        _ product: String = monthly
    ) -> TimelineEntry {
        var entry = entry(
            start, "becameDue", opens: month(number + 1, after: start), amount: amount,
            product: product, notices: ["DID_RENEW"])
        entry.at = at
        return entry
    }

    /// A failed renewal and an attempt a day, first in grace and then in billing retry.
    private static func failures(
        from due: String, graceUntil: String, attempts: Int
    ) -> [TimelineEntry] {
        var entries = (0...attempts).map { day in
            var entry = entry(
                due, "becameDue", notices: day == 0 ? ["DID_FAIL_TO_RENEW/GRACE_PERIOD"] : [])
            entry.at = moment(due) + .days(day)
            entry.until = moment(due)
            entry.declined = 4990
            entry.nextProductID = flowers
            entry.graceUntil = entry.at < moment(graceUntil) ? moment(graceUntil) : nil
            return entry
        }
        let place = entries.firstIndex { $0.graceUntil == nil } ?? entries.endIndex
        entries.insert(
            entry(graceUntil, "becameDue", notices: ["GRACE_PERIOD_EXPIRED"]), at: place)
        return entries
    }
}

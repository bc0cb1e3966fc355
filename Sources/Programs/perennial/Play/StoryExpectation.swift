import ConnectAnswers
import SubscriptionRules

/// Compares a customer with what a story expects.
struct StoryExpectation {
    let step: StoryStep
    private(set) var differences: [StepOutcome.Difference] = []

    init(_ step: StoryStep) { self.step = step }

    /// A member that is not as it must be; nothing where it is.
    mutating func compare(_ name: String, _ isMeant: Bool, found: String) {
        guard !isMeant else { return }
        let expected = step.text(name) ?? ""
        differences.append(
            StepOutcome.Difference(
                member: name, spot: step.spot(of: name),
                expected: expected.isEmpty ? "none" : expected,
                found: found.isEmpty ? "none" : found))
    }

    /// Compares the subscription that is meant.
    ///
    /// - Parameter subscription: nil where the customer has none.
    mutating func compare(_ subscription: Answer?) throws {
        if let status = step.text("status") {
            let state = try subscription?.text("state") ?? "none"
            compare("status", status == state, found: state)
        }
        if let wanted = step.text("expires") {
            let end = try subscription?.moment("expires")
            compare(
                "expires", end.map { Self.isMeant(wanted, $0) } ?? false,
                found: end?.plainText ?? "")
        }
        if let wanted = step.truth("willRenew") {
            let renews = try subscription?.bool("autoRenew") ?? false
            compare("willRenew", wanted == renews, found: String(renews))
        }
        if let wanted = step.text("renewsAs") {
            let next =
                try subscription.map {
                    try $0.optionalText("nextProductId") ?? $0.text("productId")
                }
            compare("renewsAs", wanted == next, found: next ?? "")
        }
        if let wanted = step.text("price") { try compare(price: wanted, of: subscription) }
    }

    private mutating func compare(price wanted: String, of subscription: Answer?) throws {
        guard let subscription else { return compare("price", false, found: "") }
        let price = try subscription.integer("price")
        let currency = try subscription.text("currency")
        compare(
            "price", StoryAmount(wanted)?.means(price, currency) ?? false,
            found: Money.plainText(price, currency))
    }

    /// Whether a moment is the one that is wanted, or any of the day that is.
    private static func isMeant(_ wanted: String, _ moment: Instant) -> Bool {
        guard let start = Instant(plainText: wanted) else { return false }
        guard wanted.count == 10 else { return moment == start }
        return moment >= start && moment < start + .days(1)
    }
}

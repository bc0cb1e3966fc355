import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules

/// How a subscription is to be billed, as it is typed.
enum BillingChoice: String, ExpressibleByArgument, CaseIterable {
    case upFront = "up-front"
    case monthly

    /// The name on the wire.
    var type: String {
        switch self {
        case .upFront: BillingPlan.upFront.rawValue
        case .monthly: BillingPlan.monthly.rawValue
        }
    }
}

/// How a year is billed, where that is asked.
struct BillingOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How a year is billed: up-front, or monthly under a commitment to all twelve months.",
            valueName: "up-front|monthly"))
    var billingPlan: BillingChoice?
}

/// A commitment in words.
enum Commitments {
    /// The month that runs and when all end, such as `month 3 of 12, committed until 1 Jan 2027`.
    static func words(_ subscription: Answer) throws -> String? {
        guard subscription.value["commitment"] != nil else { return nil }
        let commitment = try subscription.object("commitment")
        return "month \(try commitment.integer("month")) of \(try commitment.integer("months")), "
            + "committed until \(try commitment.moment("ends").plainText)"
    }

    /// What was agreed to with a transaction; nil where it is no month of a commitment.
    static func words(ofTransaction transaction: Answer) throws -> String? {
        guard transaction.value["commitmentInfo"] != nil,
            let currency = transaction.optionalText("currency")
        else { return nil }
        let commitment = try transaction.object("commitmentInfo")
        let end = Instant(milliseconds: try commitment.integer("commitmentExpiresDate"))
        return "month \(try commitment.integer("billingPeriodNumber")) of "
            + "\(try commitment.integer("totalBillingPeriods")), committed until "
            + "\(end.plainText): "
            + "\(Money.plainText(try commitment.integer("commitmentPrice"), currency)) in all"
    }
}

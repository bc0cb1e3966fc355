public import SubscriptionRules

/// A customer's payment method in the built-in bank, which answers a bill inside the transaction
/// that makes it, or leaves it for later.
public enum PaymentMethod: Hashable, Sendable {
    /// Every bill is paid.
    case approves
    /// Bills are declined: before a moment, a number of times, or for good when neither is
    /// given.
    case declines(until: Instant?, left: Int?)
    /// Bills stay pending: for a time on the store's clock, after which they are paid or declined,
    /// or until the operator answers them when none is given.
    case answersLater(after: Span?, isPaid: Bool)

    /// What the built-in bank says at once.
    enum Decision: Hashable {
        case paid
        case declined
        /// It will say what `answer` says, at a moment or when the operator lets it.
        case pending(answer: BankAnswer, at: Instant?)
        /// A bank outside is to be asked, to collect it by one of its methods.
        case asked(String)
    }

    /// Answers a bill and remembers that it did. Nothing to pay is always paid.
    mutating func decide(on amount: Money, at now: Instant) -> Decision {
        guard amount.milliunits > 0 else { return .paid }
        switch self {
        case .approves:
            return .paid
        case .declines(let until?, _) where now >= until:
            self = .approves
            return .paid
        case .declines(let until, let left?):
            self = left > 1 ? .declines(until: until, left: left - 1) : .approves
            return .declined
        case .declines:
            return .declined
        case .answersLater(let after, let isPaid):
            return .pending(answer: isPaid ? .paid : .declined, at: after.map { now + $0 })
        }
    }
}

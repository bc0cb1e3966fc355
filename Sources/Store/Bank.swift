public import SubscriptionRules

/// A customer's payment method in the built-in bank: it answers at once, inside the transaction.
public enum PaymentMethod: Hashable, Sendable {
    /// Every charge is paid.
    case approves
    /// Charges are declined: before a moment, a number of times, or for good when neither is
    /// given.
    case declines(until: Instant?, left: Int?)

    /// Answers a charge and remembers that it did. Nothing to pay is always paid.
    ///
    /// - Returns: whether the amount was collected.
    mutating func pay(_ amount: Money, at now: Instant) -> Bool {
        guard amount.milliunits > 0 else { return true }
        switch self {
        case .approves:
            return true
        case .declines(let until?, _) where now >= until:
            self = .approves
            return true
        case .declines(let until, let left?):
            self = left > 1 ? .declines(until: until, left: left - 1) : .approves
            return false
        case .declines:
            return false
        }
    }
}

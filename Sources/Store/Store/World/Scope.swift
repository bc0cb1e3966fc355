import Storage

/// What a change is about, and so what else may be changed beside it.
///
/// What belongs to a customer is changed by whoever has locked the customer's row. What belongs to
/// nobody, such as the clock, apps, prices and jobs, is changed by who is alone (0025).
enum Scope: Sendable {
    /// Anything: nothing else is changed meanwhile.
    case everything
    /// One customer.
    case customer(Int64)
    case account(String, StoreEnvironment)
    /// The customer who has it.
    case transaction(Int64)
    case subscription(Int64)
    case bill(Int64)
    case refundRequest(Int64)
    case heldPurchase(Int64)
    /// What is taken up on the way, and locked then.
    case whatIsTakenUp

    var company: Company {
        switch self {
        case .everything: .alone
        default: .together
        }
    }
}

/// A change turned out to be about more than what it has locked: it is made anew, alone.
struct NeedsToBeAlone: Error {}

extension UnitOfWork {
    /// Goes on only while nothing else is changed.
    ///
    /// - Throws: `NeedsToBeAlone`.
    func needToBeAlone() throws {
        guard locked == nil else { throw NeedsToBeAlone() }
    }
}

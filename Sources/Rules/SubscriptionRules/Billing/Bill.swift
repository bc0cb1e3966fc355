/// Something to be paid once, and what for. The bank answers it, at once or later; a renewal that
/// was declined is tried again with a bill of its own.
public struct Bill: Hashable, Sendable {
    /// What a bill is for.
    public enum Purpose: Hashable, Sendable {
        /// The customer buys: the first time, again after expiry, or by hand during billing retry.
        case purchase
        /// The customer moves to another plan with immediate effect, which counts from there.
        case planChange(PlanChange.Start)
        /// A period begins as agreed.
        case renewal
        /// A renewal that failed is tried again.
        case recovery
    }

    /// The number that names it for ever, to the bank as well: that of the transaction which it
    /// becomes when it is paid.
    public let id: Int64
    public var purpose: Purpose
    /// What is to be paid for, with the offers that apply to this period.
    public var plan: Plan
    /// What of the running period goes back when a plan change is paid, as it was when the change
    /// was asked for (CHG-2); nil where nothing goes back.
    public var credit: Money?
    /// Lower prices that went live after the bill was made, by SKU, in milliunits: they hold from
    /// the next bill on (PRC-4).
    public internal(set) var lowered: [String: Int64]

    public init(
        id: Int64, _ purpose: Purpose, _ plan: Plan, credit: Money? = nil,
        lowered: [String: Int64] = [:]
    ) {
        self.id = id
        self.purpose = purpose
        self.plan = plan
        self.credit = credit
        self.lowered = lowered
    }

    /// What is to be paid.
    public var amount: Money { plan.amount }

    /// Whether the customer asked for it, so that nothing changes while it is not paid.
    public var isChosen: Bool {
        switch purpose {
        case .purchase, .planChange: true
        case .renewal, .recovery: false
        }
    }
}

/// A bill that a subscription waits for.
public struct OutstandingBill: Hashable, Sendable {
    public internal(set) var bill: Bill
    /// Whether the bank was asked to give it up. It may have been paid all the same: its answer
    /// decides.
    public internal(set) var isBeingVoided: Bool

    public init(_ bill: Bill, isBeingVoided: Bool = false) {
        self.bill = bill
        self.isBeingVoided = isBeingVoided
    }
}

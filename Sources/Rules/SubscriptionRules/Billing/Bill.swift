/// Something to be paid once, and what for. The bank answers it, at once or later; a renewal that
/// was declined is tried again with a bill of its own.
public struct Bill: Hashable, Sendable {
    /// What a bill is for.
    public enum Purpose: Hashable, Sendable {
        /// The customer buys: the first time, again after expiry, or by hand during billing retry.
        case purchase
        /// The customer moves to another plan with immediate effect, which counts from there.
        case planChange(PlanChange.Start)
        /// A merchant's request changes its plan at once (ACM-3).
        case modification
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
    /// What a merchant's request changes once it is paid; nil for every other purpose.
    @Rare public var modification: Modification?

    /// What a merchant's request changes once it is paid.
    public struct Modification: Hashable, Sendable {
        /// What is charged for each line of the plan, in its order, in milliunits; nil where one
        /// goes on as it was paid.
        public var charges: [Int64?]
        /// What goes back for items that end, or begin anew.
        public var credits: [ItemRefund]
        /// What waits for the next renewal.
        public var next: Plan?
        /// Whether the renewal date stays.
        public var keepsCycle: Bool

        public init(
            charges: [Int64?], credits: [ItemRefund], next: Plan?, keepsCycle: Bool
        ) {
            self.charges = charges
            self.credits = credits
            self.next = next
            self.keepsCycle = keepsCycle
        }
    }

    public init(
        id: Int64, _ purpose: Purpose, _ plan: Plan, credit: Money? = nil,
        lowered: [String: Int64] = [:], modification: Modification? = nil
    ) {
        precondition((purpose == .modification) == (modification != nil))
        self.modification = modification
        self.id = id
        self.purpose = purpose
        self.plan = plan
        self.credit = credit
        self.lowered = lowered
    }

    /// What is to be paid for each line of the plan, in its order, in milliunits.
    public var charges: [Int64] {
        modification?.charges.map { $0 ?? 0 } ?? plan.lines.map(\.amount)
    }

    /// What is to be paid.
    public var amount: Money { Money(milliunits: charges.reduce(0, +), plan.currency) }

    /// Whether the customer asked for it, so that nothing changes while it is not paid.
    public var isChosen: Bool {
        switch purpose {
        case .purchase, .planChange, .modification: true
        case .renewal, .recovery: false
        }
    }
}

/// What goes back for one item of a transaction.
public struct ItemRefund: Hashable, Sendable {
    public var transactionID: Int64
    public var sku: String
    /// In milliunits of the transaction's currency.
    public var amount: Int64

    public init(transactionID: Int64, sku: String, amount: Int64) {
        self.transactionID = transactionID
        self.sku = sku
        self.amount = amount
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

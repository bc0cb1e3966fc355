/// Something that a customer was to pay, once: see docs/decisions/0016-bills.md.
public struct Invoice: Hashable, Sendable {
    /// How far it has come.
    public enum State: String, Hashable, Sendable { case pending, paid, declined, void, reversed }

    /// What the bank may say of it.
    public enum Answer: String, Hashable, Sendable, CaseIterable {
        case pending, paid, declined, voided, reversed, restored
    }

    /// What kind of thing it is for.
    public enum Purpose: String, Hashable, Sendable {
        case purchase, planChange, modification, renewal, recovery, oneTimePurchase
    }

    public internal(set) var account: Account.Name
    public internal(set) var purpose: Purpose
    public internal(set) var product: String
    /// The group of a subscription.
    public internal(set) var group: String?
    public internal(set) var amount: Int
    public internal(set) var country: Country
    public internal(set) var state = State.pending
    public internal(set) var made: Int
    /// When its state last changed.
    public internal(set) var changed: Int
    /// Whether the bank said at once that it is paid.
    public internal(set) var isPaidAtOnce = false
    /// Whether the bank ever took the money back.
    public internal(set) var wasReversed = false
    /// When the bank answers by itself, and what.
    public internal(set) var answersAt: Int?
    var willBePaid = true
    /// What is to happen when it is paid.
    public internal(set) var order: Order
    /// The developer's name for the customer, given with a purchase.
    var token: String?
    /// What lines cost from the next bill on, where their price has fallen meanwhile.
    var lowered: [String: Int] = [:]

    /// What is to happen when an invoice is paid.
    public enum Order: Hashable, Sendable {
        case once
        /// A subscription begins.
        case begin(HeldPlan)
        /// What a failed renewal owes is bought by hand.
        case byHand(HeldPlan)
        /// Another plan at once, and what of the running period goes back.
        case change(HeldPlan, unused: Int)
        /// A merchant's plan becomes another one at once.
        case modify(HeldPlan, ModificationTerms)
        /// The next period, and what of it is charged a higher price for the first time.
        case period(HeldPlan, isOther: Bool, raised: Set<String>)
    }

    init(
        _ purpose: Purpose, _ product: String, _ amount: Int, of account: Account.Name,
        in country: Country, group: String?, at moment: Int, _ order: Order
    ) {
        self.account = account
        self.purpose = purpose
        self.product = product
        self.group = group
        self.amount = amount
        self.country = country
        (made, changed) = (moment, moment)
        self.order = order
    }

    /// Whether the customer asked for it.
    var isChosen: Bool {
        switch purpose {
        case .purchase, .planChange, .modification, .oneTimePurchase: true
        case .renewal, .recovery: false
        }
    }

    /// What is asked for is waited for a day.
    public var givenUpAt: Int? { isChosen ? made + NaiveCalendar.day : nil }

    /// When something happens to it by itself.
    var moment: Int? {
        state == .pending ? [answersAt, givenUpAt].compactMap { $0 }.min() : nil
    }

    /// The plan that it is for.
    public var plan: HeldPlan? {
        switch order {
        case .once: nil
        case .begin(let plan), .byHand(let plan), .change(let plan, _), .modify(let plan, _),
            .period(let plan, _, _):
            plan
        }
    }
}

/// What a bank says when it is asked to pay.
enum Reply { case paid, declined, later }

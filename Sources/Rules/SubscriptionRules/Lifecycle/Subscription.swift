/// One customer's subscription in one group, through its whole life: a value that decides and
/// never acts. Stable over renewals, plan changes and resubscription (PRD-4, GRP-2).
public struct Subscription: Hashable, Sendable {
    /// The identifier of the first transaction, which names the subscription for ever.
    public let id: Int64
    /// The group that it is in.
    public let groupID: String
    /// What is delivered in the newest period, with the offers that apply to it.
    public internal(set) var plan: Plan
    /// A plan change that waits for the next renewal, with the offers that come with it; the last
    /// choice wins (CHG-7).
    @Rare public internal(set) var nextPlan: Plan?
    /// The newest period.
    public internal(set) var newestPeriod: BillingPeriod
    /// Where the periods are counted from.
    public internal(set) var cycle: BillingCycle
    /// What the subscription is in.
    public internal(set) var state: State
    /// Whether the customer wants it to renew.
    public internal(set) var renewsAutomatically: Bool
    /// Renewals since the last purchase or immediate plan change; Sandbox stops after a number of
    /// them (SBX-1).
    public internal(set) var renewalCount: Int
    /// The start of the run of service, short lapses ignored (EXP-7).
    public internal(set) var serviceStart: Instant
    /// The offers that were taken up, oldest first.
    public internal(set) var offersUsed: [OfferUse]
    /// Higher prices that went live and are not charged yet, by SKU; kept when the subscription
    /// ends over one, so that whoever comes back pays it (PRC-5, PRC-9).
    public internal(set) var increases: [String: PendingIncrease]
    /// When this subscriber was first charged the last increased price, by SKU (THR-1 c).
    public internal(set) var lastIncreases: [String: Instant]
    /// How many periods were paid, the running one included (EXT-3).
    public internal(set) var paidPeriods: Int
    /// The last extensions of the renewal date, at most two, oldest first (EXT-2).
    public internal(set) var extensions: [Instant]
    /// The paid service before the newest period, which decides the commission (COM-2).
    public internal(set) var paidService: PaidServiceClock

    /// What a Korean subscriber has to agree to before an offer ends; nil elsewhere.
    @Rare public internal(set) var conversion: PendingConversion?

    /// What the bank has still to answer; at most one bill at a time.
    @Rare public internal(set) var outstanding: OutstandingBill?

    /// The states of a subscription, each with what belongs to it.
    public enum State: Hashable, Sendable {
        /// Nothing was paid for yet; its period is empty.
        case new
        /// Inside the newest period.
        case active
        /// The period is over and the bank has not answered the bill for the next one; access
        /// lasts for a while.
        case awaitingPayment(until: Instant)
        /// The renewal failed; access lasts until the grace period ends.
        case grace(Retry, until: Instant)
        /// The renewal failed and access has stopped; `graceEnded` where it had a grace period.
        case retrying(Retry, graceEnded: Instant?)
        /// It is over.
        case expired(ExpirationReason, at: Instant)
        /// The newest period was refunded while it ran, so it is over too (REF-8).
        case revoked
    }

    /// Restores a subscription as it was stored.
    public init(
        id: Int64, groupID: String, plan: Plan, nextPlan: Plan?, newestPeriod: BillingPeriod,
        cycle: BillingCycle,
        state: State, renewsAutomatically: Bool, renewalCount: Int, serviceStart: Instant,
        offersUsed: [OfferUse] = [], increases: [String: PendingIncrease] = [:],
        lastIncreases: [String: Instant] = [:], paidPeriods: Int = 0, extensions: [Instant] = [],
        paidService: PaidServiceClock = PaidServiceClock(),
        conversion: PendingConversion? = nil, outstanding: OutstandingBill? = nil
    ) {
        self.id = id
        self.groupID = groupID
        self.plan = plan
        self.nextPlan = nextPlan
        self.newestPeriod = newestPeriod
        self.cycle = cycle
        self.state = state
        self.renewsAutomatically = renewsAutomatically
        self.renewalCount = renewalCount
        self.serviceStart = serviceStart
        self.offersUsed = offersUsed
        self.increases = increases
        self.lastIncreases = lastIncreases
        self.paidPeriods = paidPeriods
        self.extensions = extensions
        self.paidService = paidService
        self.conversion = conversion
        self.outstanding = outstanding
    }

    /// A subscription that its customer has yet to choose and to pay for.
    ///
    /// - Parameters:
    ///   - id: the identifier of the bill, and so of the first transaction.
    ///   - plan: what is going to be chosen.
    ///   - outstanding: the bill, where it was chosen and the bank has not answered.
    public init(
        new id: Int64, groupID: String, plan: Plan, at now: Instant,
        outstanding: OutstandingBill? = nil
    ) {
        self.init(
            id: id, groupID: groupID, plan: plan, nextPlan: nil,
            newestPeriod: BillingPeriod(
                transactionID: id, purchased: now, start: now, end: now,
                charges: plan.lines.map { _ in 0 }),
            cycle: BillingCycle(anchor: now), state: .new, renewsAutomatically: false,
            renewalCount: 0, serviceStart: now, outstanding: outstanding)
    }

    /// Ranks the current plan as the catalogue does now: levels may have been moved since it was
    /// bought, and plan changes go by level only (GRP-4).
    public mutating func rank(asLevel level: Int) {
        plan.level = level
    }

    /// The next moment at which something happens by itself, or nil when it is over.
    public var nextChange: Instant? {
        switch state {
        case .active:
            min(
                newestPeriod.end, nextAnnouncement ?? newestPeriod.end,
                nextQuestion ?? newestPeriod.end)
        case .awaitingPayment(let until): until
        case .grace(let retry, let until):
            outstanding == nil ? min(retry.nextAttempt, until) : until
        case .retrying(let retry, _):
            switch outstanding {
            case nil: min(retry.nextAttempt, retry.givesUpAt)
            // Nothing is tried while an answer is outstanding; in the end it is given up.
            case let bill? where !bill.isBeingVoided: retry.givesUpAt
            case _?: retry.nextAttempt
            }
        case .new, .expired, .revoked: nil
        }
    }

    /// Whether nothing is running and nothing is tried any more.
    public var isOver: Bool {
        switch state {
        case .active, .awaitingPayment, .grace, .retrying: false
        case .new, .expired, .revoked: true
        }
    }

    /// Whether the newest period was refunded, while it ran or when it was over: then this is all
    /// that counts of how it stands (TAB-4.3).
    public var isRevoked: Bool { newestPeriod.refund != nil }

    /// Whether the customer has access (TAB-4.3).
    public var isEntitled: Bool {
        switch state {
        case .active, .awaitingPayment, .grace: true
        case .new, .retrying, .expired, .revoked: false
        }
    }

    /// What the next renewal, or the next attempt at a failed one, would charge.
    public var renewalPlan: Plan {
        // Inside a commitment the terms hold to its end, whatever waits for that.
        guard !owesInstalment else { return plan.changingLines { $0 = $0.afterInstalment } }
        // A plan change at renewal ends a running discount (TAB-2.3); a merchant's items that stay
        // what they are keep their increases.
        if let nextPlan {
            guard plan.merchant != nil else { return nextPlan }
            return nextPlan.changingLines { line in
                if line.offer == nil {
                    line = increased(line, line.replaces, forRenewalAt: newestPeriod.end)
                }
                line.replaces = nil
            }
        }
        return plan.changingLines { line in
            line = increased(line.afterRenewal, forRenewalAt: newestPeriod.end)
        }
    }

    /// A line at the price that was announced for a renewal, if there is one.
    ///
    /// - Parameter current: the SKU that it has until then; nil where that stays.
    func increased(
        _ line: Plan.Line, _ current: String? = nil, forRenewalAt moment: Instant
    ) -> Plan.Line {
        guard let raised = increases[current ?? line.sku]?.price(forRenewalAt: moment) else {
            return line
        }
        var line = line
        line.price = raised
        return line
    }

    /// What of that which runs a transaction paid for, by SKU.
    public func items(paidBy transactionID: Int64) -> [String] {
        plan.lines.map(\.sku).filter {
            newestPeriod.payment(for: $0, of: plan)?.transactionID == transactionID
        }
    }

    /// The offer that begins with a renewal to come: that of the plan that waits, or the one that
    /// follows in the plan that runs. A merchant's items have theirs each.
    public var waitingOffer: AppliedOffer? {
        guard !isOver, plan.merchant == nil else { return nil }
        guard let nextPlan else { return plan.lines.count == 1 ? plan.lines[0].nextOffer : nil }
        guard nextPlan.lines.count == 1 else { return nil }
        let goesOn = plan.lines[0].afterRenewal.offer
        if let offer = nextPlan.onlyOffer, offer != goesOn { return offer }
        return nextPlan.lines[0].nextOffer
    }

    /// Whether nothing but a free trial runs.
    var isInFreeTrial: Bool { plan.lines.allSatisfy { $0.offer?.mode == .freeTrial } }
}

/// One period of a subscription: one transaction, one charge.
public struct BillingPeriod: Hashable, Sendable {
    /// The transaction that opened it.
    public var transactionID: Int64
    /// When it was charged.
    public var purchased: Instant
    /// From when it is counted: before `purchased` only after a recovery inside grace, and where a
    /// merchant's plan was modified in it.
    public var start: Instant
    /// When it ends, extensions included.
    public var end: Instant
    /// By how much extensions moved its end; these days count to no year of paid service (EXT-7).
    public var extended: Span
    /// What was charged for each line of the plan, in its order: milliunits of the plan's
    /// currency, offers included.
    public var charges: [Int64]
    /// What the store keeps of the charge (COM-1).
    public var commission: CommissionRate
    /// Which month of its commitment it is, from 1; nil outside of one (CMT-1).
    public var instalment: Int?
    /// That it was refunded; nil again after a reversal (REF-9).
    public var refund: Refund?
    /// What was paid before, in the same cycle, for items of a merchant's plan that go on in this
    /// period, by SKU: these have no charge of its own.
    public var carried: [String: Payment] = [:]
    /// What of a merchant's plan ended in this cycle with a refund, in that order. Where the plan
    /// as a whole is given back it may still show what ended by itself as well.
    public var ended: [EndedItem] = []

    /// The transactions that paid for what runs: its own, and earlier ones of the same cycle.
    public var payers: Set<Int64> {
        Set(carried.values.map(\.transactionID)).union([transactionID])
    }

    /// What was paid for one item.
    public struct Payment: Hashable, Sendable {
        public var transactionID: Int64
        public var at: Instant
        /// In milliunits.
        public var amount: Int64

        public init(transactionID: Int64, at: Instant, amount: Int64) {
            self.transactionID = transactionID
            self.at = at
            self.amount = amount
        }
    }

    /// An item that ended with a refund, as it was: it comes back where that is reversed (REF-9).
    public struct EndedItem: Hashable, Sendable {
        public var line: Plan.Line
        public var payment: Payment
        /// When an increase of its price was last charged; nil if never.
        public var lastIncrease: Instant?
        /// When it ended.
        public var at: Instant
        /// Whether a refund of items ended it that left others of its transaction paid: then it
        /// does not come back where the transaction does, be it given back at the same moment.
        public var isByItself: Bool

        public init(
            line: Plan.Line, payment: Payment, lastIncrease: Instant?, at: Instant,
            isByItself: Bool = false
        ) {
            self.line = line
            self.payment = payment
            self.lastIncrease = lastIncrease
            self.at = at
            self.isByItself = isByItself
        }

        /// Whether the refund of a transaction ended it that was granted at a moment.
        func ended(with transactionID: Int64, givenBackAt moment: Instant) -> Bool {
            payment.transactionID == transactionID && at == moment && !isByItself
        }
    }

    /// What was paid for a line of the plan that runs; nil for what it does not deliver.
    func payment(for sku: String, of plan: Plan) -> Payment? {
        if let before = carried[sku] { return before }
        guard let place = plan.lines.firstIndex(where: { $0.sku == sku }) else { return nil }
        return Payment(transactionID: transactionID, at: purchased, amount: charges[place])
    }

    /// What was charged in all, in milliunits.
    public var price: Int64 { charges.reduce(0, +) }

    /// What the period costs as a whole, in milliunits: with what was paid before, in the same
    /// cycle, for items that go on in it.
    public var wholePrice: Int64 { carried.values.reduce(price) { $0 + $1.amount } }

    /// Whether anything was paid for it, be it before, for what goes on in it.
    var isPaid: Bool { price > 0 || carried.contains { $0.value.amount > 0 } }

    /// A refund of a period.
    public struct Refund: Hashable, Sendable {
        /// When it was granted.
        public var moment: Instant
        /// Whether the whole price was given back.
        public var isFull: Bool

        public init(moment: Instant, isFull: Bool) {
            self.moment = moment
            self.isFull = isFull
        }
    }

    public init(
        transactionID: Int64, purchased: Instant, start: Instant, end: Instant,
        charges: [Int64], extended: Span = Span(milliseconds: 0),
        commission: CommissionRate = .standard, instalment: Int? = nil, refund: Refund? = nil
    ) {
        self.transactionID = transactionID
        self.purchased = purchased
        self.start = start
        self.end = end
        self.charges = charges
        self.extended = extended
        self.commission = commission
        self.instalment = instalment
        self.refund = refund
    }
}

/// Why a subscription ended, with the numbers of `expirationIntent` (TAB-4.3).
public enum ExpirationReason: Int, Hashable, Sendable, CaseIterable {
    /// The customer turned renewal off.
    case voluntary = 1
    /// The renewal could not be charged.
    case billingError = 2
    /// Consent to a price increase or to an offer conversion was not given.
    case priceIncrease = 3
    /// The product was not for sale at renewal.
    case notForSale = 4
    case other = 5
}

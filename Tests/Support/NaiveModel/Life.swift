/// The life of one customer in one group, with everything that happens next written out.
public struct Life: Hashable, Sendable {
    /// How the customer stands.
    public enum Phase: Hashable, Sendable {
        case running
        /// The period is over, and nobody has answered whether the next one is paid.
        case awaiting(until: Int)
        case grace(until: Int)
        case retry
        /// The running period was refunded.
        case revoked
        /// Over, with the number of `expirationIntent`.
        case over(Int)
    }

    /// The number of the invoice with which it began: of two events at one moment that of the
    /// lower one comes first.
    public internal(set) var number: Int
    public internal(set) var account: Account.Name
    public internal(set) var group: String
    public internal(set) var country: Country
    public internal(set) var plan: HeldPlan
    /// What waits for the next renewal; of a merchant's plan also what is left of it by a renewal
    /// that has no answer or failed.
    public internal(set) var waiting: HeldPlan?
    /// Which month of a commitment the running period is, from 1 to 12.
    public internal(set) var month: Int?
    public internal(set) var start: Int
    public internal(set) var end: Int
    /// What the running period cost, line by line.
    public internal(set) var costs: [Int]
    /// What paid for each of a merchant's items in the running cycle.
    public internal(set) var payments: [String: Payment] = [:]
    /// Which of a merchant's items ended in the running cycle because they were given back.
    var ended: [EndedItem] = []
    public internal(set) var renews = true
    public internal(set) var phase = Phase.running
    /// The moment of the failure, and how many attempts came after it.
    public internal(set) var failed = 0
    var attempts = 0
    public internal(set) var retryLasts = 0
    /// When the grace of this failure ends or ended.
    var graceEnds: Int?
    /// Renewals since it was bought, for Sandbox's limit.
    var renewals = 0
    /// The start of the run of service (EXP-7).
    public internal(set) var serviceStart: Int
    /// The offers that were taken up, in order.
    public internal(set) var offersTaken: [OfferTaken] = []
    var counting: Counting
    /// When it was extended (EXT-2), and by how much the running period was.
    public internal(set) var extensions: [Int] = []
    var extended = 0
    /// Paid service before the running period: days, in Sandbox milliseconds (COM-8).
    var served = 0
    /// When it was over, and when the running period was refunded and whether in full.
    public internal(set) var endedAt = 0
    var revokedAt: Int?
    var isRevokedFully = false
    /// Whether the newest period was given back, while it ran or later.
    var isGivenBack = false
    /// Higher prices on their way, by what they are the price of.
    public internal(set) var increases: [String: PriceIncrease] = [:]
    /// Prices of items that only come with the renewal, which hold after their first period.
    public internal(set) var waitingIncreases: [String: PriceIncrease] = [:]
    /// When a higher price was last charged for the first time, of what is delivered still.
    public internal(set) var lastIncreases: [String: Int] = [:]
    /// The developer's name for the customer on the next receipts.
    var token: String?
    /// The number of the invoice that nobody has answered.
    public internal(set) var invoice: Int?
    /// The place of the running period's receipt among all.
    public internal(set) var receipt = 0

    /// Whether the customer has access (TAB-4.3).
    public var hasAccess: Bool {
        switch phase {
        case .running, .awaiting, .grace: true
        case .retry, .revoked, .over: false
        }
    }

    /// Whether its renewal has no answer, and access goes on.
    public var isAwaiting: Bool {
        if case .awaiting = phase { true } else { false }
    }

    public var isOver: Bool {
        switch phase {
        case .over, .revoked: true
        case .running, .awaiting, .grace, .retry: false
        }
    }

    /// What the running period cost.
    public var paid: Int { costs.reduce(0, +) }

    /// Whether anything was paid for the running period, be it for what goes on in it.
    public var isPaid: Bool { paid > 0 || payments.values.contains { $0.amount > 0 } }

    /// What the next period is: a month that is owed, the waiting plan, or the plan with the
    /// discounts that go on.
    public var next: HeldPlan { owesMonth ? plan.afterMonth : waiting ?? plan.afterwards }

    /// The product of the next period.
    public var nextProduct: String { next.product }

    /// The increase of the first line that has one.
    public var increase: PriceIncrease? { plan.lines.compactMap { increases[$0.sku] }.first }

    /// When the first line of those that were raised was raised last.
    public var lastIncrease: Int? { plan.lines.compactMap { lastIncreases[$0.sku] }.first }

    /// Whether what was announced holds: another plan that waits for the renewal voids it. Of a
    /// merchant's plan the items that stay keep theirs (ACS-4), until the renewal is due.
    public var increasesHold: Bool {
        waiting == nil || plan.isMerchants && phase == .running
    }

    /// When the customer is told of an increase next: never of one that will not be charged.
    public var told: Int? { increasesHold ? increases.values.compactMap(\.told).min() : nil }

    /// The item that runs and goes on in one of the plan that waits, be it under another name at
    /// the same price; nil for what only comes then.
    func running(_ line: HeldLine) -> HeldLine? {
        guard let old = plan.line(line.origin) else { return nil }
        let after = old.afterwards
        let isSame =
            (line.price, line.offer, line.offersLeft, line.upcoming)
            == (after.price, after.offer, after.offersLeft, after.upcoming)
        return line.sku == old.sku || isSame ? old : nil
    }

    /// Whether an item ends with the period though renewal is on: removed, replaced or refused.
    func isToGo(_ sku: String) -> Bool {
        if increases[sku]?.isDeclined == true { return true }
        guard let waiting else { return false }
        return !waiting.lines.contains { running($0)?.sku == sku }
    }

    /// What comes no more has no price.
    mutating func forgetWhatDoesNotCome() {
        waitingIncreases = waitingIncreases.filter { waiting?.line($0.key) != nil }
    }

    var usedIntroduction: Bool { offersTaken.contains { $0.name == nil } }
}

/// How period ends are counted: always from an anchor (CAL-5).
struct Counting: Hashable, Sendable {
    enum Unit: Hashable, Sendable { case days, months, milliseconds }

    var anchor: Int
    var unit = Unit.milliseconds
    var elapsed = 0
}

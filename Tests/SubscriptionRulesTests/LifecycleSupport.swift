import SubscriptionRules
import Testing

/// One customer, one subscription and a bank, with no store around them: it feeds events to
/// `Subscription.handle`, answers its charges, and keeps all that it asked for.
///
/// Whatever is refused must leave the subscription as it was: checked here, for every test.
struct LifecycleWorld {
    /// A period that was opened, and of which plan.
    struct Opened: Hashable {
        var newestPeriod: BillingPeriod
        var plan: Plan
        var reason: Action.TransactionReason
        /// When an upgrade or the operator cut it short.
        var cutAt: Instant?
    }

    /// A charge that was asked for.
    struct Charge: Hashable {
        var bill: Bill
        var moment: Instant
        /// The newest transaction when it was asked for.
        var after: Int64
        var wasPaid: Bool
    }

    var subscription: Subscription
    var terms: Conditions
    /// Whether the product of the next period is for sale.
    var isForSale = true
    /// The bank declines every charge before this moment.
    var declinesUntil: Instant?
    /// The bank declines that many further charges.
    var declinesNext = 0
    /// The moment of the newest event.
    private(set) var now: Instant

    private(set) var opened: [Opened] = []
    private(set) var charges: [Charge] = []
    private(set) var superseded: [Int64] = []
    private(set) var refunds: [Int64: Int64] = [:]
    private(set) var notices: [ServerNotification] = []
    private var noticesTaken = 0
    private var newestBill: Int64 = 1
    /// How the bank behaves besides declining.
    var bank = Bank()

    struct Bank {
        /// It leaves every bill pending.
        var answersLater = false
        /// It gives a bill up when it is asked to.
        var givesUp = true
    }

    /// The customer buys a plan for the first time.
    init(
        buying plan: Plan, offer: AppliedOffer? = nil, at start: String,
        under terms: Conditions = Conditions()
    ) {
        now = moment(start)
        self.terms = terms
        subscription = Subscription(new: 1, groupID: "group", plan: plan, at: now)
        begin(plan, offer)
    }

    /// The customer buys a plan for the first time, and the bank leaves it pending.
    init(buying plan: Plan, offer: AppliedOffer? = nil, answeredLaterAt start: String) {
        now = moment(start)
        terms = Conditions()
        bank.answersLater = true
        subscription = Subscription(new: 1, groupID: "group", plan: plan, at: now)
        begin(plan, offer)
    }

    private mutating func begin(_ plan: Plan, _ offer: AppliedOffer?) {
        do {
            try perform(handle(chose(plan, offer)))
        } catch {
            Issue.record("a first purchase is never refused: \(error)")
        }
        noticesTaken = notices.count
    }

    /// Feeds one event at a moment that is not before what is due.
    mutating func send(_ event: Event, at moment: Instant) throws(Refusal) {
        let before = subscription
        now = moment
        do {
            try perform(handle(event))
        } catch {
            #expect(subscription == before, "a refused \(event) changed something")
            throw error
        }
        if event == .wasEnded { opened[opened.count - 1].cutAt = moment }
    }

    private mutating func handle(_ event: Event) throws(Refusal) -> [Action] {
        var newest = newestBill
        let actions = try subscription.handle(event, at: now, under: terms) {
            newest += 1
            return newest
        }
        newestBill = newest
        return actions
    }

    private mutating func perform(_ actions: [Action]) throws(Refusal) {
        for action in actions {
            note(action)
            switch action {
            case .charge(let bill): try answer(bill)
            case .void(let id):
                guard bank.givesUp, subscription.outstanding?.bill.id == id else { continue }
                try perform(handle(.billWasVoided(id, forSale: isForSale)))
            default: continue
            }
        }
    }

    private mutating func answer(_ bill: Bill) throws(Refusal) {
        guard !bank.answersLater else { return try perform(handle(.billIsPending(bill.id))) }
        let isPaid = bankApproves()
        charges.append(
            Charge(
                bill: bill, moment: now,
                after: subscription.state == .new ? 0 : subscription.newestPeriod.transactionID,
                wasPaid: isPaid))
        guard !isPaid else { return try perform(handle(.billWasPaid(bill.id))) }
        try perform(handle(.billWasDeclined(bill.id)))
    }

    private mutating func bankApproves() -> Bool {
        if let declinesUntil, now < declinesUntil { return false }
        guard declinesNext > 0 else { return true }
        declinesNext -= 1
        return false
    }

    private mutating func note(_ action: Action) {
        switch action {
        case .charge, .void, .describe: break
        case .open(let newestPeriod, let plan, let reason):
            opened.append(Opened(newestPeriod: newestPeriod, plan: plan, reason: reason))
        case .reschedule(let transactionID, let end):
            for index in opened.indices
            where opened[index].newestPeriod.transactionID == transactionID {
                opened[index].newestPeriod.end = end
            }
        case .supersede(let transactionID):
            superseded.append(transactionID)
            for index in opened.indices
            where opened[index].newestPeriod.transactionID == transactionID {
                opened[index].cutAt = now
            }
        case .refund(let transactionID, let money):
            refunds[transactionID, default: 0] += money.milliunits
        case .refundItems(let transactionID, let items):
            refunds[transactionID, default: 0] += items.reduce(0) { $0 + $1.amount }
        case .notify(let notice):
            if notice == .refunded, let index = opened.indices.last, opened[index].cutAt == nil {
                opened[index].cutAt = min(now, opened[index].newestPeriod.end)
            }
            notices.append(notice)
        }
    }
}

// MARK: - Sentences for tests

extension LifecycleWorld {
    /// The customer asks for something that the bank declines: nothing has changed.
    mutating func decline(_ event: Event, at time: String) {
        advance(to: moment(time))
        let before = (subscription, notices, charges.count)
        do {
            try send(event, at: moment(time))
        } catch {
            Issue.record("refused instead of declined: \(error)")
        }
        #expect(subscription == before.0 && notices == before.1)
        #expect(charges.count == before.2 + 1 && charges.last?.wasPaid == false)
    }

    /// Lets time pass: everything due up to and at the moment happens, in order.
    mutating func advance(to end: Instant) {
        var steps = 0
        while let due = subscription.nextChange, due <= end {
            steps += 1
            guard due >= now, steps < 10_000 else {
                Issue.record("due at \(text(due)) but it is \(text(now)) after \(steps) steps")
                return
            }
            do {
                try send(.becameDue(forSale: isForSale), at: due)
            } catch {
                Issue.record("what is due at \(text(due)) was refused: \(error)")
                return
            }
        }
        now = max(now, end)
    }

    /// Lets time pass and checks what the developer's server was told meanwhile.
    mutating func advance(
        to end: String, expecting expected: [ServerNotification],
        at location: SourceLocation = #_sourceLocation
    ) {
        advance(to: moment(end))
        #expect(takeNotices() == expected, sourceLocation: location)
    }

    /// Lets time pass, then something happens; checks what the server was told of the latter.
    mutating func send(
        _ event: Event, at time: String, expecting expected: [ServerNotification],
        at location: SourceLocation = #_sourceLocation
    ) throws(Refusal) {
        advance(to: moment(time))
        _ = takeNotices()
        try send(event, at: moment(time))
        #expect(takeNotices() == expected, sourceLocation: location)
    }

    /// Lets time pass, then something happens that must be refused and change nothing.
    mutating func refuse(
        _ event: Event, at time: String, _ expected: Refusal,
        at location: SourceLocation = #_sourceLocation
    ) {
        advance(to: moment(time))
        let (before, told) = (subscription, notices)
        #expect(throws: expected, sourceLocation: location) {
            try send(event, at: moment(time))
        }
        #expect(subscription == before, sourceLocation: location)
        #expect(notices == told, sourceLocation: location)
    }

    /// The notices since this was last asked.
    mutating func takeNotices() -> [ServerNotification] {
        defer { noticesTaken = notices.count }
        return Array(notices[noticesTaken...])
    }

    /// The periods that were opened, such as `silver 2026-03-01…2026-04-01 9990`.
    var ledger: [String] {
        opened.map {
            "\($0.plan.productID) \(text($0.newestPeriod.start))…"
                + "\(text($0.newestPeriod.end)) \($0.newestPeriod.price)"
        }
    }

    /// Where the periods are counted from.
    var anchor: String { text(subscription.cycle.anchor) }
}

/// A plan chosen, its one line with an offer.
func chose(_ plan: Plan, _ offer: AppliedOffer? = nil) -> Event {
    .chosePlan(offer == nil ? plan : plan.changingLines { $0.offer = offer })
}

extension Subscription {
    /// The increase of the only line.
    var increase: PendingIncrease? { increases[plan.lines[0].sku] }
    /// The last increase of the only line.
    var lastIncrease: Instant? { lastIncreases[plan.lines[0].sku] }
}

// MARK: - Plans and offers to play with

/// One group: gold above silver above bronze.
enum SamplePlans {
    static let dollars = Storefront.usa.currency
    static let gold = plan("gold", level: 1, .month, 19_990)
    static let silver = plan("silver", level: 2, .month, 9_990)
    static let silverTwin = plan("silver.twin", level: 2, .month, 10_990)
    static let silverYearly = plan("silver.yearly", level: 2, .year, 99_990)
    static let silverWeekly = plan("silver.weekly", level: 2, .week, 2_990)
    static let bronze = plan("bronze", level: 3, .month, 4_990)

    static func plan(
        _ id: String, level: Int, _ period: CalendarPeriod, _ price: Int64,
        _ currency: Currency = dollars
    ) -> Plan {
        Plan(
            productID: id, level: level, period: period,
            price: Money(milliunits: price, currency))
    }

    static func trial(_ period: CalendarPeriod) -> AppliedOffer {
        AppliedOffer(Offer(kind: .introductory, mode: .freeTrial, period: period), in: .usa)
    }

    static func payAsYouGo(_ count: Int, _ period: CalendarPeriod, _ price: Int64) -> AppliedOffer {
        AppliedOffer(
            Offer(
                kind: .introductory, mode: .payAsYouGo, period: period, periodCount: count,
                basePrice: price), in: .usa)
    }

    static func payUpFront(_ period: CalendarPeriod, _ price: Int64) -> AppliedOffer {
        AppliedOffer(
            Offer(kind: .introductory, mode: .payUpFront, period: period, basePrice: price),
            in: .usa)
    }
}

// MARK: - States to begin from

/// A subscription in one of its states on 11 March 2026, always with the silver plan.
enum SampleState: String, CaseIterable {
    case active, cancelled, grace, retrying, expired

    func world() -> LifecycleWorld {
        let terms = Conditions(gracePeriod: self == .grace ? .sixteenDays : nil)
        let start = self == .active || self == .cancelled ? "2026-03-01" : "2026-02-01"
        var world = LifecycleWorld(buying: SamplePlans.silver, at: start, under: terms)
        if self == .cancelled || self == .expired {
            #expect(throws: Never.self) {
                try world.send(.turnedRenewalOff, at: moment(start))
            }
        }
        world.declinesUntil = .latest
        world.advance(to: moment("2026-03-11"))
        world.declinesUntil = nil
        _ = world.takeNotices()
        return world
    }
}

// MARK: - Moments as text

/// The moment of `2026-01-31`, `2026-01-31 10:00` or `2026-01-31 10:00:30`, in UTC.
func moment(_ text: String) -> Instant {
    let parts = text.split { "- :".contains($0) }.map { Int($0)! }
    let date = CivilDate(year: parts[0], month: parts[1], day: parts[2])
    let time = parts.dropFirst(3) + Array(repeating: 0, count: 6 - parts.count)
    let seconds = time.reduce(0) { $0 * 60 + $1 }
    return Instant(milliseconds: Int64(date.daysSinceEpoch) * 86_400_000) + .seconds(seconds)
}

/// The shortest text that `moment` reads back.
func text(_ instant: Instant) -> String {
    let (date, milliseconds) = BillingZone.utc.wallClock(at: instant)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = "\(date.year)-\(two(date.month))-\(two(date.day))"
    guard milliseconds > 0 else { return day }
    let seconds = Int(milliseconds / 1000)
    let minute = "\(day) \(two(seconds / 3600)):\(two(seconds / 60 % 60))"
    return seconds % 60 == 0 ? minute : "\(minute):\(two(seconds % 60))"
}

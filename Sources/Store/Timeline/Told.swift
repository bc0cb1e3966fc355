import Journal
import SubscriptionRules

/// An entry of a life, and what it is an answer to.
@dynamicMemberLookup
struct Told: Hashable, Sendable {
    var entry: TimelineEntry
    /// What an answer of the bank is an answer to; nil where that is not told.
    var question: Question?

    /// What kind of event it is, as the entry says, which looks for it by its name.
    let kind: JournalEvent.Kind?

    init(_ entry: TimelineEntry) {
        self.entry = entry
        kind = entry.kind
    }

    // A long life is asked tens of thousands of times, so this leads straight to what is told and
    // not through the entry and its event.

    var name: String { entry.event.name }
    var at: Instant { entry.event.at }
    var transactionID: Int64? { entry.event.transactionID }
    var amount: Int64? { entry.event.amount }
    var takenAgain: Int64? { entry.takenAgain }
    var items: [Alteration] { entry.items }

    @inline(__always)
    subscript<Value>(dynamicMember path: KeyPath<JournalDetail, Value>) -> Value {
        entry.event.detail[keyPath: path]
    }

    /// Whether a period began: then something was charged, be it nothing.
    var opensPeriod: Bool { transactionID != nil && amount != nil }

    /// Whether the price of its transaction was asked back, given back or taken again.
    var isAboutRefund: Bool {
        switch kind {
        case .requestedRefund, .refundWasDeclined, .wasRefunded, .refundWasReversed: true
        case .askedForItems, .itemsWereRefunded: true
        default: false
        }
    }

    /// Whether the developer was told something that begins so.
    func tells(_ beginning: String) -> Bool {
        entry.notices.contains { $0.hasPrefix(beginning) }
    }

    /// What an answer of the bank is an answer to.
    struct Question: Hashable, Sendable {
        /// When the payment became pending.
        var at: Instant
        /// Whether the customer chose it.
        var isChoice: Bool
    }

    /// Whether the bank, or somebody's patience, decided about a payment that was pending.
    fileprivate var isAnswer: Bool {
        switch kind {
        case .wasPaid, .wasDeclined, .wasVoided, .gaveUpWaiting: true
        default: false
        }
    }

    /// Whether it leaves the plan as it is and does not name it: about a bill alone, whose product
    /// it names, or about how the subscription is kept.
    var isBesides: Bool {
        switch kind {
        case .declined, .unexpectedAnswer, .gavePaymentBack, .asked, .broughtUpToDate: true
        case .gainedAccess, .lostAccess, .sharesFollowed, .changedSharing: true
        default: false
        }
    }

    /// Whether the customer chose the plan that holds after it. The first payment of all was
    /// chosen, and its life begins with the answer.
    var isChoice: Bool {
        switch kind {
        case .chosePlan, .merchantModified, .merchantMigrated: true
        case .wasPaid: question?.isChoice ?? true
        default: false
        }
    }
}

extension Life {
    /// The entries, in which answers of the bank say what they are an answer to.
    var told: [Told] {
        var asked: TimelineEntry?
        return entries.map { entry in
            var told = Told(entry)
            if let asked, told.isAnswer {
                told.question = Told.Question(at: asked.at, isChoice: Told(asked).isChoice)
                told.entry.planChange = entry.planChange ?? asked.planChange
            }
            if entry.pending != nil { asked = entry }
            return told
        }
    }
}

extension Told {
    /// Whether another plan was chosen, which makes an increase of the one before void. Where a
    /// plan waited already it was void before.
    func voidsIncrease(after before: Told?) -> Bool {
        guard isChoice, let before, before.nextProductID == nil else { return false }
        return changesPlan || entry.productID != before.productID || entry.nextProductID != nil
    }

    /// Whether the plan that waits for the renewal was chosen before, so that nobody is told.
    func isChosenAgain(after before: Told?) -> Bool {
        entry.kind == .chosePlan && entry.nextProductID != nil && entry.billID == nil
            && entry.nextProductID == before?.nextProductID && entry.notices.isEmpty
    }

    /// Whether what waits for the bank's answer was asked for before.
    func isAskedAgain(after before: Told?) -> Bool {
        entry.kind == .chosePlan && entry.billID != nil && entry.pending == nil
            && entry.billID == before?.billID
    }

    /// Whether another plan that was chosen took effect at once, be it other lines of the same
    /// product.
    var changesPlan: Bool { opensPeriod && isChoice && entry.planChange != nil }

    /// When an increase that is on its way goes on, where the event stops it: it is announced from
    /// the start then. Nil where it does not.
    var delaysIncrease: String? {
        guard !tells("EXPIRED") else { return nil }
        if tells("DID_FAIL_TO_RENEW") { return "it has recovered" }
        return entry.kind == .turnedRenewalOff && !entry.notices.isEmpty
            ? "renewal is on again" : nil
    }

    /// The higher price that is on its way after the event, in milliunits.
    ///
    /// - Parameter rise: the one before it.
    func rise(after rise: Int64?) -> Int64? {
        // That of a plan that waits is told with the plan.
        if entry.pricedProductID != nil { return rise }
        if let new = entry.newPrice, let old = entry.oldPrice, entry.kind == .priceWasChanged {
            return new > old ? new : nil
        }
        // What waits can be taken back, and the increase with it.
        return opensPeriod && (isChoice || entry.amount == rise) ? nil : rise
    }

    /// Whether a better plan took effect at once. The developer is told the same of one that is
    /// as good (UPGRADE).
    var isUpgrade: Bool {
        tells("DID_CHANGE_RENEWAL_PREF/UPGRADE") && entry.planChange != .crossgrade
    }

    private var isRefund: Bool { entry.kind == .wasRefunded || entry.kind == .itemsWereRefunded }

    /// The condition that begins with the event; nil where the one before goes on.
    ///
    /// - Parameter newest: the transaction of the newest period.
    func begins(
        after current: Stretch.Kind?, newest: Int64?
    ) -> Stretch.Kind? {
        if opensPeriod { return entry.offerMode == .freeTrial ? .trial : .paid }
        if isRefund, entry.revoked ?? (entry.transactionID == newest),
            current == .paid || current == .trial
        {
            return .revoked
        }
        if entry.kind == .refundWasReversed, current == .revoked,
            entry.revoked.map({ !$0 }) ?? (entry.transactionID == newest)
        {
            return entry.until.map { entry.at < $0 } == true ? .paid : .expired
        }
        if tells("EXPIRED") || entry.kind == .wasEnded { return .expired }
        if tells("GRACE_PERIOD_EXPIRED") { return .retry }
        if tells("DID_FAIL_TO_RENEW") { return entry.graceUntil == nil ? .retry : .grace }
        // It was due, and the bank has not answered.
        let isServed = current == .paid || current == .trial
        return isServed && entry.graceUntil != nil ? .pending : nil
    }
}

import SubscriptionRules

/// A subscription's life as the store tells it: what is drawn.
struct Life: Hashable, Sendable {
    /// The identifier of the first transaction.
    var id: String
    var account: String
    var productID: String
    /// The product that waits for the next renewal.
    var nextProductID: String?
    /// Whether the product of the next renewal can be bought; else it ends then.
    var isNextForSale = true
    /// The state's name on the wire, such as `active`.
    var state: String
    var renewsAutomatically: Bool
    /// The end of the newest period.
    var expires: Instant?
    /// When it was over, which is later where a payment was tried again.
    var expired: Instant?
    /// When its newest period was refunded.
    var refunded: Instant?
    /// What the newest period cost, in milliunits.
    var price: Int64
    var currency: String
    /// How a discount of the newest period is paid, such as `FREE_TRIAL`.
    var offerMode: String?
    /// In the order in which they happened.
    var entries: [Entry]
    /// What the store's clock shows.
    var now: Instant

    /// Something that happened, as the journal has it.
    struct Entry: Hashable, Sendable {
        var at: Instant
        /// The event's name in the journal, such as `becameDue`.
        var event: String
        /// The transaction of the period that began, or that the event is about.
        var transactionID: String?
        /// What was charged, in milliunits.
        var amount: Int64?
        var currency: String?
        var productID: String?
        var nextProductID: String?
        /// How a plan that was chosen relates to the one before, such as `crossgrade`.
        var planChange: String?
        /// The end of the newest period after the event.
        var until: Instant?
        /// How a discount of the period that began is paid, such as `FREE_TRIAL`.
        var offerMode: String?
        /// What the bank declined, in milliunits.
        var declined: Int64?
        /// What the bank has still to answer, in milliunits.
        var pending: Int64?
        /// The bill that it is about, where it was not paid at once.
        var billID: String?
        /// What that bill is for, where it is another product.
        var billProductID: String?
        /// What an answer of the bank is an answer to; nil where that is not told.
        var asked: Asked?
        /// What was given back, in milliunits.
        var refunded: Int64?
        /// What of that a reversal took again, in milliunits.
        var takenAgain: Int64?
        /// The end of a grace period, or of access while a payment is pending.
        var graceUntil: Instant?
        /// What a period cost when a new price came up, in milliunits.
        var oldPrice: Int64?
        /// The new price that the event is about, in milliunits.
        var newPrice: Int64?
        /// The renewal that first charges a higher price.
        var newPriceFrom: Instant?
        /// What else there is to say, such as a customer's reason.
        var note: String?
        /// What the developer was told, such as `EXPIRED/VOLUNTARY`.
        var notices: [String] = []
        /// What the operator made the developer be told at will.
        var provoked: String?

        /// Whether a period began: then something was charged, be it nothing.
        var opensPeriod: Bool { transactionID != nil && amount != nil }

        /// Whether the price of its transaction was asked back, given back or taken again.
        var isAboutRefund: Bool {
            switch event {
            case "requestedRefund", "refundWasDeclined", "wasRefunded", "refundWasReversed": true
            default: false
            }
        }

        /// Whether the developer was told something that begins so.
        func tells(_ beginning: String) -> Bool {
            notices.contains { $0.hasPrefix(beginning) }
        }
    }
}

/// A stretch of a life in one condition.
struct Stretch: Hashable, Sendable {
    /// The conditions, in the order of the legend.
    enum Kind: Int, Hashable, Sendable, CaseIterable {
        case paid, trial, pending, grace, retry, revoked, expired
    }

    var kind: Kind
    var start: Instant
    var end: Instant
}

/// Something that happened at a moment and is marked above the band.
struct Mark: Hashable, Sendable {
    /// What is marked, in the order of the legend.
    enum Kind: Int, Hashable, Sendable, CaseIterable {
        case upgrade, planChange, price, extended, refund, end, now
    }

    var kind: Kind
    var at: Instant
}

extension Life {
    /// The life as stretches without gaps, the last one to its planned end or to now.
    var stretches: [Stretch] {
        var done: [Stretch] = []
        var current: Stretch?
        var newest: String?
        for entry in entries {
            if entry.opensPeriod { newest = entry.transactionID }
            guard let kind = entry.begins(after: current?.kind, newest: newest) else {
                // Only the end moved, as by an extension.
                if !entry.opensPeriod, let until = entry.until, let kind = current?.kind,
                    kind == .paid || kind == .trial
                {
                    current?.end = until
                }
                continue
            }
            if var stretch = current {
                stretch.end = entry.at
                done.append(stretch)
            }
            let end: Instant? =
                switch kind {
                case .paid, .trial: entry.until
                case .pending, .grace: entry.graceUntil
                case .retry, .revoked, .expired: nil
                }
            current = Stretch(kind: kind, start: entry.at, end: end ?? max(now, entry.at))
        }
        if let current { done.append(current) }
        return done.filter { $0.start < $0.end }
    }

    /// What is marked above the band, in the order of time.
    var marks: [Mark] {
        var marks: [Mark] = []
        var product: String?
        for entry in told where !entry.isBesides {
            let hasChanged =
                entry.changesPlan || entry.productID != product && product != nil
            product = entry.productID ?? product
            if entry.opensPeriod, hasChanged {
                // A change of plan at once is an entry of its own; others come with a renewal.
                let isUpgrade = entry.isUpgrade
                marks.append(Mark(kind: isUpgrade ? .upgrade : .planChange, at: entry.at))
            } else if entry.refunded != nil {
                marks.append(Mark(kind: .refund, at: entry.at))
            } else if entry.event == "wasExtended" {
                marks.append(Mark(kind: .extended, at: entry.at))
            } else if entry.tells("PRICE_INCREASE"), entry.event == "becameDue" {
                marks.append(Mark(kind: .price, at: entry.at))
            } else if entry.tells("EXPIRED") || entry.event == "wasEnded" {
                marks.append(Mark(kind: .end, at: entry.at))
            }
        }
        return marks + [Mark(kind: .now, at: now)]
    }

    /// How many periods began by renewal.
    var renewals: Int {
        told.count { $0.opensPeriod && !$0.isChoice }
    }

    /// What was charged and not given back, in words: a customer who moves pays in another
    /// currency.
    var paid: String {
        var sums: [(currency: String, milliunits: Int64)] = []
        for entry in entries {
            let sum = (entry.amount ?? 0) - (entry.refunded ?? 0) + (entry.takenAgain ?? 0)
            let currency = entry.currency ?? self.currency
            guard sum != 0 else { continue }
            if let place = sums.firstIndex(where: { $0.currency == currency }) {
                sums[place].milliunits += sum
            } else {
                sums.append((currency, sum))
            }
        }
        if sums.isEmpty { sums = [(currency, 0)] }
        return sums.map { Money.plainText($0.milliunits, $0.currency) }.joined(separator: " + ")
    }
}

extension Life.Entry {
    /// Whether another plan was chosen, which makes an increase of the one before void.
    func voidsIncrease(after before: Life.Entry?) -> Bool {
        guard isChoice, let before else { return false }
        return changesPlan || productID != before.productID
            || nextProductID != nil && nextProductID != before.nextProductID
    }

    /// When an increase that is on its way goes on, where the event stops it: it is announced from
    /// the start then. Nil where it does not.
    var delaysIncrease: String? {
        guard !tells("EXPIRED") else { return nil }
        if tells("DID_FAIL_TO_RENEW") { return "it has recovered" }
        return event == "turnedRenewalOff" && !notices.isEmpty ? "renewal is on again" : nil
    }

    /// The higher price that is on its way after the event, in milliunits.
    ///
    /// - Parameter rise: the one before it.
    func rise(after rise: Int64?) -> Int64? {
        if let new = newPrice, let old = oldPrice, event == "priceWasChanged" {
            return new > old ? new : nil
        }
        // What waits can be taken back, and the increase with it.
        return opensPeriod && (isChoice || amount == rise) ? nil : rise
    }

    /// Whether another plan that was chosen took effect at once, be it other lines of the same
    /// product.
    var changesPlan: Bool { opensPeriod && isChoice && planChange != nil }

    /// Whether a better plan took effect at once. The developer is told the same of one that is
    /// as good (UPGRADE).
    var isUpgrade: Bool {
        tells("DID_CHANGE_RENEWAL_PREF/UPGRADE") && planChange != "crossgrade"
    }

    /// The condition that begins with the event; nil where the one before goes on.
    ///
    /// - Parameter newest: the transaction of the newest period.
    fileprivate func begins(
        after current: Stretch.Kind?, newest: String?
    ) -> Stretch.Kind? {
        if opensPeriod { return offerMode == "FREE_TRIAL" ? .trial : .paid }
        if transactionID == newest, current == .paid || current == .trial,
            event == "wasRefunded"
        {
            return .revoked
        }
        if event == "refundWasReversed", transactionID == newest, current == .revoked {
            return until.map { at < $0 } == true ? .paid : .expired
        }
        if tells("EXPIRED") || event == "wasEnded" { return .expired }
        if tells("GRACE_PERIOD_EXPIRED") { return .retry }
        if tells("DID_FAIL_TO_RENEW") { return graceUntil == nil ? .retry : .grace }
        // It was due, and the bank has not answered.
        let isServed = current == .paid || current == .trial
        return isServed && graceUntil != nil ? .pending : nil
    }
}

import SubscriptionRules

/// A subscription's life as the store tells it: what is drawn.
struct Life: Hashable, Sendable {
    /// The identifier of the first transaction.
    var id: String
    var account: String
    var productID: String
    /// The product that waits for the next renewal.
    var nextProductID: String?
    /// The state's name on the wire, such as `active`.
    var state: String
    var renewsAutomatically: Bool
    /// The end of the newest period.
    var expires: Instant?
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
        /// The transaction of the period that began.
        var transactionID: String?
        /// What was charged, in milliunits.
        var amount: Int64?
        var currency: String?
        var productID: String?
        var nextProductID: String?
        /// The end of the newest period after the event.
        var until: Instant?
        /// How a discount of the period that began is paid, such as `FREE_TRIAL`.
        var offerMode: String?
        /// What the bank declined, in milliunits.
        var declined: Int64?
        /// What was given back, in milliunits.
        var refunded: Int64?
        var graceUntil: Instant?
        /// What the developer was told, such as `EXPIRED/VOLUNTARY`.
        var notices: [String] = []
        /// What the operator made the developer be told at will.
        var provoked: String?

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
        case paid, trial, grace, retry, expired
    }

    var kind: Kind
    var start: Instant
    var end: Instant
}

/// Something that happened at a moment and is marked above the band.
struct Mark: Hashable, Sendable {
    /// What is marked, in the order of the legend.
    enum Kind: Int, Hashable, Sendable, CaseIterable {
        case upgrade, planChange, refund, end, now
    }

    var kind: Kind
    var at: Instant
}

extension Life {
    /// The life as stretches without gaps, the last one to its planned end or to now.
    var stretches: [Stretch] {
        var done: [Stretch] = []
        var current: Stretch?
        for entry in entries {
            guard let kind = entry.begins(after: current?.kind) else {
                // Only the end moved, as by an extension.
                if entry.transactionID == nil, let until = entry.until, let kind = current?.kind,
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
                case .grace: entry.graceUntil
                case .retry, .expired: nil
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
        for entry in entries {
            let hasChanged = entry.productID != product && product != nil
            product = entry.productID ?? product
            if entry.transactionID != nil, hasChanged {
                // A change of plan at once is an entry of its own; others come with a renewal.
                let isUpgrade = entry.tells("DID_CHANGE_RENEWAL_PREF/UPGRADE")
                marks.append(Mark(kind: isUpgrade ? .upgrade : .planChange, at: entry.at))
            } else if entry.refunded != nil {
                marks.append(Mark(kind: .refund, at: entry.at))
            } else if entry.tells("EXPIRED") || entry.event == "wasEnded" {
                marks.append(Mark(kind: .end, at: entry.at))
            }
        }
        return marks + [Mark(kind: .now, at: now)]
    }

    /// How many periods began by renewal.
    var renewals: Int {
        entries.count { $0.transactionID != nil && $0.event != "chosePlan" }
    }

    /// What was charged and not given back, in words: a customer who moves pays in another
    /// currency.
    var paid: String {
        var sums: [(currency: String, milliunits: Int64)] = []
        for entry in entries {
            let sum = (entry.amount ?? 0) - (entry.refunded ?? 0)
            let currency = entry.currency ?? self.currency
            guard sum != 0 else { continue }
            if let place = sums.firstIndex(where: { $0.currency == currency }) {
                sums[place].milliunits += sum
            } else {
                sums.append((currency, sum))
            }
        }
        if sums.isEmpty { sums = [(currency, 0)] }
        return sums.map { AmountText.text($0.milliunits, $0.currency) }.joined(separator: " + ")
    }
}

extension Life.Entry {
    /// The condition that begins with the event; nil where the one before goes on.
    fileprivate func begins(after current: Stretch.Kind?) -> Stretch.Kind? {
        if transactionID != nil { return offerMode == "FREE_TRIAL" ? .trial : .paid }
        if tells("EXPIRED") || event == "wasEnded" { return .expired }
        if tells("GRACE_PERIOD_EXPIRED") { return .retry }
        guard declined != nil else { return nil }
        let kind: Stretch.Kind = graceUntil == nil ? .retry : .grace
        // Further attempts of the same retry change nothing.
        return kind == current ? nil : kind
    }
}

public import Journal
public import SubscriptionRules

/// A subscription's life as the store tells it: what is drawn.
public struct Life: Sendable {
    /// The identifier of the first transaction.
    public var id: String
    /// Whose it is.
    public var account: String
    /// The product of the newest period.
    public var productID: String
    /// The product that waits for the next renewal.
    public var nextProductID: String?
    /// Whether the product of the next renewal can be bought; else it ends then.
    public var isNextForSale = true
    /// After how many renewals Sandbox ends it, where that was the last one: it ends then.
    public var reachedLimit: Int?
    /// Whether it ends with its period unless the customer agrees to a higher price.
    public var awaitsConsent = false
    /// The state's name on the wire, such as `active`.
    public var state: String
    /// Whether it renews.
    public var renewsAutomatically: Bool
    /// The end of the newest period.
    public var expires: Instant?
    /// The month of the running commitment, of how many, and when that ends; nil outside of one.
    public var commitment: (month: Int, months: Int, ends: Instant)?
    /// When it was over, which is later where a payment was tried again.
    public var expired: Instant?
    /// When its newest period was refunded.
    public var refunded: Instant?
    /// What the newest period costs, all its items, in milliunits.
    public var price: Int64
    /// The currency of that price.
    public var currency: String
    /// How a discount of the newest period is paid.
    public var offerMode: Offer.Mode?
    /// The offer that the newest period is under.
    public var offer: NamedOffer?
    /// The offer that waits for a renewal.
    public var nextOffer: NamedOffer?
    /// In the order in which they happened.
    public var entries: [TimelineEntry]
    /// What the store's clock shows.
    public var now: Instant
    /// How what is told of it is written.
    package var figures = Figures.plain

    /// Makes a life to draw; what may be absent is set afterwards.
    public init(
        id: String, account: String, productID: String, state: String, renewsAutomatically: Bool,
        expires: Instant?, price: Int64, currency: String, entries: [TimelineEntry], now: Instant
    ) {
        self.id = id
        self.account = account
        self.productID = productID
        self.state = state
        self.renewsAutomatically = renewsAutomatically
        self.expires = expires
        self.price = price
        self.currency = currency
        self.entries = entries
        self.now = now
    }
}

/// A stretch of a life in one condition.
package struct Stretch: Hashable, Sendable {
    /// The conditions, in the order of the legend.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        case paid, trial, pending, awaited, grace, retry, revoked, expired, unknown
    }

    package var kind: Kind
    package var start: Instant
    package var end: Instant

    package init(kind: Kind, start: Instant, end: Instant) {
        self.kind = kind
        self.start = start
        self.end = end
    }
}

/// Something that happened at a moment and is marked above the band.
package struct Mark: Hashable, Sendable {
    /// What is marked, in the order of the legend.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        case upgrade, planChange, price, extended, refund, end, now
    }

    package var kind: Kind
    package var at: Instant

    package init(kind: Kind, at moment: Instant) {
        self.kind = kind
        at = moment
    }
}

extension Life {
    /// The life as stretches without gaps, the last one to its planned end or to now.
    var stretches: [Stretch] {
        var done: [Stretch] = []
        var current: Stretch?
        var newest: Int64?
        for entry in told {
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
                case .awaited, .retry, .revoked, .expired, .unknown: nil
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
            } else if entry.kind == .wasExtended {
                marks.append(Mark(kind: .extended, at: entry.at))
            } else if entry.tells("PRICE_INCREASE"), entry.kind == .becameDue {
                marks.append(Mark(kind: .price, at: entry.at))
            } else if entry.tells("EXPIRED") || entry.kind == .wasEnded {
                marks.append(Mark(kind: .end, at: entry.at))
            }
        }
        return marks + [Mark(kind: .now, at: now)]
    }

    /// How many periods began by renewal.
    package var renewals: Int {
        told.count { $0.opensPeriod && !$0.isChoice }
    }

    /// What waits to be paid, in words; nil where nothing does.
    package var owed: String? {
        guard ["grace", "retrying", "awaitingPayment"].contains(state) else { return nil }
        let asked = entries.last { $0.declined != nil || $0.pending != nil }
        return asked.flatMap { entry in
            (entry.declined ?? entry.pending).map {
                figures.amount($0, entry.currency ?? currency)
            }
        }
    }

    /// What was charged and not given back, in words: a customer who moves pays in another
    /// currency.
    package var paid: String {
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
        return sums.map { figures.amount($0.milliunits, $0.currency) }.joined(separator: " + ")
    }
}

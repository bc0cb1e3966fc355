/// What was paid for one of a merchant's items in the running cycle.
public struct Payment: Hashable, Sendable {
    /// The place of the receipt among all.
    public internal(set) var receipt: Int
    public internal(set) var at: Int
    public internal(set) var amount: Int
}

/// That money went back for one item of a receipt.
public struct ItemReturn: Hashable, Sendable {
    public internal(set) var sku: String
    public internal(set) var amount: Int
    public internal(set) var at: Int
    var reason: String
    var type: String

    /// Whether a change of items gave it back, which nobody takes again.
    var isByChange: Bool { reason == "MODIFY_ITEMS_REFUND" }

    /// As it is shown.
    var text: String { "\(amount) back for \(reason) \(type) \(NaiveCalendar.text(at))" }
}

/// What an answered bill makes of a merchant's plan.
public struct ModificationTerms: Hashable, Sendable {
    /// What each item costs for now; nil where it goes on as it was paid.
    var charges: [Int?]
    /// What goes back for items that end.
    var credits: [Credit]
    /// What comes with the renewal.
    var next: HeldPlan?
    var keepsCycle: Bool

    struct Credit: Hashable, Sendable {
        var receipt: Int
        var sku: String
        var amount: Int
    }
}

/// What a merchant calls things (ACM-5).
public struct Naming: Hashable, Sendable {
    /// What an item is called; nil is as before.
    public struct Item: Hashable, Sendable {
        public var current: String
        public var sku: String?
        public var name: String?
        public var isNow: Bool

        public init(_ current: String, sku: String?, name: String?, isNow: Bool) {
            self.current = current
            self.sku = sku
            self.name = name
            self.isNow = isNow
        }
    }

    public var title: String?
    public var isTitleNow: Bool
    public var items: [Item]

    public init(title: String?, isTitleNow: Bool, items: [Item]) {
        self.title = title
        self.isTitleNow = isTitleNow
        self.items = items
    }

    var isNow: Bool { title != nil && isTitleNow || items.contains(where: \.isNow) }
}

/// What a merchant asks back for one item of a receipt (ACM-7).
public struct ItemClaim: Hashable, Sendable {
    /// How much: all that is left, what is unused, or so much.
    public enum Kind: Hashable, Sendable {
        case full, prorated
        case custom(Int)

        var text: String {
            switch self {
            case .full: "FULL"
            case .prorated: "PRORATED"
            case .custom: "CUSTOM"
            }
        }
    }

    public var sku: String
    public var kind: Kind
    /// Whether the customer loses it.
    public var ends: Bool

    public init(_ sku: String, _ kind: Kind, ends: Bool) {
        self.sku = sku
        self.kind = kind
        self.ends = ends
    }
}

/// What a merchant asks back of a receipt, or of all that paid for a running cycle.
public struct Claim: Hashable, Sendable {
    public internal(set) var items: [ItemClaim]
    /// As the merchant says it.
    var reason: String
    /// Whether the subscription ends as a whole, with what else was paid for its cycle: each item
    /// as it is said here.
    var endsAll: ItemClaim.Kind?

    /// Whether the merchant wants to see a refund declined.
    var isToBeDeclined: Bool { reason == "SIMULATE_REFUND_DECLINE" }
}

extension Invoice {
    /// What is to be paid line by line.
    public var charges: [Int] {
        guard case .modify(_, let terms) = order else { return plan?.lines.map(\.cost) ?? [] }
        return terms.charges.map { $0 ?? 0 }
    }

    /// What of the running period goes back when it is paid.
    public var unused: Int {
        switch order {
        case .change(_, let unused): unused
        case .modify(_, let terms): terms.credits.reduce(0) { $0 + $1.amount }
        case .once, .begin, .byHand, .period: 0
        }
    }
}

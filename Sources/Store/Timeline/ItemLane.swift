import Journal
package import SubscriptionRules

/// One item of a merchant's plan over the life of a subscription, under whatever SKU.
package struct ItemLane: Hashable, Sendable {
    /// The SKU that it has, or had last.
    package fileprivate(set) var sku: String
    /// When it was delivered, or will be as things are.
    package fileprivate(set) var delivered: [Range<Instant>] = []
    /// What happened to it, in the order of time.
    package fileprivate(set) var marks: [ItemMark] = []
    /// When it goes; nil where it stays.
    package fileprivate(set) var leaves: Instant?
    /// Whether it is part of the plan.
    package fileprivate(set) var isPresent = true
    /// Every SKU that it had.
    fileprivate var names: Set<String>
    /// Since when it has been part of the plan.
    fileprivate var since: Instant?
    /// What was paid for it last, in milliunits.
    fileprivate var paid: Int64?

    fileprivate init(_ sku: String, since: Instant) {
        self.sku = sku
        self.since = since
        names = [sku]
    }
}

extension ItemLane {
    /// The SKU, cut to a width in columns of a terminal.
    package func shortSKU(within width: Int, dots: String = "…") -> String {
        guard sku.terminalWidth > width else { return sku }
        var text = sku
        while text.terminalWidth > width - 1, !text.isEmpty { text.removeLast() }
        return text + dots
    }
}

/// Something that happened to an item.
package struct ItemMark: Hashable, Sendable {
    /// What it was, what weighs more last.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        case paid, added, changed, repriced, refunded, removed
    }

    package var kind: Kind
    package var at: Instant
    /// The same in words.
    package var text: String
}

extension LifeSketch {
    /// So many items are drawn, those that came last: what a plan has at most at a time.
    package static let mostItems = 100
}

extension Life {
    /// The items of a merchant's plan over its life.
    ///
    /// - Parameter access: the conditions that it was in.
    func itemLanes(during access: [Stretch]) -> [ItemLane] {
        var lanes = ItemLanes()
        for entry in entries where !entry.items.isEmpty {
            lanes.take(entry.items, at: entry.event.at) { alteration in
                alteration.sentence(figures, entry.event.currency ?? currency)
            }
        }
        return lanes.finished(during: access)
    }

    /// Of each entry that opens a period what that costs as a whole, in milliunits: with what was
    /// paid before, in the same cycle, for items that go on in it. Nil for the other entries.
    var periodPrices: [Int64?] {
        var lanes = ItemLanes()
        return entries.map { entry in
            lanes.take(entry.items, at: entry.event.at) { _ in "" }
            guard entry.event.transactionID != nil, let amount = entry.event.amount else {
                return nil
            }
            return amount + lanes.paid(besides: entry.items)
        }
    }
}

/// Lanes being made.
private struct ItemLanes {
    private var lanes: [ItemLane] = []
    /// The lanes of the items that are part of the plan.
    private var open: [String: Int] = [:]

    mutating func take(
        _ items: [Alteration], at moment: Instant, _ words: (Alteration) -> String
    ) {
        rename(items.filter { $0.holdsAtOnce && $0.formerSKU != nil })
        for item in items {
            guard let sku = item.sku else { continue }
            guard item.holdsAtOnce else {
                if item.kind == .removed, let place = open[sku] { lanes[place].leaves = item.from }
                continue
            }
            guard let place = place(of: sku, item.kind, at: moment) else { continue }
            if item.kind == .kept { lanes[place].leaves = nil }
            // A migration pays for nothing: until the renewal the price that was agreed is shown.
            if item.kind == .added { lanes[place].paid = item.price }
            if item.kind == .paid { lanes[place].paid = item.amount }
            if item.kind == .removed { close(sku, place, at: moment) }
            let isFree = item.kind == .paid && item.amount == 0
            guard let kind = ItemMark.Kind(item.kind), !isFree else { continue }
            lanes[place].marks.append(ItemMark(kind: kind, at: moment, text: words(item)))
        }
    }

    /// Items may change names with each other, so all old ones are let go first.
    private mutating func rename(_ items: [Alteration]) {
        let places = items.map { $0.formerSKU.flatMap { open[$0] } }
        for item in items { item.formerSKU.map { _ = open.removeValue(forKey: $0) } }
        for (item, place) in zip(items, places) {
            guard let place, let sku = item.sku else { continue }
            open[sku] = place
            lanes[place].sku = sku
            lanes[place].names.insert(sku)
        }
    }

    /// The lane of an item, which an item that comes begins, or begins again.
    private mutating func place(
        of sku: String, _ kind: Alteration.Kind, at moment: Instant
    ) -> Int? {
        let known = open[sku] ?? lanes.lastIndex { $0.names.contains(sku) }
        guard kind == .added, open[sku] == nil else { return known }
        if let known {
            lanes[known].sku = sku
            (lanes[known].since, lanes[known].isPresent) = (moment, true)
            open[sku] = known
        } else {
            open[sku] = lanes.count
            lanes.append(ItemLane(sku, since: moment))
        }
        return open[sku]
    }

    private mutating func close(_ sku: String, _ place: Int, at moment: Instant) {
        open[sku] = nil
        if let since = lanes[place].since, since < moment {
            lanes[place].delivered.append(since..<moment)
        }
        (lanes[place].since, lanes[place].isPresent, lanes[place].leaves) = (nil, false, nil)
    }

    /// What was paid before for the items of the plan that an entry does not pay for.
    func paid(besides items: [Alteration]) -> Int64 {
        let paid = Set(items.filter { $0.kind == .paid }.compactMap(\.sku))
        return open.filter { !paid.contains($0.key) }
            .reduce(0) { $0 + (lanes[$1.value].paid ?? 0) }
    }

    /// The lanes, cut to the time in which there was access.
    func finished(during access: [Stretch]) -> [ItemLane] {
        let served = access.filter { $0.kind.isServed }
        let end = access.last?.end
        return lanes.map { lane in
            var lane = lane
            if let since = lane.since, let end, since < end { lane.delivered.append(since..<end) }
            lane.delivered = lane.delivered.flatMap { range in
                served.map { range.clamped(to: $0.start..<$0.end) }.filter { !$0.isEmpty }
            }.joined()
            return lane
        }
    }
}

extension [Range<Instant>] {
    /// The same with those as one that touch.
    fileprivate func joined() -> [Range<Instant>] {
        reduce(into: []) { joined, range in
            if let last = joined.last, last.upperBound == range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
    }
}

extension Stretch.Kind {
    /// Whether there is access.
    fileprivate var isServed: Bool {
        switch self {
        case .paid, .trial, .pending, .awaited, .grace: true
        case .retry, .revoked, .expired, .unknown: false
        }
    }
}

extension Alteration {
    /// Whether it was so at once: a new price that is on its way is not.
    package var holdsAtOnce: Bool { from == nil && status == nil }
}

extension ItemMark.Kind {
    /// Nil for what is not marked.
    fileprivate init?(_ kind: Alteration.Kind) {
        switch kind {
        case .added: self = .added
        case .removed: self = .removed
        case .replaced, .renamed, .offered: self = .changed
        case .repriced: self = .repriced
        case .paid, .refundReversed: self = .paid
        case .refunded: self = .refunded
        case .kept, .plan, .period, .described, .taxed, .renewalOff, .renewalOn, .ends, .extended:
            return nil
        }
    }

    /// What it is called in a legend.
    package var name: String {
        switch self {
        case .paid: "paid"
        case .added: "item added"
        case .changed: "item changed"
        case .repriced: "new price"
        case .refunded: "item refunded"
        case .removed: "item removed"
        }
    }

    func glyph(_ style: Style) -> String {
        switch self {
        case .paid: style.pick("•", "o")
        case .added: "+"
        case .changed: style.pick("→", ">")
        case .repriced: style.pick("◆", "$")
        case .refunded: style.pick("↩", "<")
        case .removed: style.pick("✕", "x")
        }
    }

    var colour: Style.Colour {
        switch self {
        case .paid: .paid
        case .added, .changed, .repriced: .mark
        case .refunded, .removed: .retry
        }
    }
}

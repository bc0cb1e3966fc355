import Journal
package import SubscriptionRules

/// What a drawing of a life shows, whoever draws it: decided here, so that a painter has nothing
/// left but places and colours.
package struct LifeSketch: Sendable {
    /// The conditions, one after the other without gaps.
    package let access: [Stretch]
    /// The product of each time, where it was not over.
    package let plans: [Label]
    /// The price of a period at each time, where it was not over.
    package let prices: [Label]
    /// The period that comes next as things are, in outline; nil where none does.
    package let ahead: Stretch?
    /// What changed the course of the life, and what the clock shows.
    package let marks: [Mark]
    /// When something was charged.
    package let charges: [Instant]
    /// When the developer was told something, where somebody listens.
    package let notices: [Instant]
    /// The items of a merchant's plan, in the order in which they came.
    package let items: [ItemLane]
    /// The beginning, and the end of what is known or planned.
    package let span: Range<Instant>

    /// A text that holds for some time.
    package struct Label: Hashable, Sendable {
        package var text: String
        package var start: Instant
        package var end: Instant
    }

    /// Stretches in which nothing happens that is drawn.
    package var quiet: [Range<Instant>] {
        access.filter { $0.kind == .expired && $0.start < $0.end }.map { $0.start..<$0.end }
    }

    /// Nil for a life in which nothing happened.
    package init?(_ life: Life) {
        access = life.stretches
        guard let first = access.first, let last = access.last else { return nil }
        marks = life.marks
        let told = life.told
        charges = told.filter { $0.opensPeriod && ($0.amount ?? 0) > 0 }.map(\.at)
        notices = told.filter { !$0.notices.isEmpty }.map(\.at)
        ahead = life.ahead(after: last)
        let end = max(ahead?.end ?? last.end, last.end, life.now)
        span = first.start..<max(first.start + Span(milliseconds: 1), end)
        let served = access.filter { $0.kind != .expired }
        items = life.itemLanes(during: access)
        let names = ProductNames(of: life)
        plans = LifeSketch.labels(
            told.compactMap { one in
                one.isBesides ? nil : one.productID.map { (one.at, names.short($0)) }
            }, during: served)
        prices = LifeSketch.labels(
            zip(told, life.periodPrices).compactMap { one, price in
                guard let price else { return nil }
                return (one.at, life.figures.amount(price, one.currency ?? life.currency))
            }, during: served)
    }

    /// Texts that hold from a moment on, cut to the time that was served, equal ones joined.
    private static func labels(
        _ changes: [(at: Instant, text: String)], during served: [Stretch]
    ) -> [Label] {
        var labels: [Label] = []
        // Both are in the order of time, so each change is looked at once.
        var next = 0
        var text: String?
        func label(from start: Instant, to end: Instant) {
            guard let text, start < end else { return }
            if let last = labels.last, last.text == text, last.end == start {
                labels[labels.count - 1].end = end
            } else {
                labels.append(Label(text: text, start: start, end: end))
            }
        }
        for stretch in served {
            var place = stretch.start
            while next < changes.count, changes[next].at < stretch.end {
                let change = changes[next]
                if place < change.at {
                    label(from: place, to: change.at)
                    place = change.at
                }
                text = change.text
                next += 1
            }
            label(from: place, to: stretch.end)
        }
        return labels
    }
}

extension Life {
    /// The period that follows on the newest one, as long as that one is.
    fileprivate func ahead(after last: Stretch) -> Stretch? {
        let isOwed = commitment.map { $0.month < $0.months } ?? false
        let renews =
            renewsAutomatically && isNextForSale && !awaitsConsent && reachedLimit == nil
        guard isOwed || renews,
            last.kind == .paid || last.kind == .trial,
            now < last.end
        else { return nil }
        let length = last.end.since(last.start)
        return Stretch(kind: .paid, start: last.end, end: last.end + length)
    }
}

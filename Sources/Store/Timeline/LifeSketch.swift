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
        charges = life.told.filter { $0.opensPeriod && ($0.amount ?? 0) > 0 }.map(\.at)
        notices = life.told.filter { !$0.notices.isEmpty }.map(\.at)
        ahead = life.ahead(after: last)
        let end = max(ahead?.end ?? last.end, last.end, life.now)
        span = first.start..<max(first.start + Span(milliseconds: 1), end)
        let served = access.filter { $0.kind != .expired }
        let names = ProductNames(of: life)
        plans = LifeSketch.labels(
            life.told.compactMap { told in
                told.isBesides ? nil : told.productID.map { (told.at, names.short($0)) }
            }, during: served)
        prices = LifeSketch.labels(
            life.told.compactMap { told in
                guard told.opensPeriod, let amount = told.amount else { return nil }
                return (told.at, life.figures.amount(amount, told.currency ?? life.currency))
            }, during: served)
    }

    /// Texts that hold from a moment on, cut to the time that was served, equal ones joined.
    private static func labels(
        _ changes: [(at: Instant, text: String)], during served: [Stretch]
    ) -> [Label] {
        var labels: [Label] = []
        for stretch in served {
            var place = stretch.start
            var text = changes.last { $0.at <= stretch.start }?.text
            let later = changes.filter { stretch.start < $0.at && $0.at < stretch.end }
            for change in later + [(at: stretch.end, text: "")] {
                if let text, place < change.at {
                    if let last = labels.last, last.text == text, last.end == place {
                        labels[labels.count - 1].end = change.at
                    } else {
                        labels.append(Label(text: text, start: place, end: change.at))
                    }
                }
                (place, text) = (change.at, change.text)
            }
        }
        return labels
    }
}

extension Life {
    /// The period that follows on the newest one, as long as that one is.
    fileprivate func ahead(after last: Stretch) -> Stretch? {
        guard renewsAutomatically, isNextForSale, !awaitsConsent,
            last.kind == .paid || last.kind == .trial,
            now < last.end
        else { return nil }
        let length = last.end.since(last.start)
        return Stretch(kind: .paid, start: last.end, end: last.end + length)
    }
}

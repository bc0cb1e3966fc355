package import SubscriptionRules

/// A life for a terminal that comes from elsewhere than a store's journal.
package enum SketchDrawing {
    /// The band of its periods, one text a line.
    ///
    /// - Parameter now: what the clock shows.
    package static func lines(of sketch: LifeSketch, at now: Instant, style: Style) -> [String] {
        let indent = "  "
        let band = Band(sketch, at: now, style: style, width: style.columns - 2 * indent.count)
        return (band?.lines ?? []).map { (indent + $0).trimmingEnd() }
    }
}

extension LifeSketch {
    /// A life of which only the conditions and the marks are known.
    ///
    /// - Parameters:
    ///   - access: at least one, one after the other without gaps.
    ///   - marks: in the order of time.
    package init(access: [Stretch], plans: [Label] = [], ahead: Stretch? = nil, marks: [Mark]) {
        guard let first = access.first, let last = access.last else {
            preconditionFailure("a life has a beginning")
        }
        let end = max(ahead?.end ?? last.end, last.end)
        self.access = access
        self.plans = plans
        self.ahead = ahead
        self.marks = marks
        prices = []
        charges = []
        notices = []
        items = []
        span = first.start..<max(first.start + Span(milliseconds: 1), end)
    }
}

import SubscriptionRules

/// What happened in a life, runs of the same folded: the rows of a list, whatever shows it.
package struct Chronicle: Sendable {
    /// What the list has, oldest first.
    package let rows: [Row]

    /// A row of the list.
    package enum Row: Sendable {
        case event(TimelineEvent)
        /// Each time these, one after the other.
        case folded(count: Int, [TimelineEvent])

        /// What a folded run is, in words; nil for one event.
        package func summary(dots: String) -> String? {
            guard case .folded(let count, let pattern) = self else { return nil }
            let amount = pattern.count == 1 ? pattern[0].amount : ""
            let each = amount.isEmpty ? "" : ", \(amount) each"
            let what = pattern.compactMap(\.plural).joined(separator: ", ")
            return "\(dots) \(count) \(what)\(each)"
        }
    }

    /// How many equal ones are worth folding, where the first and the last stay and where not.
    private static let shortestRun = (keepingEnds: 4, whole: 2)
    /// An attempt in billing retry is an event, or it is pending first, and answered then.
    private static let longestPattern = 2

    /// - Parameter folds: whether runs of the same become one row.
    package init(_ life: Life, folds: Bool = true) {
        rows = folds ? Chronicle.folded(life.events) : life.events.map { .event($0) }
    }

    private static func folded(_ events: [TimelineEvent]) -> [Row] {
        var rows: [Row] = []
        var rest = events[...]
        while let first = rest.first {
            let run = rest.prefix { $0.plural != nil && $0.isLike(first) }
            if first.keepsEnds, run.count >= shortestRun.keepingEnds, let last = run.last {
                rows += [.event(first), .folded(count: run.count - 2, [first])]
                rows.append(.event(last))
                rest = rest.dropFirst(run.count)
            } else if let (pattern, count) = repeated(in: rest) {
                rows.append(.folded(count: count, pattern))
                rest = rest.dropFirst(count * pattern.count)
            } else {
                rows.append(.event(first))
                rest = rest.dropFirst()
            }
        }
        return rows
    }

    /// The shortest pattern with which a list begins several times, and how often; nil for none
    /// that is folded as a whole.
    private static func repeated(
        in rest: ArraySlice<TimelineEvent>
    ) -> (pattern: [TimelineEvent], count: Int)? {
        for length in 1...longestPattern where rest.count >= length * shortestRun.whole {
            let pattern = Array(rest.prefix(length))
            guard pattern.allSatisfy({ $0.plural != nil && !$0.keepsEnds }) else { return nil }
            let alike = zip(rest, (0..<rest.count).lazy.map { pattern[$0 % length] })
                .prefix { $0.isLike($1) }
            let count = alike.count / length
            if count >= shortestRun.whole { return (pattern, count) }
        }
        return nil
    }
}

import SubscriptionRules

/// The dated list of what happened in a life, runs of the same folded.
struct Chronicle {
    private let rows: [Row]
    private let style: Style

    private enum Row {
        case event(TimelineEvent)
        /// Each time these, one after the other.
        case folded(count: Int, [TimelineEvent])

        /// What stands in columns.
        var parts: [TimelineEvent.Note] {
            switch self {
            case .event(let event): event.parts
            case .folded: []
            }
        }

        /// What stands before the columns.
        var moment: String? {
            switch self {
            case .event(let event): event.at.plainText
            case .folded: nil
            }
        }
    }

    /// How many equal ones are worth folding, where the first and the last stay and where not.
    private static let shortestRun = (keepingEnds: 4, whole: 2)
    /// An attempt in billing retry is an event, or it is pending first, and answered then.
    private static let longestPattern = 2

    init(_ life: Life, style: Style, folds: Bool = true) {
        self.style = style
        rows =
            folds ? Chronicle.folded(life.events) : life.events.map { .event($0) }
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

    /// The list, no line longer than the style's width as far as the words allow.
    var lines: [String] {
        let layout = Layout(
            rows.flatMap(\.parts), moments: rows.compactMap(\.moment), columns: style.columns)
        return rows.flatMap { row in
            switch row {
            case .event(let event): lines(of: event, layout)
            case .folded(let count, let pattern): [folded(count, pattern, layout)]
            }
        }
    }

    /// Where the columns are.
    private struct Layout {
        /// Where the words begin.
        let text: Int
        /// The width of the words; where there is no amount they may run on.
        let textWidth: Int
        let amountWidth: Int
        /// Where the notices begin, and how long they may be.
        let notices: Int
        let noticeWidth: Int

        init(_ parts: [TimelineEvent.Note], moments: [String], columns: Int) {
            text = 2 + (moments.map(\.terminalWidth).max() ?? 0)
            let amountWidth = parts.map(\.amount.terminalWidth).max() ?? 0
            textWidth =
                parts.map { part in
                    part.text.terminalWidth - (part.amount.isEmpty ? amountWidth + 2 : 0)
                }.max() ?? 0
            self.amountWidth = amountWidth
            notices = text + textWidth + 2 + amountWidth + 2
            noticeWidth = columns - notices
        }
    }

    private func lines(of event: TimelineEvent, _ layout: Layout) -> [String] {
        let left = event.parts
        // From the first notice on that is too long even when it is broken, all stand below, so
        // that the order stays.
        let broken = event.notices.map { Chronicle.broken($0, width: layout.noticeWidth) }
        let beside = broken.prefix { $0 != nil }.compactMap { $0 }
        let right = beside.flatMap { $0 }
        var lines: [String] = []
        for index in 0..<max(left.count, right.count) {
            let date = index == 0 ? event.at.plainText : ""
            var line = style.paint(date.filled(to: layout.text), .faint)
            let part = index < left.count ? left[index] : TimelineEvent.Note(text: "")
            let space = layout.notices - layout.text - 2 - part.text.terminalWidth
            line += style.paint(part.text, index == 0 ? event.colour : .faint)
            line += part.amount.pushed(to: space)
            if index < right.count { line += "  " + style.paint(right[index], .faint) }
            lines.append(line.trimmingEnd())
        }
        for notice in event.notices.dropFirst(beside.count) {
            let width = style.columns - layout.text - 4
            for (index, part) in (Chronicle.broken(notice, width: width) ?? [notice]).enumerated() {
                let arrow = index == 0 ? style.pick("  → ", "  > ") : "    "
                lines.append("".filled(to: layout.text) + style.paint(arrow + part, .faint))
            }
        }
        return lines
    }

    /// A notice on as few lines as it needs, broken before its subtype; nil where it is too long.
    private static func broken(_ notice: String, width: Int) -> [String]? {
        if notice.terminalWidth <= width { return [notice] }
        guard let slash = notice.firstIndex(of: "/") else { return nil }
        let parts = [String(notice[..<slash]), "  " + notice[slash...]]
        return parts.allSatisfy { $0.terminalWidth <= width } ? parts : nil
    }

    private func folded(_ count: Int, _ pattern: [TimelineEvent], _ layout: Layout) -> String {
        let dots = style.pick("…", "...")
        let amount = pattern.count == 1 ? pattern[0].amount : ""
        let each = amount.isEmpty ? "" : ", \(amount) each"
        let what = pattern.compactMap(\.plural).joined(separator: ", ")
        let text = "\(dots) \(count) \(what)\(each)"
        return "".filled(to: layout.text) + style.paint(text, .faint)
    }
}

extension TimelineEvent {
    /// The event and what came with it, a line each.
    fileprivate var parts: [Note] {
        var transaction = transactionID.map { [Note(text: "transaction \($0)")] } ?? []
        if isFirst { transaction.append(Note(text: "which names the subscription")) }
        return [Note(text: text, amount: amount)]
            + (notes + transaction).map { Note(text: "  " + $0.text, amount: $0.amount) }
    }
}

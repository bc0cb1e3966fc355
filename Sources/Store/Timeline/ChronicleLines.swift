import SubscriptionRules

/// The list of what happened in a life, for a terminal.
struct ChronicleLines {
    private let rows: [Chronicle.Row]
    private let style: Style

    init(_ chronicle: Chronicle, style: Style) {
        rows = chronicle.rows
        self.style = style
    }

    /// The list, no line longer than the style's width as far as the words allow.
    var lines: [String] {
        let rows = broken
        let layout = Layout(
            rows.flatMap(\.parts), moments: rows.compactMap(\.moment), columns: style.columns)
        return rows.flatMap { row in
            switch row {
            case .event(let event): lines(of: event, layout)
            case .folded: [folded(row, layout)]
            }
        }
    }

    /// The rows, long sentences on as many lines as they need.
    private var broken: [Chronicle.Row] {
        let date = rows.compactMap(\.moment).map(\.terminalWidth).max() ?? 0
        // A note is indented by two, and begins two behind the moment.
        let width = max(style.columns - date - 4, 24)
        return rows.map { row in
            guard case .event(var event) = row else { return row }
            event.notes = event.notes.flatMap { note in
                note.isSentence ? note.broken(to: width) : [note]
            }
            return .event(event)
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
        let broken = event.notices.map { Self.broken($0, width: layout.noticeWidth) }
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
            for (index, part) in (Self.broken(notice, width: width) ?? [notice]).enumerated() {
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

    private func folded(_ row: Chronicle.Row, _ layout: Layout) -> String {
        let text = row.summary(dots: style.pick("…", "...")) ?? ""
        return "".filled(to: layout.text) + style.paint(text, .faint)
    }
}

extension Chronicle.Row {
    /// What stands in columns.
    fileprivate var parts: [TimelineEvent.Note] {
        switch self {
        case .event(let event): event.parts
        case .folded: []
        }
    }

    /// What stands before the columns.
    fileprivate var moment: String? {
        switch self {
        case .event(let event): event.at.plainText
        case .folded: nil
        }
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

extension TimelineEvent.Note {
    /// The same on lines no longer than a width, unless a word is.
    fileprivate func broken(to width: Int) -> [TimelineEvent.Note] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.terminalWidth + word.terminalWidth < width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append((lines.isEmpty ? "" : "  ") + word)
            }
        }
        return lines.map { TimelineEvent.Note(text: $0) }
    }
}

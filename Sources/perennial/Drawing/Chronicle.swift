import SubscriptionRules

/// The dated list of what happened in a life, runs of the same folded.
struct Chronicle {
    private let rows: [Row]
    private let style: Style

    private enum Row {
        case happening(Happening)
        case folded(count: Int, Happening)
    }

    /// How many equal ones are worth folding.
    private static let shortestRun = 4

    init(_ life: Life, style: Style) {
        self.style = style
        rows = Chronicle.folded(life.happenings)
    }

    /// Keeps the first and the last of a run of equal ones.
    private static func folded(_ happenings: [Happening]) -> [Row] {
        var rows: [Row] = []
        var rest = happenings[...]
        while let first = rest.first {
            let run = rest.prefix { $0.plural != nil && $0.isLike(first) }
            if run.count >= shortestRun, let last = run.last {
                rows += [
                    .happening(first), .folded(count: run.count - 2, first), .happening(last),
                ]
                rest = rest.dropFirst(run.count)
            } else {
                rows.append(.happening(first))
                rest = rest.dropFirst()
            }
        }
        return rows
    }

    /// The list, no line longer than the style's width as far as the words allow.
    var lines: [String] {
        let happenings = rows.map { row in
            switch row {
            case .happening(let happening), .folded(_, let happening): happening
            }
        }
        let texts = happenings.flatMap { [$0.text] + $0.notes.map { "  " + $0.text } }
        let amounts = happenings.flatMap { [$0.amount] + $0.notes.map(\.amount) }
        let textWidth = texts.map(\.count).max() ?? 0
        let amountWidth = amounts.map(\.count).max() ?? 0
        let widestNotice = happenings.flatMap(\.notices).map(\.count).max() ?? 0
        let layout = Layout(
            textWidth: textWidth, amountWidth: amountWidth,
            hasRoomForNotices: Layout.dateWidth + textWidth + amountWidth + widestNotice + 6
                <= style.columns)
        return rows.flatMap { row in
            switch row {
            case .happening(let happening): lines(of: happening, layout)
            case .folded(let count, let happening): [folded(count, happening)]
            }
        }
    }

    private struct Layout {
        static let dateWidth = 16
        var textWidth: Int
        var amountWidth: Int
        var hasRoomForNotices: Bool
    }

    private func lines(of happening: Happening, _ layout: Layout) -> [String] {
        let left =
            [(text: happening.text, amount: happening.amount)]
            + happening.notes.map { (text: "  " + $0.text, amount: $0.amount) }
        var notices = happening.notices[...]
        var lines: [String] = []
        for (index, part) in left.enumerated() {
            var line = index == 0 ? happening.at.minuteText : ""
            line = style.paint(line.filled(to: Layout.dateWidth), .faint) + "  "
            let text = part.text.filled(to: layout.textWidth)
            line += style.paint(text, index == 0 ? happening.colour : .faint) + "  "
            line += part.amount.pushed(to: layout.amountWidth)
            if layout.hasRoomForNotices, let notice = notices.popFirst() {
                line += "  " + style.paint(notice, .faint)
            }
            lines.append(line.trimmingEnd())
        }
        let indent =
            layout.hasRoomForNotices
            ? Layout.dateWidth + layout.textWidth + layout.amountWidth + 6 : Layout.dateWidth + 2
        for notice in notices {
            let arrow = layout.hasRoomForNotices ? "" : "  " + style.pick("→ ", "> ")
            lines.append("".filled(to: indent) + style.paint(arrow + notice, .faint))
        }
        return lines
    }

    private func folded(_ count: Int, _ happening: Happening) -> String {
        let dots = style.pick("…", "...")
        let each = happening.amount.isEmpty ? "" : ", \(happening.amount) each"
        let text = "\(dots) \(AmountText.grouped(UInt64(count))) \(happening.plural ?? "")\(each)"
        return "".filled(to: Layout.dateWidth + 2) + style.paint(text, .faint)
    }
}

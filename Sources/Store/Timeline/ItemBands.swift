import SubscriptionRules

/// The items of a merchant's plan for a terminal: a line for each along one time.
struct ItemBands {
    private let lanes: [ItemLane]
    private let left: Int
    private let ruler: Ruler
    private let labelWidth: Int
    private let style: Style
    private let width: Int

    /// Nil for a life without items.
    ///
    /// - Parameter width: how many characters a line is long.
    init?(_ life: Life, style: Style, width: Int) {
        guard let sketch = LifeSketch(life), !sketch.items.isEmpty,
            let first = sketch.access.first, let last = sketch.access.last
        else { return nil }
        lanes = sketch.items.suffix(LifeSketch.mostItems)
        left = sketch.items.count - lanes.count
        self.style = style
        self.width = width
        let longest = lanes.map(\.sku.terminalWidth).max() ?? 0
        labelWidth = min(longest, width / 3)
        ruler = Ruler(
            start: first.start, end: max(last.end, life.now), width: width - labelWidth - 2)
    }

    /// The room for the SKUs, before the lines begin.
    var margin: Int { labelWidth + 2 }

    /// A line for each item, the axis with its labels, and the legend.
    var lines: [String] {
        let indent = "".filled(to: margin)
        let before = left == 0 ? [] : [style.paint("\(counted(left, "item")) before these", .faint)]
        return before
            + lanes.map { label($0) + "  " + line($0) }
            + [ruler.axis(style), ruler.labels].map { indent + style.paint($0, .faint) }
            + legend
    }

    /// The SKU, cut to the room that there is.
    private func label(_ lane: ItemLane) -> String {
        let text = lane.shortSKU(within: labelWidth, dots: style.pick("…", "~"))
        return style.paint(text.filled(to: labelWidth), lane.isPresent ? nil : .faint)
    }

    private func line(_ lane: ItemLane) -> String {
        var cells = [(text: String, colour: Style.Colour?)](
            repeating: (" ", nil), count: ruler.width)
        for range in lane.delivered {
            let last = ruler.cell(range.upperBound)
            let end = range.upperBound >= ruler.end ? last + 1 : last
            let start = ruler.cell(range.lowerBound)
            for cell in start..<max(end, start + 1) { cells[cell] = (style.pick("─", "-"), nil) }
        }
        // What weighs more is drawn over the rest.
        for mark in lane.marks.sorted(by: { $0.kind.rawValue < $1.kind.rawValue }) {
            cells[ruler.cell(mark.at)] = (mark.kind.glyph(style), mark.kind.colour)
        }
        return cells.map { style.paint($0.text, $0.colour) }.joined()
    }

    private var legend: [String] {
        let kinds = Set(lanes.flatMap(\.marks).map(\.kind)).sorted { $0.rawValue < $1.rawValue }
        let parts =
            [Passage.Part(style.pick("─", "-"), nil, then: " delivered")]
            + kinds.map { Passage.Part($0.glyph(style), $0.colour, then: " \($0.name)") }
        return Passage.lines(parts, separator: "   ", width: width, style: style)
    }
}

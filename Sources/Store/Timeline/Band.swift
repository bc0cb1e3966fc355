import SubscriptionRules

/// A life as a band, proportional to time, with marks above it and years or months below.
struct Band {
    private let style: Style
    private let stretches: [Stretch]
    private let marks: [Mark]
    private let start: Instant
    private let end: Instant
    private let width: Int
    private let margin: Int

    /// - Parameters:
    ///   - width: how many characters a line is long.
    ///   - margin: how many of these stand empty before the band, so that it aligns with others.
    init?(_ life: Life, style: Style, width: Int, margin: Int = 0) {
        guard let sketch = LifeSketch(life) else { return nil }
        self.init(sketch, at: life.now, style: style, width: width, margin: margin)
    }

    /// - Parameter now: what the clock shows.
    init?(_ sketch: LifeSketch, at now: Instant, style: Style, width: Int, margin: Int = 0) {
        guard let first = sketch.access.first, let last = sketch.access.last else { return nil }
        stretches = sketch.access
        self.style = style
        self.width = width - margin
        self.margin = margin
        start = first.start
        // A clock that has run on past the end is shown too.
        end = max(last.end, now)
        marks = sketch.marks
    }

    /// The marks, the band, the axis, its labels and the legend.
    var lines: [String] {
        let ruler = Ruler(start: start, end: end, width: width)
        let axis = [ruler.axis(style), ruler.labels].map { style.paint($0, .faint) }
        return ([markLine, bandLine] + axis).map { "".filled(to: margin) + $0 } + legend
    }

    // MARK: The band

    /// The cell in which a moment lies.
    private func cell(_ moment: Instant) -> Int {
        Ruler(start: start, end: end, width: width).cell(moment)
    }

    /// The stretch that each cell shows: the one at its middle. One so short that it would not
    /// be seen at all gets a cell nevertheless, since the short ones are what one looks for.
    private var cells: [Int?] {
        var cells = [Int?](repeating: nil, count: width)
        let length = end.since(start).milliseconds
        for (index, stretch) in stretches.enumerated() {
            let from = middle(atOrAfter: stretch.start, of: length)
            let to = middle(atOrAfter: stretch.end, of: length)
            for cell in from..<max(from, to) { cells[cell] = index }
        }
        let shown = Set(cells.compactMap { $0 })
        for (index, stretch) in stretches.enumerated()
        where !shown.contains(index) && isLonely(index) {
            cells[cell(stretch.start)] = index
        }
        return cells
    }

    /// The first cell whose middle does not lie before a moment.
    private func middle(atOrAfter moment: Instant, of length: Int64) -> Int {
        let position = moment.since(start).milliseconds * 2 * Int64(width)
        return min(width, max(0, Int((position - length + 2 * length - 1) / (2 * length))))
    }

    /// Whether periods are set apart: with less than three cells for the usual one it is noise.
    private var hasGaps: Bool {
        let lengths = stretches.filter { $0.kind == .paid }
            .map { $0.end.since($0.start).milliseconds }.sorted()
        guard !lengths.isEmpty else { return false }
        return lengths[lengths.count / 2] * Int64(width) >= 3 * end.since(start).milliseconds
    }

    /// Whether the neighbours of a stretch are of other kinds.
    private func isLonely(_ index: Int) -> Bool {
        let kind = stretches[index].kind
        return (index == 0 || stretches[index - 1].kind != kind)
            && (index + 1 == stretches.count || stretches[index + 1].kind != kind)
    }

    private var bandLine: String {
        let cells = cells
        let hasGaps = hasGaps
        var line = ""
        var run: (kind: Stretch.Kind?, text: String) = (nil, "")
        for (place, index) in cells.enumerated() {
            let kind = index.map { stretches[$0].kind }
            if kind != run.kind {
                line += style.paint(run.text, run.kind?.colour)
                run = (kind, "")
            }
            let next = place + 1 < width ? cells[place + 1] : nil
            let isLast = place + 1 < width && next != index && kind != nil
            let endsPeriod = hasGaps && isLast && next.map { stretches[$0].kind } == kind
            run.text += kind.map { endsPeriod ? $0.lastGlyph(style) : $0.glyph(style) } ?? " "
        }
        return line + style.paint(run.text, run.kind?.colour)
    }

    // MARK: Marks and legend

    /// How many cells a mark may stand beside its own, so that none hides another.
    private static let farthest = 2

    /// The marks that are shown and the cell of each, in order.
    private var shownMarks: [(cell: Int, kind: Mark.Kind)] {
        var shown: [(cell: Int, kind: Mark.Kind)] = []
        var told: [Mark.Kind: Int] = [:]
        for mark in marks {
            let cell = cell(mark.at)
            // One stands for all of its kind in a cell.
            guard told.updateValue(cell, forKey: mark.kind) != cell else { continue }
            let place = max(cell, (shown.last?.cell ?? -1) + 1)
            guard place - cell <= Self.farthest || mark.kind == .now else { continue }
            shown.append((place, mark.kind))
        }
        // At the end of the line they stand before it.
        var end = width
        for index in shown.indices.reversed() {
            end = min(shown[index].cell, end - 1)
            shown[index].cell = end
        }
        return shown.filter { $0.cell >= 0 }
    }

    private var markLine: String {
        var line = ""
        var length = 0
        for (place, kind) in shownMarks {
            line += String(repeating: " ", count: place - length)
            line += style.paint(kind.glyph(style), kind.colour)
            length = place + 1
        }
        return line
    }

    /// What the glyphs mean that are there.
    private var legend: [String] {
        let kinds = Set(stretches.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
        let marked = Set(shownMarks.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
        let parts =
            kinds.map { Passage.Part($0.glyph(style), $0.colour, then: " \($0.name)") }
            + marked.map { Passage.Part($0.glyph(style), $0.colour, then: " \($0.name)") }
        return Passage.lines(parts, separator: "   ", width: margin + width, style: style)
    }
}

extension Stretch.Kind {
    var colour: Style.Colour {
        switch self {
        case .paid: .paid
        case .trial: .trial
        case .pending, .awaited, .grace: .grace
        case .retry, .revoked: .retry
        case .expired, .unknown: .faint
        }
    }

    /// What it is called in a legend.
    package var name: String {
        switch self {
        case .paid: "paid"
        case .trial: "free trial"
        case .pending: "payment pending"
        case .awaited: "awaiting renewal"
        case .grace: "grace period"
        case .retry: "billing retry"
        case .revoked: "refunded"
        case .expired: "expired"
        case .unknown: "no news"
        }
    }

    func glyph(_ style: Style) -> String {
        switch self {
        case .paid: style.pick("█", "=")
        case .trial: style.pick("░", "-")
        case .pending: style.pick("▓", ":")
        case .awaited: style.pick("▚", "+")
        case .grace: style.pick("▒", "~")
        case .retry: style.pick("·", ".")
        case .revoked: style.pick("╌", ",")
        case .expired: style.pick("▁", "_")
        case .unknown: style.pick("?", "?")
        }
    }

    /// The glyph of a period's last cell, which leaves a gap before the next one.
    func lastGlyph(_ style: Style) -> String {
        switch self {
        case .paid: style.pick("▉", "|")
        case .trial, .pending, .awaited, .grace, .retry, .revoked, .expired, .unknown:
            glyph(style)
        }
    }
}

extension Mark.Kind {
    var colour: Style.Colour {
        switch self {
        case .upgrade, .planChange, .price, .extended: .mark
        case .refund, .end: .retry
        case .now: .strong
        }
    }

    /// What it is called in a legend.
    package var name: String {
        switch self {
        case .upgrade: "upgrade"
        case .planChange: "other plan"
        case .price: "price increase announced"
        case .extended: "extended"
        case .refund: "refund"
        case .end: "end"
        case .now: "now"
        }
    }

    func glyph(_ style: Style) -> String {
        switch self {
        case .upgrade: style.pick("↑", "^")
        case .planChange: style.pick("→", ">")
        case .price: style.pick("◆", "$")
        case .extended: "+"
        case .refund: style.pick("↩", "<")
        case .end: style.pick("✕", "x")
        case .now: style.pick("▼", "v")
        }
    }
}

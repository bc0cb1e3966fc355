import HTMLPages
import SubscriptionRules
public import Timeline

/// Paints a life as SVG: where, how wide and in what colour; what is shown was decided by
/// `LifeSketch`.
struct LifeFigure {
    let sketch: LifeSketch
    let life: Life
    /// The items of a merchant's plan that are drawn.
    let lanes: [ItemLane]

    /// Nil for a life in which nothing happened.
    init?(_ life: Life) {
        guard let sketch = LifeSketch(life) else { return nil }
        self.sketch = sketch
        self.life = life
        lanes = sketch.items.suffix(LifeSketch.mostItems)
    }

    /// The drawing, for wide and for narrow screens.
    var figure: Figure {
        Figure(
            wide: drawing(id: "life", width: Self.wide),
            narrow: drawing(id: "life-narrow", width: Self.narrow),
            caption: ConsoleWords.Subscription.drawing(
                life.account, from: life.figures.moment(sketch.span.lowerBound),
                to: life.figures.moment(sketch.span.upperBound)),
            legend: legend)
    }

    // MARK: The drawing

    /// The heights of the lanes, from above.
    private enum Row {
        static let marks = 18
        static let access = 34
        static let accessHeight = 26
        static let charges = 76
        static let notices = 96
        static let plan = 112
        static let price = 138
        static let labelHeight = 20
    }

    /// Where the items begin, below everything else.
    static let itemsTop = 172
    /// The room for an item: its SKU with its line below.
    static let itemHeight = 30

    /// The height of the axis, below the last lane.
    var axis: Int {
        lanes.isEmpty ? 176 : Self.itemsTop + lanes.count * Self.itemHeight + 6
    }

    /// The room for the names of the lanes, and at the end.
    static let start = 62
    static let end = 8

    static let (wide, narrow) = (1100, 360)

    func scale(width: Int) -> TimeScale {
        TimeScale(
            from: sketch.span.lowerBound, to: sketch.span.upperBound, quiet: sketch.quiet,
            width: width - Self.start - Self.end)
    }

    private func drawing(id: String, width: Int) -> Drawing {
        let scale = scale(width: width)
        var drawing = Drawing(
            id: id, title: ConsoleWords.Subscription.drawingTitle(life.productID, life.account),
            width: width, height: axis + 24)
        drawLanes(&drawing)
        drawAxis(&drawing, scale, width: width)
        drawAccess(&drawing, scale)
        drawDots(&drawing, scale, sketch.charges, y: Row.charges, "paid")
        drawDots(&drawing, scale, sketch.notices, y: Row.notices, "trial")
        drawLabels(&drawing, scale, sketch.plans, y: Row.plan)
        drawLabels(&drawing, scale, sketch.prices, y: Row.price)
        drawing.lines(
            owed.flatMap { stretch in
                Self.hatches(
                    from: x(stretch.start, scale), to: x(stretch.end, scale), y: Row.price,
                    height: Row.labelHeight)
            }, class: "hatch")
        drawItems(&drawing, scale, width: width)
        drawCuts(&drawing, scale)
        drawMarks(&drawing, scale, inner: width - Self.start - Self.end)
        return drawing
    }

    func x(_ moment: Instant, _ scale: TimeScale) -> Int {
        Self.start + scale.place(moment)
    }

    private func drawLanes(_ drawing: inout Drawing) {
        typealias Words = ConsoleWords.Subscription
        for (name, y) in [
            (Words.laneAccess, Row.access + 17), (Words.laneCharges, Row.charges + 4),
            (Words.laneNotices, Row.notices + 4), (Words.lanePlan, Row.plan + 14),
            (Words.lanePrice, Row.price + 14),
        ] {
            drawing.text(name, x: 0, y: y, class: "faint")
        }
    }

    private func drawAxis(_ drawing: inout Drawing, _ scale: TimeScale, width: Int) {
        drawing.line(
            x1: Self.start, y1: axis, x2: width - Self.end, y2: axis, class: "axis")
        for tick in scale.ticks(room: 7) {
            let x = Self.start + tick.place
            drawing.line(x1: x, y1: Row.access, x2: x, y2: axis, class: "grid")
            drawing.line(x1: x, y1: axis, x2: x, y2: axis + 5, class: "tick")
            drawing.text(tick.label, x: x, y: axis + 18, class: "faint")
        }
    }

    /// In a long life what is thinner is drawn without a text of its own, as one shape with the
    /// others of its kind: there are hundreds, and a pointer does not rest on them.
    private var thinnest: Int { sketch.access.count > 100 ? 9 : 0 }

    private func drawAccess(_ drawing: inout Drawing, _ scale: TimeScale) {
        var thin: [Stretch.Kind: [Box]] = [:]
        var hatches: [(x1: Int, y1: Int, x2: Int, y2: Int)] = []
        for stretch in sketch.access {
            let from = x(stretch.start, scale)
            // One so short that it would not be seen is what one looks for.
            let width = max(x(stretch.end, scale) - from, 2)
            let gap = width > 5 ? 1 : 0
            let isOver = stretch.kind == .expired
            let place = (
                x: from, y: isOver ? Row.access + Row.accessHeight - 6 : Row.access,
                width: width - gap, height: isOver ? 6 : Row.accessHeight
            )
            if width < thinnest {
                thin[stretch.kind, default: []].join(place)
                continue
            }
            drawing.rectangle(
                x: place.x, y: place.y, width: place.width, height: place.height,
                class: stretch.kind.className, title: title(of: stretch))
            if stretch.kind.isHatched, width > 6 {
                hatches += Self.hatches(
                    from: from, to: from + width - gap, y: Row.access, height: Row.accessHeight)
            }
        }
        for kind in Stretch.Kind.allCases {
            drawing.rectangles(thin[kind] ?? [], class: kind.className)
        }
        drawing.lines(hatches, class: "hatch")
        guard let ahead = sketch.ahead else { return }
        let from = x(ahead.start, scale)
        drawing.rectangle(
            x: from, y: Row.access, width: max(x(ahead.end, scale) - from - 1, 2),
            height: Row.accessHeight, class: "ahead",
            title: ConsoleWords.Subscription.ahead(life.figures.moment(ahead.start)))
    }

    /// What tells a stretch from its neighbours for those who see no colours.
    static func hatches(
        from: Int, to: Int, y: Int, height: Int
    ) -> [(x1: Int, y1: Int, x2: Int, y2: Int)] {
        let bottom = y + height
        return stride(from: from + 3, to: to, by: 6).map { x in
            (x1: x, y1: bottom, x2: min(x + 6, to), y2: bottom - min(6, to - x) * height / 6)
        }
    }

    private func title(of stretch: Stretch) -> String {
        "\(stretch.kind.name): \(time(stretch.start, stretch.end))"
    }

    private func time(_ start: Instant, _ end: Instant) -> String {
        "\(life.figures.moment(start)) – \(life.figures.moment(end))"
    }

    /// When a price holds that nobody has paid yet.
    var owed: [Stretch] {
        sketch.access.filter { [.pending, .grace, .retry].contains($0.kind) }
    }

    /// A dot for each moment; those that would lie on each other are one.
    func dots(
        _ moments: [Instant], _ scale: TimeScale
    ) -> [(x: Int, first: Instant, count: Int)] {
        // Of very many, more are one: what they say takes most of a drawing's bytes.
        let room = moments.count > 60 ? 20 : 6
        var dots: [(x: Int, first: Instant, count: Int)] = []
        for moment in moments {
            let x = x(moment, scale)
            if let last = dots.last, x - last.x < room {
                dots[dots.count - 1].count += 1
            } else {
                dots.append((x, moment, 1))
            }
        }
        return dots
    }

    private func drawDots(
        _ drawing: inout Drawing, _ scale: TimeScale, _ moments: [Instant], y: Int, _ kind: String
    ) {
        for dot in dots(moments, scale) {
            let title =
                dot.count == 1
                ? life.figures.moment(dot.first)
                : ConsoleWords.Subscription.several(dot.count, from: life.figures.moment(dot.first))
            drawing.circle(
                x: dot.x + 2, y: y, radius: dot.count == 1 ? 3 : Self.heap, class: kind,
                title: title)
        }
    }

    /// Texts in boxes, as long as they hold.
    private func drawLabels(
        _ drawing: inout Drawing, _ scale: TimeScale, _ labels: [LifeSketch.Label], y: Int
    ) {
        // Those that are too thin to be told apart are boxes together.
        var thin: [[Box]] = [[], []]
        var open: Box?
        var count = 0
        func close() {
            if let open { thin[count % 2].append(open) }
            count += open == nil ? 0 : 1
            open = nil
        }
        defer {
            close()
            drawing.rectangles(thin[0], class: "lane-a")
            drawing.rectangles(thin[1], class: "lane-b")
        }
        for label in labels {
            let from = x(label.start, scale)
            let width = max(x(label.end, scale) - from, 2)
            if width < thinnest {
                if let box = open, from > box.x + box.width { close() }
                let start = open?.x ?? from
                open = (x: start, y: y, width: from + width - start, height: Row.labelHeight)
                if from + width - start >= thinnest { close() }
                continue
            }
            close()
            drawing.rectangle(
                x: from, y: y, width: width - 1, height: Row.labelHeight,
                class: count.isMultiple(of: 2) ? "lane-a" : "lane-b",
                title: "\(label.text): \(time(label.start, label.end))")
            count += 1
            // A character is some seven units wide.
            let room = (width - 8) / 7
            guard room >= 3 else { continue }
            let text =
                label.text.count <= room ? label.text : label.text.prefix(room - 1) + "…"
            drawing.text(text, x: from + 5, y: y + 14, class: "label")
        }
    }

    /// A sign where time is drawn shorter.
    private func drawCuts(_ drawing: inout Drawing, _ scale: TimeScale) {
        for piece in scale.pieces where piece.isShortened {
            let middle = Self.start + (piece.places.lowerBound + piece.places.upperBound) / 2
            for x in [middle - 4, middle + 4] {
                drawing.path(
                    [(x + 4, axis - 8), (x - 4, axis + 8)], class: "axis")
            }
        }
    }

    // MARK: Marks

    private func drawMarks(_ drawing: inout Drawing, _ scale: TimeScale, inner: Int) {
        for (at, marks) in places(of: sketch.marks.filter { $0.kind != .now }, scale, inner) {
            // Of several the one that weighs most, as in the legend.
            guard let mark = marks.max(by: { $0.kind.rawValue < $1.kind.rawValue }) else {
                continue
            }
            let title =
                marks.count == 1
                ? "\(mark.kind.name): \(life.figures.moment(mark.at))"
                : ConsoleWords.Subscription.several(
                    marks.count, from: life.figures.moment(marks[0].at))
            mark.kind.draw(in: &drawing, x: Self.start + at, y: Row.marks, title: title)
        }
        let now = x(life.now, scale)
        drawing.line(
            x1: now, y1: Row.access - 6, x2: now, y2: axis, class: "now",
            title: ConsoleWords.Subscription.now(life.figures.moment(life.now)))
    }

    /// Where marks are drawn: beside each other, or, where that takes more room than there is,
    /// those together that lie on each other.
    private func places(
        of marks: [Mark], _ scale: TimeScale, _ inner: Int
    ) -> [(at: Int, marks: [Mark])] {
        let isCrowded = marks.count * 14 > inner
        let room = isCrowded ? 20 : 14
        var places: [(at: Int, marks: [Mark])] = []
        var free = 0
        for mark in marks {
            let place = scale.place(mark.at)
            if isCrowded, let last = places.last, place < last.at + room {
                places[places.count - 1].marks.append(mark)
            } else {
                let at = min(max(place, free), inner - 8)
                places.append((at, [mark]))
                free = at + room
            }
        }
        return places
    }
}

extension Life {
    /// The life drawn as on the page of a subscription: SVG for wide screens and for narrow ones;
    /// none for a life in which nothing happened.
    public var drawings: [String] {
        LifeFigure(self)?.figure.drawings.map(\.markup.text) ?? []
    }
}

/// Where a rectangle is drawn.
typealias Box = (x: Int, y: Int, width: Int, height: Int)

extension [Box] {
    /// Adds a rectangle, as part of the last one where it touches that.
    fileprivate mutating func join(_ box: Box) {
        guard let last, last.x + last.width >= box.x, last.y == box.y else { return append(box) }
        self[count - 1].width = Swift.max(last.width, box.x + box.width - last.x)
    }
}

extension Stretch.Kind {
    /// The style sheet's name of it.
    var className: String {
        switch self {
        case .paid: "paid"
        case .trial: "trial"
        // The store itself knows what was paid: these two are of a merchant's drawings.
        case .pending, .awaited: "pending"
        case .grace: "grace"
        case .retry: "retry"
        case .revoked: "revoked"
        case .expired, .unknown: "expired"
        }
    }

    var isHatched: Bool {
        switch self {
        case .pending, .awaited, .grace, .retry, .revoked: true
        case .paid, .trial, .expired, .unknown: false
        }
    }
}

extension Mark.Kind {
    /// Draws the sign around a place.
    func draw(in drawing: inout Drawing, x: Int, y: Int, title: String?) {
        switch self {
        case .upgrade:
            drawing.path(
                [(x - 5, y), (x, y - 6), (x + 5, y)], class: "mark-good", title: title)
            drawing.line(x1: x, y1: y - 6, x2: x, y2: y + 6, class: "mark-good")
        case .planChange:
            drawing.path(
                [(x, y - 5), (x + 6, y), (x, y + 5)], class: "mark", title: title)
            drawing.line(x1: x - 6, y1: y, x2: x + 6, y2: y, class: "mark")
        case .price:
            drawing.path(
                [(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)], isClosed: true, class: "mark",
                title: title)
        case .extended:
            drawing.line(x1: x - 5, y1: y, x2: x + 5, y2: y, class: "mark-good", title: title)
            drawing.line(x1: x, y1: y - 5, x2: x, y2: y + 5, class: "mark-good")
        case .refund:
            drawing.path(
                [(x + 5, y - 5), (x - 5, y), (x + 5, y + 5)], class: "mark-bad", title: title)
        case .end:
            drawing.line(
                x1: x - 4, y1: y - 4, x2: x + 4, y2: y + 4, class: "mark-bad", title: title)
            drawing.line(x1: x - 4, y1: y + 4, x2: x + 4, y2: y - 4, class: "mark-bad")
        case .now:
            drawing.line(x1: x, y1: y - 8, x2: x, y2: y + 8, class: "now", title: title)
        }
    }
}

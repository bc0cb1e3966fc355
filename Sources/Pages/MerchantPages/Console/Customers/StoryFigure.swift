import HTMLPages
import SubscriptionRules
import Timeline

/// Paints the life of a merchant's purchase as SVG: what is shown was decided by `StorySketch`.
struct StoryFigure {
    private let sketch: LifeSketch
    private let now: Instant
    private let locale: PageLocale
    /// Tells it from the others of its page.
    private let number: Int

    init(_ sketch: LifeSketch, now: Instant, locale: PageLocale, number: Int) {
        self.sketch = sketch
        self.now = now
        self.locale = locale
        self.number = number
    }

    private enum Row {
        static let marks = 14
        static let access = 28
        static let accessHeight = 26
        static let axis = 64
        static let height = 88
        static let margin = 8
    }

    /// The drawing, for wide and for narrow screens.
    var figure: Figure {
        Figure(
            wide: drawing(id: "story-\(number)", width: 1100),
            narrow: drawing(id: "story-\(number)-narrow", width: 360),
            caption: MerchantWords.Customers.drawing(
                from: locale.moment(sketch.span.lowerBound),
                to: locale.moment(sketch.span.upperBound)),
            legend: legend)
    }

    private func drawing(id: String, width: Int) -> Drawing {
        let scale = TimeScale(
            from: sketch.span.lowerBound, to: max(sketch.span.upperBound, now),
            quiet: sketch.quiet, width: width - 2 * Row.margin)
        func x(_ moment: Instant) -> Int { Row.margin + scale.place(moment) }
        var drawing = Drawing(
            id: id, title: MerchantWords.Customers.drawingTitle, width: width, height: Row.height)
        drawing.line(
            x1: Row.margin, y1: Row.axis, x2: width - Row.margin, y2: Row.axis, class: "axis")
        for tick in scale.ticks(room: 7) {
            let place = Row.margin + tick.place
            drawing.line(x1: place, y1: Row.axis, x2: place, y2: Row.axis + 5, class: "tick")
            drawing.text(tick.label, x: place, y: Row.axis + 18, class: "faint")
        }
        for stretch in sketch.access {
            let isOver = stretch.kind == .expired
            // One so short that it would not be seen is what one looks for.
            drawing.rectangle(
                x: x(stretch.start), y: isOver ? Row.access + Row.accessHeight - 6 : Row.access,
                width: max(x(stretch.end) - x(stretch.start) - 1, 2),
                height: isOver ? 6 : Row.accessHeight, class: stretch.kind.shade,
                title: "\(stretch.kind.name): \(locale.moment(stretch.start)) – "
                    + locale.moment(stretch.end))
        }
        if let ahead = sketch.ahead {
            drawing.rectangle(
                x: x(ahead.start), y: Row.access, width: max(x(ahead.end) - x(ahead.start) - 1, 2),
                height: Row.accessHeight, class: "ahead")
        }
        for mark in sketch.marks where mark.kind != .now {
            drawing.copies(
                of: mark.kind.form, at: [(x(mark.at), Row.marks)], class: mark.kind.shade,
                title: "\(mark.kind.name): \(locale.moment(mark.at))")
        }
        drawing.line(
            x1: x(now), y1: Row.access - 6, x2: x(now), y2: Row.axis, class: "now",
            title: "\(Mark.Kind.now.name): \(locale.moment(now))")
        return drawing
    }

    /// What each shape means: none that is drawn is left out.
    private var legend: [Figure.Key] {
        let kinds = Set(sketch.access.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
        let marks = Set(sketch.marks.map(\.kind)).subtracting([.now])
            .sorted { $0.rawValue < $1.rawValue }
        return kinds.map { kind in
            var key = Drawing(id: "", title: "", width: 16, height: 16)
            key.rectangle(x: 0, y: 2, width: 16, height: 12, class: kind.shade)
            return Figure.Key(kind.name, key)
        }
            + marks.map { kind in
                var key = Drawing(id: "", title: "", width: 16, height: 16)
                key.copies(of: kind.form, at: [(8, 8)], class: kind.shade)
                return Figure.Key(kind.name, key)
            }
    }
}

extension Stretch.Kind {
    /// The style sheet's name of it.
    fileprivate var shade: String {
        switch self {
        case .paid: "paid"
        case .trial: "trial"
        case .pending, .awaited: "pending"
        case .grace: "grace"
        case .retry: "retry"
        case .revoked: "revoked"
        case .expired, .unknown: "expired"
        }
    }
}

extension Mark.Kind {
    /// The sign around a place, as a path. No two have the same shape.
    fileprivate var form: StaticString {
        switch self {
        case .upgrade: "m-5 0l5 -6l5 6m-5 -6v12"
        case .planChange: "m-6 0h12m-6 -5l6 5l-6 5"
        case .price: "m0 -6l6 6l-6 6l-6 -6z"
        case .extended: "m-5 0h10m-5 -5v10"
        case .refund: "m5 -5l-10 5l10 5"
        case .end: "m-4 -4l8 8m0 -8l-8 8"
        case .now: "m0 -8v16"
        }
    }

    /// The style sheet's name of it.
    fileprivate var shade: String {
        switch self {
        case .upgrade, .extended: "mark-good"
        case .planChange, .price, .now: "mark"
        case .refund, .end: "mark-bad"
        }
    }
}

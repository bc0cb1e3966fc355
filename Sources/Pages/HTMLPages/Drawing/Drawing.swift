/// A drawing as SVG. All places and sizes are whole units of its view box, so that equal input
/// gives equal bytes; colours come from the page's style sheet by class.
package struct Drawing: Sendable {
    private let width: Int
    private let height: Int
    private let id: String
    private let title: String
    private var shapes = ""

    /// - Parameters:
    ///   - id: unique on its page.
    ///   - title: what it shows, in a sentence, for those who do not see it.
    package init(id: String, title: String, width: Int, height: Int) {
        self.id = id
        self.title = title
        self.width = width
        self.height = height
    }

    /// A rectangle.
    ///
    /// - Parameters:
    ///   - class: which of the style sheet's kinds of shapes it is.
    ///   - title: what a pointer that rests on it is told.
    package mutating func rectangle(
        x: Int, y: Int, width: Int, height: Int, class kind: String, title: String? = nil
    ) {
        shapes += "<rect x=\"\(x)\" y=\"\(y)\" width=\"\(max(width, 0))\" height=\"\(height)\""
        finish("rect", kind, title)
    }

    /// Rectangles of one kind as one shape: many of them take few bytes, and none says anything.
    package mutating func rectangles(
        _ all: [(x: Int, y: Int, width: Int, height: Int)], class kind: String
    ) {
        guard !all.isEmpty else { return }
        let path = all.map { "M\($0.x) \($0.y)h\($0.width)v\($0.height)h-\($0.width)z" }
        shapes += "<path d=\"\(path.joined())\""
        finish("path", kind, nil)
    }

    /// Straight lines of one kind as one shape.
    package mutating func lines(
        _ all: [(x1: Int, y1: Int, x2: Int, y2: Int)], class kind: String
    ) {
        guard !all.isEmpty else { return }
        let path = all.map { "M\($0.x1) \($0.y1)L\($0.x2) \($0.y2)" }
        shapes += "<path d=\"\(path.joined())\""
        finish("path", kind, nil)
    }

    /// One shape at many places, as one: a hundred of them take few bytes.
    ///
    /// - Parameter form: how it goes on from a place, as a path of relative moves (SVG 2, 9.3).
    package mutating func copies(
        of form: StaticString, at places: [(x: Int, y: Int)], class kind: String,
        title: String? = nil
    ) {
        guard !places.isEmpty else { return }
        let path = places.map { "M\($0.x) \($0.y)\(form)" }
        shapes += "<path d=\"\(path.joined())\""
        finish("path", kind, title)
    }

    /// Upright strokes as one shape: those below each other take fewer bytes still.
    package mutating func strokes(
        at places: [(x: Int, y: Int)], height: Int, class kind: String
    ) {
        guard !places.isEmpty else { return }
        var path = ""
        var last: (x: Int, y: Int)?
        for place in places.sorted(by: { ($0.x, $0.y) < ($1.x, $1.y) }) {
            if let last, last.x == place.x {
                path += "m0 \(place.y - last.y - height)v\(height)"
            } else {
                path += "M\(place.x) \(place.y)v\(height)"
            }
            last = place
        }
        shapes += "<path d=\"\(path)\""
        finish("path", kind, nil)
    }

    /// A straight line.
    package mutating func line(
        x1: Int, y1: Int, x2: Int, y2: Int, class kind: String, title: String? = nil
    ) {
        shapes += "<line x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\""
        finish("line", kind, title)
    }

    /// Straight lines from place to place.
    package mutating func path(
        _ places: [(x: Int, y: Int)], isClosed: Bool = false, class kind: String,
        title: String? = nil
    ) {
        let text = places.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        let name = isClosed ? "polygon" : "polyline"
        shapes += "<\(name) points=\"\(text)\""
        finish(name, kind, title)
    }

    /// A circle.
    package mutating func circle(
        x: Int, y: Int, radius: Int, class kind: String, title: String? = nil
    ) {
        shapes += "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(radius)\""
        finish("circle", kind, title)
    }

    /// Which end of a text lies at its place.
    package enum Anchor: String, Sendable {
        case start, middle, end
    }

    /// A text, whose base line is at `y`.
    package mutating func text(
        _ text: String, x: Int, y: Int, anchor: Anchor = .start, class kind: String
    ) {
        shapes += "<text x=\"\(x)\" y=\"\(y)\" class=\"\(kind)\""
        if anchor != .start { shapes += " text-anchor=\"\(anchor.rawValue)\"" }
        shapes += ">\(HTMLText.escaped(text))</text>"
    }

    /// All of it.
    package var markup: Markup {
        let name = HTMLText.escaped(id)
        return Markup(
            "<svg viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" height=\"\(height)\" "
                + "role=\"img\" aria-labelledby=\"\(name)-title\" focusable=\"false\">"
                + "<title id=\"\(name)-title\">\(HTMLText.escaped(title))</title>\(shapes)</svg>")
    }

    /// Its shapes alone, as for a key beside a word.
    package var key: Markup { Markup(shapes) }

    private mutating func finish(_ name: String, _ kind: String, _ title: String?) {
        shapes += " class=\"\(kind)\""
        if let title {
            shapes += "><title>\(HTMLText.escaped(title))</title></\(name)>"
        } else {
            shapes += "/>"
        }
    }
}

/// A drawing on a page, with its caption and what its shapes mean. What it shows stands in words
/// or in a table beside it.
package struct Figure: PageBlock {
    package let template = "figure"
    package let drawings: [Sized]
    let caption: String
    let hasLegend: Bool
    let legend: [Key]

    /// A drawing for screens of one width.
    package struct Sized: Sendable {
        let `class`: String
        package let markup: Markup
    }

    /// What a shape means.
    package struct Key: Sendable {
        let text: String
        let markup: Markup

        /// - Parameter drawing: 16 units wide and high.
        package init(_ text: String, _ drawing: Drawing) {
            self.text = text
            markup = drawing.key
        }
    }

    /// - Parameters:
    ///   - wide: what is shown where there is room.
    ///   - narrow: what is shown on a phone.
    package init(wide: Drawing, narrow: Drawing, caption: String, legend: [Key] = []) {
        drawings = [
            Sized(class: "wide", markup: wide.markup),
            Sized(class: "narrow", markup: narrow.markup),
        ]
        self.caption = caption
        hasLegend = !legend.isEmpty
        self.legend = legend
    }
}

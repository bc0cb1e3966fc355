import HTMLPages
import SubscriptionRules
import Timeline

/// The items of a merchant's plan, a lane each: the SKU, and below it when it was delivered and
/// what happened to it.
extension LifeFigure {
    /// How thick the line of an item is.
    private static let thickness = 8

    /// Of more items signs have no text of their own, for the shapes of one kind are one, and
    /// payments are drawn for the whole alone: each renewal pays for all of them.
    private static let mostTold = 12

    /// What of all lanes is drawn as one shape.
    private struct Together {
        var delivered: [Box] = []
        var ahead: [Box] = []
        var payments: [(x: Int, y: Int)] = []
        var signs: [ItemMark.Kind: [(x: Int, y: Int)]] = [:]
    }

    func drawItems(_ drawing: inout Drawing, _ scale: TimeScale, width: Int) {
        var together = Together()
        for (place, lane) in lanes.enumerated() {
            let top = Self.itemsTop + place * Self.itemHeight
            // A character is some seven units wide.
            let sku = lane.shortSKU(within: width / 7 - 2)
            drawing.text(sku, x: 0, y: top + 11, class: lane.isPresent ? "label" : "faint")
            lay(lane, in: &together, scale, y: top + 20)
        }
        drawing.rectangles(together.delivered, class: "lane-a")
        drawing.rectangles(together.ahead, class: "ahead")
        drawing.strokes(at: together.payments, height: Self.thickness, class: "mark-good")
        for kind in ItemMark.Kind.allCases {
            drawing.copies(of: kind.form, at: together.signs[kind] ?? [], class: kind.className)
        }
        guard lanes.count <= Self.mostTold else { return }
        for (place, lane) in lanes.enumerated() {
            drawSigns(
                lane, &drawing, scale, y: Self.itemsTop + place * Self.itemHeight + 20)
        }
    }

    /// The parts of a lane that say nothing by themselves.
    private func lay(_ lane: ItemLane, in together: inout Together, _ scale: TimeScale, y: Int) {
        func box(_ range: Range<Instant>, shorter: Int = 0) -> Box {
            let from = x(range.lowerBound, scale)
            return Box(
                x: from, y: y - Self.thickness / 2,
                width: max(x(range.upperBound, scale) - from - shorter, 2),
                height: Self.thickness)
        }
        together.delivered += lane.delivered.map { box($0) }
        if lane.isPresent, lane.leaves == nil, let ahead = sketch.ahead {
            together.ahead.append(box(ahead.start..<ahead.end, shorter: 1))
        }
        let heaps = heaps(of: lane, scale)
        if lanes.count > Self.mostTold {
            for heap in heaps {
                together.signs[heap.kind, default: []].append((heap.x, y))
            }
            return
        }
        // A sign says more than that it was paid as well; payments that would touch are one.
        let signs = Set(heaps.map(\.x))
        var last: Int?
        for mark in lane.marks where mark.kind == .paid {
            let place = x(mark.at, scale) + 1
            guard !signs.contains(place), last.map({ place - $0 >= 6 }) ?? true else {
                continue
            }
            together.payments.append((place, y - Self.thickness / 2))
            last = place
        }
    }

    /// Signs with what they say: what happened besides payments.
    private func drawSigns(
        _ lane: ItemLane, _ drawing: inout Drawing, _ scale: TimeScale, y: Int
    ) {
        for heap in heaps(of: lane, scale) {
            let told = heap.marks.prefix(3).map { "\(life.figures.moment($0.at)): \($0.text)" }
            let more = heap.marks.count > 3 ? ["…"] : []
            drawing.copies(
                of: heap.kind.form, at: [(heap.x, y)], class: heap.kind.className,
                title: (told + more).joined(separator: "\n"))
        }
    }

    /// What lies on each other is one sign, that of what weighs most.
    private func heaps(
        of lane: ItemLane, _ scale: TimeScale
    ) -> [(x: Int, kind: ItemMark.Kind, marks: [ItemMark])] {
        var heaps: [(x: Int, kind: ItemMark.Kind, marks: [ItemMark])] = []
        for mark in lane.marks where mark.kind != .paid {
            let place = x(mark.at, scale) + 1
            guard let last = heaps.last, place - last.x < 12 else {
                heaps.append((place, mark.kind, [mark]))
                continue
            }
            heaps[heaps.count - 1].marks.append(mark)
            if mark.kind.rawValue > last.kind.rawValue { heaps[heaps.count - 1].kind = mark.kind }
        }
        return heaps
    }

    /// What the signs on items mean, where there are any.
    var itemKeys: [Figure.Key] {
        let kinds = Set(lanes.flatMap(\.marks).map(\.kind))
            .filter { $0 != .paid || lanes.count <= Self.mostTold }
            .sorted { $0.rawValue < $1.rawValue }
        guard !lanes.isEmpty else { return [] }
        var line = Drawing(id: "", title: "", width: 16, height: 16)
        line.rectangle(x: 0, y: 4, width: 16, height: Self.thickness, class: "lane-a")
        return [Figure.Key(ConsoleWords.Outlook.itemKey, line)]
            + kinds.map { kind in
                var key = Drawing(id: "", title: "", width: 16, height: 16)
                key.copies(of: kind.form, at: [(8, 8)], class: kind.className)
                return Figure.Key(kind.name, key)
            }
    }
}

extension ItemMark.Kind {
    /// The sign around a place, as a path. No two have the same shape.
    fileprivate var form: StaticString {
        switch self {
        case .paid: "m0 -4v8"
        case .added: "m-5 0h10m-5 -5v10"
        case .changed: "m-3 -5l6 5l-6 5"
        case .repriced: "m0 -5l5 5l-5 5l-5 -5z"
        case .refunded: "m4 -5l-8 5l8 5"
        case .removed: "m-4 -4l8 8m0 -8l-8 8"
        }
    }

    /// The style sheet's name of it.
    fileprivate var className: String {
        switch self {
        case .paid, .added: "mark-good"
        case .changed, .repriced: "mark"
        case .refunded, .removed: "mark-bad"
        }
    }
}

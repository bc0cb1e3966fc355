import HTMLPages
import Timeline

/// What each sign of a life's drawing means: none that is drawn is left out.
extension LifeFigure {
    var legend: [Figure.Key] {
        let kinds = Set(sketch.access.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
        let marks = Set(sketch.marks.map(\.kind)).subtracting([.now])
            .sorted { $0.rawValue < $1.rawValue }
        return kinds.map { kind in
            var key = Drawing(id: "", title: "", width: 16, height: 16)
            key.rectangle(x: 0, y: 2, width: 16, height: 12, class: kind.className)
            if kind.isHatched {
                for x in [2, 7] {
                    key.line(x1: x, y1: 14, x2: x + 6, y2: 2, class: "hatch")
                }
            }
            return Figure.Key(kind.name, key)
        }
            + marks.map { kind in
                var key = Drawing(id: "", title: "", width: 16, height: 16)
                kind.draw(in: &key, x: 8, y: 8, title: nil)
                return Figure.Key(kind.name, key)
            } + dotKeys + (owed.isEmpty || sketch.prices.isEmpty ? [] : [owedKey]) + [nowKey]
            + (sketch.ahead == nil ? [] : [aheadKey]) + itemKeys
    }

    /// How large a dot is that stands for several.
    static let heap = 5

    /// What dots mean, where there are any.
    private var dotKeys: [Figure.Key] {
        typealias Words = ConsoleWords.Subscription
        func key(_ text: String, _ kinds: [String], radius: Int) -> Figure.Key {
            var key = Drawing(id: "", title: "", width: 16, height: 16)
            for (place, kind) in kinds.enumerated() {
                let x = kinds.count == 1 ? 8 : 5 + 6 * place
                key.circle(x: x, y: 8, radius: radius, class: kind)
            }
            return Figure.Key(text, key)
        }
        let lanes = [
            (sketch.charges, Words.chargeKey, "paid"), (sketch.notices, Words.noticeKey, "trial"),
        ].filter { !$0.0.isEmpty }
        let heaps = lanes.filter { moments, _, _ in
            [Self.wide, Self.narrow].contains { width in
                dots(moments, scale(width: width)).contains { $0.count > 1 }
            }
        }
        return lanes.map { key($0.1, [$0.2], radius: 3) }
            + (heaps.isEmpty
                ? [] : [key(Words.heapKey, heaps.map(\.2), radius: heaps.count == 1 ? 5 : 4)])
    }

    private var owedKey: Figure.Key {
        var key = Drawing(id: "", title: "", width: 16, height: 16)
        key.rectangle(x: 0, y: 2, width: 16, height: 12, class: "lane-b")
        key.lines(Self.hatches(from: 0, to: 16, y: 2, height: 12), class: "hatch")
        return Figure.Key(ConsoleWords.Subscription.owedKey, key)
    }

    private var nowKey: Figure.Key {
        var key = Drawing(id: "", title: "", width: 16, height: 16)
        key.line(x1: 8, y1: 0, x2: 8, y2: 16, class: "now")
        return Figure.Key(Mark.Kind.now.name, key)
    }

    private var aheadKey: Figure.Key {
        var key = Drawing(id: "", title: "", width: 16, height: 16)
        key.rectangle(x: 1, y: 2, width: 14, height: 12, class: "ahead")
        return Figure.Key(ConsoleWords.Subscription.aheadKey, key)
    }
}

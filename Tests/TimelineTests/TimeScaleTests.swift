import SubscriptionRules
import Testing

@testable import Timeline

@Suite("Places of moments")
struct TimeScaleTests {
    private static let start = Lives.moment("2026-01-01")
    private static let end = Lives.moment("2030-01-01")
    private static let gap = Lives.moment("2026-06-01")..<Lives.moment("2029-06-01")

    private static let scales: [TimeScale] = [1, 7, 100, 290, 1030].flatMap { width in
        [
            TimeScale(from: start, to: end, quiet: [], width: width),
            TimeScale(from: start, to: end, quiet: [gap], width: width),
            TimeScale(
                from: start, to: end,
                quiet: [
                    start..<Lives.moment("2027-03-01"),
                    Lives.moment("2028-09-01")..<Lives.moment("2033-01-01"),
                ], width: width),
        ]
    }

    @Test(
        "A later moment lies no further left, and the ends lie at the ends",
        arguments:
            scales.indices)
    func monotonic(place: Int) {
        let scale = Self.scales[place]
        let width = [1, 7, 100, 290, 1030][place / 3]
        var last = 0
        for day in -10...1500 {
            let x = scale.place(Self.start + .days(day))
            #expect(x >= last)
            #expect((0...width).contains(x))
            last = x
        }
        #expect(scale.place(Self.start) == 0)
        #expect(scale.place(Self.end) == width)
        #expect(scale.place(Self.end + .days(9999)) == width)
        #expect(scale.place(Self.start + .days(-9999)) == 0)
    }

    @Test(
        "Pieces follow each other without gaps, in time and on the drawing",
        arguments:
            scales.indices)
    func pieces(place: Int) {
        let scale = Self.scales[place]
        #expect(scale.pieces.first?.start == Self.start)
        #expect(scale.pieces.last?.end == Self.end)
        #expect(scale.pieces.first?.places.lowerBound == 0)
        for (one, next) in zip(scale.pieces, scale.pieces.dropFirst()) {
            #expect(one.end == next.start)
            #expect(one.places.upperBound == next.places.lowerBound)
        }
    }

    @Test("A long stretch in which nothing happens takes a twentieth, a short one its share")
    func shortened() {
        let scale = TimeScale(from: Self.start, to: Self.end, quiet: [Self.gap], width: 1000)
        #expect(scale.pieces.map(\.isShortened) == [false, true, false])
        #expect(scale.pieces[1].places.count == 50)
        let short = Lives.moment("2026-06-01")..<Lives.moment("2026-09-01")
        let plain = TimeScale(from: Self.start, to: Self.end, quiet: [short], width: 1000)
        #expect(plain.pieces.map(\.isShortened) == [false])
        // What is not shortened is drawn evenly.
        let shares = scale.pieces.filter { !$0.isShortened }.map { piece in
            Double(piece.places.count) / Double(piece.end.since(piece.start).milliseconds)
        }
        #expect(abs(shares[0] / shares[1] - 1) < 0.02)
    }

    @Test("A life without length and one that is quiet throughout have their places too")
    func narrow() {
        let none = TimeScale(from: Self.start, to: Self.start, quiet: [], width: 100)
        #expect(none.place(Self.start) == 0)
        #expect(none.place(Self.end) == 0)
        let quiet = TimeScale(
            from: Self.start, to: Self.end, quiet: [Self.start..<Self.end], width: 100)
        #expect(quiet.place(Self.start) == 0)
        #expect((0...100).contains(quiet.place(Self.end)))
    }

    @Test("Labels stand in order where there is room, and never in what was shortened")
    func ticks() {
        let scale = TimeScale(from: Self.start, to: Self.end, quiet: [Self.gap], width: 1000)
        let ticks = scale.ticks(room: 7)
        #expect(!ticks.isEmpty)
        let places = ticks.map(\.place)
        #expect(places == places.sorted())
        for place in places {
            #expect(!scale.pieces[1].places.dropFirst().contains(place), "\(place)")
        }
        #expect(
            TimeScale(from: Self.start, to: Self.end, quiet: [], width: 20).ticks(room: 7).isEmpty)
    }
}

package import SubscriptionRules

/// Which place of a drawing stands for which moment. Long stretches in which nothing happens are
/// shortened, so that what lies around them can be read.
package struct TimeScale: Sendable {
    /// A piece of time that is drawn evenly.
    package struct Piece: Hashable, Sendable {
        package let start: Instant
        package let end: Instant
        /// Whether it is drawn shorter than the rest.
        package let isShortened: Bool
        /// The places of its ends.
        package let places: Range<Int>
    }

    /// All of them, in order and without gaps.
    package let pieces: [Piece]

    /// A piece is worth shortening that takes so large a part of the whole.
    private static let longestShare: Int64 = 4
    /// What part of the width a shortened one has.
    private static let shortenedShare = 20

    /// - Parameters:
    ///   - quiet: stretches in which nothing happens, in order, none touching another.
    ///   - width: how many places there are.
    package init(
        from start: Instant, to end: Instant, quiet: [Range<Instant>], width: Int
    ) {
        let whole = end.since(start).milliseconds
        let short = quiet.map { $0.clamped(to: start..<max(start, end)) }.filter {
            $0.upperBound.since($0.lowerBound).milliseconds * Self.longestShare > whole
        }
        var cuts: [(range: Range<Instant>, isShortened: Bool)] = []
        var place = start
        for range in short {
            if place < range.lowerBound { cuts.append((place..<range.lowerBound, false)) }
            cuts.append((range, true))
            place = range.upperBound
        }
        if place < end { cuts.append((place..<end, false)) }
        let plain = cuts.filter { !$0.isShortened }
            .reduce(0) { $0 + $1.range.upperBound.since($1.range.lowerBound).milliseconds }
        let room = width - short.count * (width / Self.shortenedShare)
        var pieces: [Piece] = []
        var (from, gone) = (0, Int64(0))
        var shortened = 0
        for cut in cuts {
            if cut.isShortened {
                shortened += 1
            } else {
                gone += cut.range.upperBound.since(cut.range.lowerBound).milliseconds
            }
            // Rounded from the beginning each time, so that no error adds up.
            let to =
                (plain > 0 ? Int(gone * Int64(room) / plain) : 0)
                + shortened * (width / Self.shortenedShare)
            pieces.append(
                Piece(
                    start: cut.range.lowerBound, end: cut.range.upperBound,
                    isShortened: cut.isShortened, places: from..<max(from, to)))
            from = max(from, to)
        }
        self.pieces = pieces
    }

    /// Where a moment lies; the ends take what lies outside.
    package func place(_ moment: Instant) -> Int {
        guard let piece = pieces.last(where: { $0.start <= moment }) ?? pieces.first else {
            return 0
        }
        let length = piece.end.since(piece.start).milliseconds
        let gone = min(max(moment.since(piece.start).milliseconds, 0), length)
        return piece.places.lowerBound
            + (length > 0 ? Int(gone * Int64(piece.places.count) / length) : 0)
    }

    /// Round moments with their labels, where there is room for them: of the pieces that are not
    /// shortened.
    ///
    /// - Parameter room: how many places a character takes.
    package func ticks(room: Int) -> [(place: Int, label: String)] {
        pieces.filter { !$0.isShortened && $0.places.count > room * 4 }.flatMap { piece in
            Ruler(start: piece.start, end: piece.end, width: piece.places.count / room)
                .labelledMoments.map { (place($0.at), $0.label) }
        }
    }
}

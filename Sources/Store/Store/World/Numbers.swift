import Storage

/// The numbers that a change gives out to whatever it makes.
///
/// Who changes the same thing later gets higher ones, so that what happened to a customer is in
/// the order of its numbers, and whoever asks for what came after one of them misses nothing:
/// numbers are drawn once everything is locked that the change is about (0025).
struct Numbers {
    /// How many PostgreSQL's sequence hands out at a time.
    static let block: Int64 = 64
    /// How many of them are drawn at once at most.
    private static let mostBlocks = 64

    private var drawn: Range<Int64>
    private var later: [Range<Int64>] = []
    private var blocks = 1
    /// The first that may be given out; nil while none was drawn.
    private(set) var first: Int64?
    /// The last that was given out; nil while none was.
    private(set) var last: Int64?

    /// What SQLite counts in the world's row, since there is one writer.
    init(from next: Int64) {
        drawn = next..<Int64.max
        first = next
    }

    /// What a sequence hands out in blocks, which nobody waits for.
    ///
    /// - Parameter block: one that was drawn already.
    init(drawn block: Int64?) {
        drawn = block.map { $0..<$0 + Self.block } ?? 0..<0
        first = block
    }

    /// The one that is given out next.
    mutating func coming(in session: any Session) throws -> Int64 {
        if drawn.isEmpty {
            if later.isEmpty {
                later = try World.drawNumbers(blocks, in: session)
                blocks = min(2 * blocks, Self.mostBlocks)
            }
            drawn = later.removeFirst()
            first = first ?? drawn.lowerBound
        }
        return drawn.lowerBound
    }

    /// Gives one out.
    mutating func next(in session: any Session) throws -> Int64 {
        let number = try coming(in: session)
        drawn = number + 1..<drawn.upperBound
        last = number
        return number
    }
}

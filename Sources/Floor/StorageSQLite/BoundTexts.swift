internal import Storage

/// The texts that the parameters of a statement are bound to, one behind the other in memory that
/// is kept from run to run: SQLite reads them where they are instead of copying each into memory
/// of its own, and Swift's own have no address outside of a closure.
struct BoundTexts {
    // Empty text needs an address too: a null one would bind NULL.
    private var memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 256)
    private var used = 0

    // What a single large text needed is not kept for ever.
    private static let mostKept = 65_536

    /// Forgets the texts of the run before, and makes room for all of the next one: none moves
    /// while they are bound.
    mutating func makeRoom(for binds: [SQLValue]) {
        var needed = 0
        for case .text(let text) in binds { needed += text.utf8.count }
        used = 0
        guard needed > memory.count || memory.count > Self.mostKept else { return }
        memory.deallocate()
        memory = .allocate(capacity: max(needed, 256))
    }

    /// Adds a text, for which there is room.
    ///
    /// - Returns: where it is until there is made room for others.
    mutating func append(_ text: String) -> UnsafeBufferPointer<CChar> {
        let place = UnsafeMutableBufferPointer(rebasing: memory[used...])
        var text = text
        let count = text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { place.update(fromContentsOf: $0) }
        }
        used += count
        return UnsafeBufferPointer(rebasing: place[..<count])
    }

    /// Gives the memory back, once no statement is bound to it.
    func deallocate() { memory.deallocate() }
}

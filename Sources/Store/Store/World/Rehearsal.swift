public import Journal

/// What a command would do, found out by doing it and taking it back before anything is kept: by
/// the same rules and with the same refusals, at the same moment.
enum Rehearsal {
    /// Whether what is changed in this task is taken back.
    @TaskLocal static var isUnderWay = false
}

/// A change came to its end and is taken back.
struct Rehearsed: Error {
    let entries: [TimelineEntry]
}

extension Store {
    /// Finds out what a command would do, without doing it. What is due for the customer by then
    /// is part of it.
    ///
    /// - Parameter command: one that changes the store once.
    /// - Returns: what would stand in the journal.
    /// - Throws: what the command throws.
    public static func rehearsing(
        _ command: () async throws -> Void
    ) async throws -> [TimelineEntry] {
        do {
            try await Rehearsal.$isUnderWay.withValue(true) { try await command() }
            return []
        } catch let rehearsed as Rehearsed {
            return rehearsed.entries
        }
    }
}

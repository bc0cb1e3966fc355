/// Copies of a whole database that are kept beside it, each under a name.
///
/// A copy is what the database held at one moment, while others go on reading and writing. It is
/// there once it is complete: one that fails, or whose process dies, leaves nothing that is listed.
public protocol DatabaseCopies: Sendable {
    /// Makes a copy.
    ///
    /// - Parameters:
    ///   - progress: is told how far it is, now and then, on some thread.
    ///   - prepare: changes the copy before anybody sees it; what it throws is rethrown, and then
    ///     there is no copy.
    /// - Throws: `StorageError` with `uniqueViolation` where there is one of that name.
    func make(
        _ place: CopyPlace, progress: @escaping @Sendable (CopyProgress) -> Void,
        preparing prepare: @escaping @Sendable (any Session) throws -> Void
    ) async throws

    /// The copies of a kind, in the order of their names.
    func all(_ kind: CopyPlace.Kind) async throws -> [StoredCopy]

    /// Runs queries on a copy.
    ///
    /// - Throws: `StorageError` with `other` where there is none of that name.
    func read<T: Sendable>(
        _ place: CopyPlace, _ body: @escaping @Sendable (any Session) throws -> T
    ) async throws -> T

    /// Opens a copy as a database of its own, which the caller closes.
    ///
    /// - Throws: `StorageError` with `other` where there is none of that name.
    func open(_ place: CopyPlace) async throws -> any Database

    /// Removes a copy that nobody has open.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func remove(_ place: CopyPlace) async throws -> Bool

    /// Puts a copy in the database's place, all of it or nothing, also if the process is killed on
    /// the way. Whoever writes waits meanwhile, as long as `DatabaseLimits` allow; the copy stays.
    ///
    /// - Parameters:
    ///   - keep: reads what is to be kept of the database, once nobody writes any more.
    ///   - prepare: changes what comes in its place before anybody sees it.
    /// - Throws: `StorageError`; with `busy` where somebody else holds the database for too long.
    func putBack<Kept: Sendable>(
        _ place: CopyPlace, progress: @escaping @Sendable (CopyProgress) -> Void,
        keeping keep: @escaping @Sendable (any Session) throws -> Kept,
        preparing prepare: @escaping @Sendable (Kept, any Session) throws -> Void
    ) async throws
}

/// Under which name a copy is kept.
public struct CopyPlace: Hashable, Sendable {
    /// What it is for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// To come back to.
        case snapshot
        /// To be changed itself.
        case fork
    }

    /// What it is for.
    public let kind: Kind
    /// A letter and then letters, digits and hyphens, all lower case, 32 at most: it becomes part
    /// of a file's name and of a schema's.
    public let name: String

    /// Nil for a text that is no name.
    public init?(_ kind: Kind, _ name: String) {
        guard Self.isName(name) else { return nil }
        self.kind = kind
        self.name = name
    }

    /// Whether a text is a name.
    public static func isName(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
        guard let first = text.utf8.first, isLetter(first), text.utf8.count <= longestName else {
            return false
        }
        return text.utf8.allSatisfy { isLetter($0) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D }
    }

    /// How many characters a name has at most.
    public static let longestName = 32
}

/// A copy that there is.
public struct StoredCopy: Hashable, Sendable {
    /// Where it is.
    public let place: CopyPlace
    /// What it takes up, in bytes.
    public let size: Int64

    /// Names a copy.
    public init(place: CopyPlace, size: Int64) {
        self.place = place
        self.size = size
    }
}

/// How far a copy is.
public struct CopyProgress: Hashable, Sendable {
    /// In bytes.
    public let done: Int64
    /// In bytes; an estimate.
    public let total: Int64

    /// A reading.
    public init(done: Int64, total: Int64) {
        self.done = done
        self.total = total
    }
}

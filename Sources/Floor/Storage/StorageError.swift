/// Why a database refused or failed; it never carries bind values, which may be secret.
public struct StorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure that a caller may tell apart, alike on both databases.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A unique or primary key already has this value.
        case uniqueViolation
        /// A row that is referred to does not exist, or one that is referred to was removed.
        case foreignKeyViolation
        /// A CHECK constraint refused the row.
        case checkViolation
        /// A column that must have a value got NULL.
        case notNullViolation
        /// Concurrent transactions could not be put in an order, after all retries.
        case serializationFailure
        /// A lock was held, a statement ran, or others were before it for too long.
        case busy
        /// There is no room left for the data.
        case diskFull
        /// A change was tried in a read, or the database cannot be written.
        case readOnly
        /// The file or page is not a sound database.
        case corrupt
        /// The database cannot be reached or was closed; a COMMIT's outcome may be unknown.
        case connectionLost
        /// The statement does not fit the schema, its binds, or the types that are supported.
        case invalidStatement
        /// A number that was computed does not fit into 64 bits.
        case overflow
        /// The database was migrated by a later build than this.
        case newerSchema
        /// Anything else; the message says what.
        case other
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, in the database's words.
    public let message: String
    /// The violated constraint: its name on PostgreSQL and for SQLite's CHECK, else SQLite's
    /// `table.column` list.
    public let constraint: String?
    /// The text of the statement, without bind values.
    public let statement: String?

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, constraint: String? = nil, statement: String? = nil
    ) {
        self.code = code
        self.message = message
        self.constraint = constraint
        self.statement = statement
    }

    /// Code, message and statement for a log.
    public var description: String {
        let place = statement.map { " in: \($0)" } ?? ""
        return "\(code.rawValue): \(message)\(place)"
    }
}

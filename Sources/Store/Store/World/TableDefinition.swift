import Storage

/// A table and its indexes, in one text for both databases.
struct TableDefinition: Sendable {
    private let name: String
    private let columns: String
    private let indexes: [String]

    /// - Parameters:
    ///   - columns: the columns and constraints as SQL. `KEY64` is the type of an integer that is
    ///     the primary key, `INT64` that of every other integer.
    ///   - indexes: the statements that make them.
    init(_ name: String, _ columns: String, indexes: [String] = []) {
        self.name = name
        self.columns = columns
        self.indexes = indexes
    }

    /// The statements that make it.
    func statements(_ dialect: Dialect) -> [String] {
        let columns =
            columns
            .replacing("KEY64", with: dialect.integerKey)
            .replacing("INT64", with: dialect.integer)
        return ["CREATE TABLE \(name) (\n\(columns)\n)\(dialect.tableOptions)"] + indexes
    }

    /// A condition that a sweep checks for each row that it writes: for a list of three or more
    /// SQLite would fill a table of its own each time.
    static func isOneOf(_ column: String, _ values: [String]) -> String {
        values.map { "\(column) = '\($0)'" }.joined(separator: " OR ")
    }
}

public import AppStoreWire

/// What columns of a row became, as the journal says it: whoever applies it to the row before has
/// the row after.
public struct ColumnChanges: Sendable, Hashable {
    /// What stands in a column.
    public enum Value: Sendable, Hashable {
        /// A whole number.
        case integer(Int64)
        /// A text.
        case text(String)
        /// Nothing any more.
        case null
    }

    /// A column and what it became.
    public struct Column: Sendable, Hashable {
        /// The column's name in the database.
        public var name: String
        /// What stands there now.
        public var value: Value

        /// Makes a column with its value.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// In the order in which they are written. Texts keep no order among the columns that have
    /// values: read from one, these are sorted, and those that became empty follow.
    public var columns: [Column]

    /// Makes changes of columns, be it of none.
    public init(_ columns: [Column] = []) { self.columns = columns }
}

/// What became of a transaction.
public struct TransactionChanges: Sendable, Hashable {
    /// The transaction.
    public var id: Int64
    /// What its columns became.
    public var changes: ColumnChanges

    /// Makes the changes of a transaction.
    public init(id: Int64, _ changes: ColumnChanges) {
        self.id = id
        self.changes = changes
    }
}

extension ColumnChanges {
    /// The values that columns have now: what is written under `changed`.
    private struct Values: WireEncodable {
        let columns: [Column]

        func encode(to json: inout JSONWriter) {
            json.object { json in
                for column in columns {
                    switch column.value {
                    case .integer(let number): json.field(named: column.name, number)
                    case .text(let text): json.field(named: column.name, text)
                    case .null: break
                    }
                }
            }
        }
    }

    /// Writes the values under `changed`, and the names of those that became empty under
    /// `cleared`.
    func write(to json: inout JSONWriter) {
        let cleared = columns.filter { $0.value == .null }.map(\.name)
        json.field(.changed, Values(columns: columns))
        json.field(.cleared, cleared.isEmpty ? nil : cleared)
    }

    /// Reads what was written; nil where no change is told.
    init?(_ json: JSONValue) {
        guard let changed = json[.changed]?.object else { return nil }
        columns = changed.sorted { $0.key < $1.key }.compactMap { name, value in
            if let number = value.integer { return Column(name, .integer(number)) }
            return value.string.map { Column(name, .text($0)) }
        }
        columns += json.names(.cleared).map { Column($0, .null) }
    }
}

extension TransactionChanges: WireEncodable {
    /// Writes it as an element of the journal's list.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field(.id, id)
            changes.write(to: &json)
        }
    }

    /// Reads an element of the list; nil where no transaction is named.
    init?(_ json: JSONValue) {
        guard let id = json[.id]?.integer else { return nil }
        self.init(id: id, ColumnChanges(json) ?? ColumnChanges())
    }
}

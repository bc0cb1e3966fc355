import Storage
import SubscriptionRules

/// A row of a table being read. Whatever is in it that this store cannot have written is an error,
/// `corrupt`, that names the table, the row and the column: storage rots, and what it did to one
/// row is no reason to stop for all others.
struct StoredRow {
    private let row: Row
    private let table: String
    /// The SELECT list that the row was read with, from `first` on.
    private let columns: String
    private let first: Int

    /// - Parameters:
    ///   - table: the table's name, for errors.
    ///   - columns: the names in the order in which they are read; the first one names the row.
    init(_ row: Row, of table: String, _ columns: String, first: Int = 0) {
        self.row = row
        self.table = table
        self.columns = columns
        self.first = first
    }

    // MARK: Plain values

    func text(_ index: Int) throws(StorageError) -> String {
        try named(index) { () throws(StorageError) in try row.text(first + index) }
    }

    func textOrNil(_ index: Int) throws(StorageError) -> String? {
        isNull(index) ? nil : try text(index)
    }

    func bool(_ index: Int) throws(StorageError) -> Bool {
        try named(index) { () throws(StorageError) in try row.bool(first + index) }
    }

    func isNull(_ index: Int) -> Bool { row.isNull(first + index) }

    /// An integer within bounds.
    func integer(
        _ index: Int, in bounds: ClosedRange<Int64>
    ) throws(StorageError) -> Int64 {
        let value = try named(index) { () throws(StorageError) in
            try row.integer(first + index)
        }
        guard bounds.contains(value) else { throw impossible(index, "\(value)") }
        return value
    }

    func integerOrNil(
        _ index: Int, in bounds: ClosedRange<Int64>
    ) throws(StorageError) -> Int64? {
        isNull(index) ? nil : try integer(index, in: bounds)
    }

    // MARK: What columns mean

    /// A number that names a row.
    func identifier(_ index: Int) throws(StorageError) -> Int64 {
        try integer(index, in: 1...Stored.largestNumber)
    }

    func identifierOrNil(_ index: Int) throws(StorageError) -> Int64? {
        isNull(index) ? nil : try identifier(index)
    }

    /// How many of something there are; 0 or more.
    func count(_ index: Int) throws(StorageError) -> Int {
        Int(try integer(index, in: 0...Int64(Int32.max)))
    }

    func countOrNil(_ index: Int) throws(StorageError) -> Int? {
        isNull(index) ? nil : try count(index)
    }

    /// A price, in milliunits.
    func amount(_ index: Int) throws(StorageError) -> Int64 {
        try integer(index, in: 0...Stored.largestAmount)
    }

    func amountOrNil(_ index: Int) throws(StorageError) -> Int64? {
        isNull(index) ? nil : try amount(index)
    }

    func instant(_ index: Int) throws(StorageError) -> Instant {
        Instant(milliseconds: try integer(index, in: Instant.storable))
    }

    func instantOrNil(_ index: Int) throws(StorageError) -> Instant? {
        isNull(index) ? nil : try instant(index)
    }

    /// A length of time, not negative.
    func span(_ index: Int) throws(StorageError) -> Span {
        Span(milliseconds: try integer(index, in: 0...Instant.storable.upperBound))
    }

    // MARK: Values with few members

    func value<Value: RawRepresentable>(
        _ index: Int, as type: Value.Type = Value.self
    ) throws(StorageError) -> Value where Value.RawValue == String {
        try parsed(index, Value.init(rawValue:))
    }

    func value<Value: RawRepresentable>(
        _ index: Int, as type: Value.Type = Value.self
    ) throws(StorageError) -> Value where Value.RawValue == Int64 {
        let number = try integer(index, in: .min ... .max)
        guard let value = Value(rawValue: number) else { throw impossible(index, "\(number)") }
        return value
    }

    func value<Value: RawRepresentable>(
        _ index: Int, as type: Value.Type = Value.self
    ) throws(StorageError) -> Value where Value.RawValue == Int {
        let number = try integer(index, in: .min ... .max)
        guard let value = Value(rawValue: Int(number)) else {
            throw impossible(index, "\(number)")
        }
        return value
    }

    /// A text that stands for something: nil from `parse` is an error.
    func parsed<Value>(
        _ index: Int, _ parse: (String) -> Value?
    ) throws(StorageError) -> Value {
        guard let value = parse(try text(index)) else { throw impossible(index, "a text") }
        return value
    }

    func parsedOrNil<Value>(
        _ index: Int, _ parse: (String) -> Value?
    ) throws(StorageError) -> Value? {
        isNull(index) ? nil : try parsed(index, parse)
    }

    /// A text that holds a value of its own, whose reader says what is wrong.
    func decoded<Value>(
        _ index: Int, _ decode: (String) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        let text = try text(index)
        return try named(index) { () throws(StorageError) in try decode(text) }
    }

    func decodedOrNil<Value>(
        _ index: Int, _ decode: (String) throws(StorageError) -> Value
    ) throws(StorageError) -> Value? {
        isNull(index) ? nil : try decoded(index, decode)
    }

    // MARK: Errors

    /// What is said of a column whose value cannot be; the value itself only where it is a number.
    func impossible(_ index: Int, _ value: String) -> StorageError {
        StorageError(.corrupt, "\(place), column \(name(index)): \(value) is impossible there")
    }

    /// What is said of a row whose columns contradict each other.
    func contradiction(_ what: String) -> StorageError {
        StorageError(.corrupt, "\(place): \(what)")
    }

    private var place: String {
        guard case .integer(let id) = row.values[first] else { return "a row of \(table)" }
        return "\(table) \(id)"
    }

    private func named<Value>(
        _ index: Int, _ read: () throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        do {
            return try read()
        } catch {
            throw StorageError(.corrupt, "\(place), column \(name(index)): \(error.message)")
        }
    }

    /// Only an error asks for it, so the list is taken apart each time.
    private func name(_ index: Int) -> String {
        let names = columns.split { $0 == "," || $0.isWhitespace }
        guard names.indices.contains(index) else { return String(first + index) }
        return String(names[index].split(separator: ".").last ?? names[index])
    }
}

/// The bounds of what the store keeps: wide enough for whatever it can have written, and narrow
/// enough that no arithmetic of the rules overflows.
enum Stored {
    /// In milliunits: a merchant's bundle of a hundred items, each at the largest price.
    static let largestAmount: Int64 = 100_000_000_000_000
    static let largestNumber: Int64 = 1_000_000_000_000_000_000

    /// The error for a row that another one needs and that is not there.
    static func missing(_ what: String, for whom: String) -> StorageError {
        StorageError(.corrupt, "\(whom): \(what) is missing")
    }
}

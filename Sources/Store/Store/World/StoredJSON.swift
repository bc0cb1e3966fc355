import AppStoreWire
import Storage
import SubscriptionRules

/// A JSON object that the store wrote itself: what is missing in it, or impossible, was damaged
/// since, and is an error that does not quote the text.
struct StoredJSON {
    private let value: JSONValue

    init(_ text: String) throws(StorageError) {
        guard let value = try? JSONValue(parsing: Array(text.utf8)), value.object != nil else {
            throw StorageError(.corrupt, "the text is no JSON object")
        }
        self.value = value
    }

    private init(value: JSONValue) { self.value = value }

    func string(_ key: String) throws(StorageError) -> String {
        guard let text = value[key]?.string else { throw lacks(key) }
        return text
    }

    func stringOrNil(_ key: String) -> String? { value[key]?.string }

    func integer(_ key: String) throws(StorageError) -> Int64 {
        guard let number = integerOrNil(key) else { throw lacks(key) }
        return number
    }

    func integerOrNil(_ key: String) -> Int64? { value[key]?.integer }

    /// How many of something there are; 0 or more.
    func count(_ key: String) throws(StorageError) -> Int {
        let number = try integer(key)
        guard (0...Int64(Int32.max)).contains(number) else { throw impossible(key) }
        return Int(number)
    }

    /// A price, in milliunits.
    func amount(_ key: String) throws(StorageError) -> Int64 {
        let number = try integer(key)
        guard (0...Stored.largestAmount).contains(number) else { throw impossible(key) }
        return number
    }

    func amountOrNil(_ key: String) throws(StorageError) -> Int64? {
        value[key] == nil ? nil : try amount(key)
    }

    func countOrNil(_ key: String) throws(StorageError) -> Int? {
        value[key] == nil ? nil : try count(key)
    }

    /// All members, each a price in milliunits.
    func amounts() throws(StorageError) -> [String: Int64] {
        var amounts: [String: Int64] = [:]
        for key in (value.object ?? [:]).keys { amounts[key] = try amount(key) }
        return amounts
    }

    func instant(_ key: String) throws(StorageError) -> Instant {
        let milliseconds = try integer(key)
        guard Instant.storable.contains(milliseconds) else { throw impossible(key) }
        return Instant(milliseconds: milliseconds)
    }

    func instantOrNil(_ key: String) throws(StorageError) -> Instant? {
        value[key] == nil ? nil : try instant(key)
    }

    /// A text that stands for something: nil from `parse` is an error.
    func parsed<Value>(
        _ key: String, _ parse: (String) -> Value?
    ) throws(StorageError) -> Value {
        guard let value = parse(try string(key)) else { throw impossible(key) }
        return value
    }

    func objectOrNil(_ key: String) throws(StorageError) -> StoredJSON? {
        value[key] == nil ? nil : try object(key)
    }

    func object(_ key: String) throws(StorageError) -> StoredJSON {
        guard let member = value[key] else { throw lacks(key) }
        return StoredJSON(value: member)
    }

    func has(_ key: String) -> Bool { value[key] != nil }
    func bool(_ key: String) -> Bool { value[key]?.bool ?? false }

    func objects(_ key: String) -> [StoredJSON] {
        (value[key]?.array ?? []).map(StoredJSON.init(value:))
    }

    func strings(_ key: String) -> [String] { (value[key]?.array ?? []).compactMap(\.string) }

    func impossible(_ key: String) -> StorageError {
        StorageError(.corrupt, "\(key) is impossible in the JSON text")
    }

    private func lacks(_ key: String) -> StorageError {
        StorageError(.corrupt, "the JSON text lacks \(key)")
    }
}

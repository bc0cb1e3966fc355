public import Storage
public import SubscriptionRules

/// A moment is stored as its milliseconds.
extension Instant: SQLConvertible {
    public var sqlValue: SQLValue { .integer(milliseconds) }
}

extension Row {
    /// Throws `corrupt` for what no stored moment can be.
    func instant(_ index: Int) throws(StorageError) -> Instant {
        let milliseconds = try integer(index)
        guard Stored.moments.contains(milliseconds) else {
            throw StorageError(.corrupt, "column \(index) holds no moment: \(milliseconds)")
        }
        return Instant(milliseconds: milliseconds)
    }

    func instantOrNil(_ index: Int) throws(StorageError) -> Instant? {
        isNull(index) ? nil : try instant(index)
    }
}

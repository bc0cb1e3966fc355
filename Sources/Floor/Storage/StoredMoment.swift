public import SubscriptionRules

/// A moment is stored as its milliseconds.
extension Instant: SQLConvertible {
    public var sqlValue: SQLValue { .integer(milliseconds) }

    /// What a stored one can be, in milliseconds: from 1970 to 2200, since what begins before the
    /// clock's end may end long after it.
    package static let storable: ClosedRange<Int64> = 0...7_258_118_400_000
}

extension Row {
    /// Throws `corrupt` for what no stored moment can be.
    package func instant(_ index: Int) throws(StorageError) -> Instant {
        let milliseconds = try integer(index)
        guard Instant.storable.contains(milliseconds) else {
            throw StorageError(.corrupt, "column \(index) holds no moment: \(milliseconds)")
        }
        return Instant(milliseconds: milliseconds)
    }

    package func instantOrNil(_ index: Int) throws(StorageError) -> Instant? {
        isNull(index) ? nil : try instant(index)
    }
}

public import Storage
public import SubscriptionRules

/// A moment is stored as its milliseconds.
extension Instant: SQLConvertible {
    public var sqlValue: SQLValue { .integer(milliseconds) }
}

extension Row {
    func instant(_ index: Int) -> Instant { Instant(milliseconds: integer(index)) }

    func instantOrNil(_ index: Int) -> Instant? {
        integerOrNil(index).map(Instant.init(milliseconds:))
    }
}

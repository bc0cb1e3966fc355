public import Storage
public import SubscriptionRules

extension Instant: SQLConvertible {
    public var sqlValue: SQLValue { .integer(milliseconds) }
}

extension Row {
    func instant(_ index: Int) -> Instant { Instant(milliseconds: integer(index)) }

    func instantOrNil(_ index: Int) -> Instant? {
        integerOrNil(index).map(Instant.init(milliseconds:))
    }
}

public import SubscriptionRules

/// Something that happened, as the journal keeps it and everybody reads it.
///
/// What is in `detail` can be asked of the event itself: `event.declined`.
@dynamicMemberLookup
public struct JournalEvent: Sendable, Hashable {
    /// The name that is stored: that of its kind, or one that only a later version knows.
    public var name: String
    /// When it happened.
    public var at: Instant
    /// The transaction that it made or concerns.
    public var transactionID: Int64?
    /// What was charged, in milliunits; what was given back is in `detail`.
    public var amount: Int64?
    /// What else belongs to it.
    public var detail: JournalDetail

    /// Makes an event by its name, be it known or not.
    public init(
        named name: String, at moment: Instant, transactionID: Int64? = nil, amount: Int64? = nil,
        detail: JournalDetail = JournalDetail()
    ) {
        self.name = name
        at = moment
        self.transactionID = transactionID
        self.amount = amount
        self.detail = detail
    }

    /// Makes an event of a kind at a moment.
    public init(_ kind: Kind, at moment: Instant) {
        self.init(named: kind.rawValue, at: moment)
    }

    /// What kind of event it is; nil for one of a later version, of which only the name tells.
    public var kind: Kind? { Kind(rawValue: name) }

    /// What else belongs to it, member by member.
    public subscript<Value>(dynamicMember path: WritableKeyPath<JournalDetail, Value>) -> Value {
        get { detail[keyPath: path] }
        set { detail[keyPath: path] = newValue }
    }
}

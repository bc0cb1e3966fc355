public import AppStoreWire
public import SubscriptionRules

/// One entry of a subscription's life: what `/connect` tells and a timeline is drawn from.
///
/// What the event says can be asked of the entry itself: `entry.declined`.
@dynamicMemberLookup
public struct TimelineEntry: Sendable, Hashable {
    /// Its place in the journal.
    public var sequence: Int64
    /// What happened.
    public var event: JournalEvent
    /// What a reversal took again of what was given back, in milliunits: the journal has it with
    /// the refund before it.
    public var takenAgain: Int64?
    /// Whether it gave back what was left of the transaction: no other refund can be reversed.
    public var isTransactionRevoked: Bool
    /// What became of the items of a merchant's plan: what the event changed of the rows, said
    /// item by item.
    public var items: [Alteration]
    /// Of a merchant's subscription, whether it stands revoked after a refund or a reversal: that
    /// may be of any of the transactions that paid for its cycle. Nil for all else.
    public var revoked: Bool?

    /// Makes an entry.
    public init(
        sequence: Int64, _ event: JournalEvent, takenAgain: Int64? = nil,
        isTransactionRevoked: Bool = false, items: [Alteration] = [], revoked: Bool? = nil
    ) {
        self.sequence = sequence
        self.event = event
        self.takenAgain = takenAgain
        self.isTransactionRevoked = isTransactionRevoked
        self.items = items
        self.revoked = revoked
    }

    /// What the event says, member by member.
    public subscript<Value>(dynamicMember path: WritableKeyPath<JournalEvent, Value>) -> Value {
        get { event[keyPath: path] }
        set { event[keyPath: path] = newValue }
    }

    /// What kind of event it is; nil for one of a later version.
    public var kind: JournalEvent.Kind? { event.kind }

    /// The members on `/connect`, in their order.
    public enum Member: String, Sendable, Hashable, CaseIterable {
        case sequence, at, event
        case transactionID = "transactionId"
        case amount, currency
        case productID = "productId"
        case nextProductID = "nextProductId"
        case planChange, until, offerMode, offer, nextOffer
        case commitmentMonth
        case declined, pending
        case billID = "billId"
        case billProductID = "billProductId"
        case refunded, takenAgain, graceUntil, oldPrice, newPrice, newPriceFrom
        case pricedProductID = "pricedProductId"
        case note, notices
        case provoked
        case member
        case transactionRevoked
        case items
        case revoked
    }

    /// A member that is missing in what `/connect` told, or is no such value.
    public struct Missing: Error, Sendable, Hashable {
        /// Which one it is.
        public let member: Member
    }
}

extension TimelineEntry: WireEncodable {
    /// Writes the entry as `/connect` tells it.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            for member in Member.allCases { write(member, to: &json) }
        }
    }

    private func write(_ member: Member, to json: inout JSONWriter) {
        switch member {
        case .sequence: json.field(member, sequence)
        case .at: json.field(member, event.at)
        case .event: json.field(member, event.name)
        case .transactionID: json.field(member, event.transactionID.map(String.init))
        case .amount: json.field(member, event.amount)
        case .currency: json.field(member, event.currency)
        case .productID: json.field(member, event.productID)
        case .nextProductID: json.field(member, event.nextProductID)
        case .planChange: json.field(member, event.planChange?.rawValue)
        case .until: json.field(member, event.until)
        case .offerMode: json.field(member, event.offerMode?.rawValue)
        case .offer: json.field(member, event.offer)
        case .nextOffer: json.field(member, event.nextOffer)
        case .commitmentMonth: json.field(member, event.instalment)
        case .declined: json.field(member, event.declined)
        case .pending: json.field(member, event.pending)
        case .billID: json.field(member, event.billID.map(String.init))
        case .billProductID: json.field(member, event.billProductID)
        case .refunded: json.field(member, event.refunded)
        case .takenAgain: json.field(member, takenAgain)
        case .graceUntil: json.field(member, event.graceUntil)
        case .oldPrice: json.field(member, event.oldPrice)
        case .newPrice: json.field(member, event.newPrice)
        case .newPriceFrom: json.field(member, event.newPriceFrom)
        case .pricedProductID: json.field(member, event.pricedProductID)
        case .note: json.field(member, event.note)
        case .notices: json.field(member, event.notices)
        case .provoked: json.field(member, event.provoked)
        case .member: json.field(member, event.member)
        case .transactionRevoked: json.field(member, isTransactionRevoked ? true : nil)
        case .items: json.field(member, items.isEmpty ? nil : items)
        case .revoked: json.field(member, revoked)
        }
    }

    /// Reads an entry as `/connect` tells it, be it of a later version: what is not known there
    /// is passed over.
    ///
    /// - Throws: `Missing` without a sequence, a moment or a name.
    public init(_ json: JSONValue) throws(Missing) {
        let told = Told(json: json)
        guard let sequence = told.integer(.sequence) else { throw Missing(member: .sequence) }
        guard let at = told.moment(.at) else { throw Missing(member: .at) }
        guard let name = told.text(.event) else { throw Missing(member: .event) }
        self.init(
            sequence: sequence,
            JournalEvent(
                named: name, at: at, transactionID: told.identifier(.transactionID),
                amount: told.integer(.amount), detail: told.detail),
            takenAgain: told.integer(.takenAgain),
            isTransactionRevoked: json[Member.transactionRevoked.rawValue]?.bool ?? false,
            items: (json[Member.items.rawValue]?.array ?? []).compactMap(Alteration.init),
            revoked: json[Member.revoked.rawValue]?.bool)
    }
}

/// An entry as it was told.
private struct Told {
    typealias Member = TimelineEntry.Member

    let json: JSONValue

    func text(_ member: Member) -> String? { json[member.rawValue]?.string }

    func integer(_ member: Member) -> Int64? { json[member.rawValue]?.integer }

    func moment(_ member: Member) -> Instant? { text(member).flatMap { Instant(iso8601: $0) } }

    func identifier(_ member: Member) -> Int64? { text(member).flatMap { Int64($0) } }

    func value<Value: RawRepresentable>(_ member: Member) -> Value?
    where Value.RawValue == String {
        text(member).flatMap(Value.init(rawValue:))
    }

    /// What is told besides.
    var detail: JournalDetail {
        var detail = JournalDetail()
        detail.currency = text(.currency)
        detail.productID = text(.productID)
        detail.nextProductID = text(.nextProductID)
        detail.planChange = value(.planChange)
        detail.until = moment(.until)
        detail.offerMode = value(.offerMode)
        detail.offer = json[Member.offer.rawValue].flatMap { NamedOffer($0) }
        detail.nextOffer = json[Member.nextOffer.rawValue].flatMap { NamedOffer($0) }
        detail.instalment = integer(.commitmentMonth).flatMap(Int.init(exactly:))
        detail.declined = integer(.declined)
        detail.pending = integer(.pending)
        detail.billID = identifier(.billID)
        detail.billProductID = text(.billProductID)
        detail.refunded = integer(.refunded)
        detail.graceUntil = moment(.graceUntil)
        detail.oldPrice = integer(.oldPrice)
        detail.newPrice = integer(.newPrice)
        detail.newPriceFrom = moment(.newPriceFrom)
        detail.pricedProductID = text(.pricedProductID)
        detail.note = text(.note)
        detail.notices = (json[Member.notices.rawValue]?.array ?? []).compactMap(\.string)
        detail.provoked = text(.provoked)
        detail.member = text(.member)
        return detail
    }
}

extension JSONWriter {
    fileprivate mutating func field(
        _ member: TimelineEntry.Member, _ value: (some WireEncodable)?
    ) {
        field(named: member.rawValue, value)
    }

    fileprivate mutating func field(_ member: TimelineEntry.Member, _ moment: Instant?) {
        field(named: member.rawValue, moment?.iso8601)
    }
}

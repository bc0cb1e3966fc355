import AppStoreWire
import SubscriptionRules

extension JournalDetail {
    /// The names in the text, which are stored: none is ever renamed.
    public enum Member: String, Sendable, Hashable, CaseIterable {
        case product, storefront, currency, price, cohortPrice, start, existing, billingPlan
        case until, nextProduct, planChange, offer, takenOffer, nextOffer, instalment
        case declined, pending, bill, billProduct, refunded, asked, note
        case oldPrice, newPrice, newPriceFrom, pricedProduct, graceUntil, notices
        case changed, cleared, transactions, id
        case provoked, answer, state, trouble
        case days, candidates, succeeded, failed
        case preference, percentage, body
        case member
        case devices, name, watermark, restoredAfter, restoredUntil, began

        /// What stands in every text that has the member, for a search in the database.
        public var mark: String { "\"\(rawValue)\"" }
    }

    /// A text that cannot be what was written.
    public struct Unreadable: Error, Sendable, Hashable {
        /// What is wrong with it, without the text itself.
        public let message: String
    }

    /// Milliseconds of moments that can have been written, from 1970 to 2200: what begins before
    /// the clock's end may end long after it.
    public static let moments: ClosedRange<Int64> = 0...7_258_118_400_000

    /// The JSON text that is stored; nil where there is nothing to say. Worlds are compared byte
    /// by byte, so the order of the members stays.
    public var text: String? {
        // Room for nearly all, and below the size (1032) from which memory is much slower to get.
        var json = JSONWriter(capacity: 768)
        json.object { write(to: &$0) }
        return json.bytes.count == 2 ? nil : String(decoding: json.bytes, as: UTF8.self)
    }

    private func write(to json: inout JSONWriter) {
        // What a bank said about a bill alone begins with the bill.
        if word != nil { json.field(.bill, billID) }
        json.field(.product, productID)
        json.field(.storefront, scheduled?.storefront)
        json.field(.currency, currency)
        if let scheduled { write(scheduled, to: &json) }
        json.field(.until, until?.milliseconds)
        json.field(.nextProduct, nextProductID)
        json.field(.planChange, planChange?.rawValue)
        json.field(.offer, offerMode?.rawValue)
        json.field(.takenOffer, offer)
        json.field(.nextOffer, nextOffer)
        json.field(.instalment, instalment)
        json.field(.declined, declined)
        json.field(.pending, pending)
        json.field(.answer, word?.answer.rawValue)
        if word == nil { json.field(.bill, billID) }
        json.field(.billProduct, billProductID)
        json.field(.refunded, refunded)
        json.field(.asked, asked)
        json.field(.state, word?.state.rawValue)
        json.field(.note, note)
        if let massExtension { write(massExtension, to: &json) }
        json.field(.oldPrice, oldPrice)
        json.field(.newPrice, newPrice)
        json.field(.newPriceFrom, newPriceFrom?.milliseconds)
        json.field(.pricedProduct, pricedProductID)
        json.field(.graceUntil, graceUntil?.milliseconds)
        json.field(.notices, notices.isEmpty ? nil : notices)
        changes?.write(to: &json)
        json.field(.transactions, transactions.isEmpty ? nil : transactions)
        json.field(.provoked, provoked)
        json.field(.trouble, trouble)
        json.field(.preference, consumption?.preference)
        json.field(.percentage, consumption?.percentage)
        json.field(.body, consumption?.body)
        json.field(.member, member)
        json.field(.devices, devices.isEmpty ? nil : devices)
    }

    private func write(_ scheduled: Scheduled, to json: inout JSONWriter) {
        json.field(.price, scheduled.price)
        json.field(.cohortPrice, scheduled.cohortPrice)
        json.field(.start, scheduled.start.milliseconds)
        json.field(.existing, scheduled.existing)
        json.field(.billingPlan, scheduled.billingPlan)
    }

    private func write(_ order: MassExtension, to json: inout JSONWriter) {
        json.field(.days, order.days)
        json.field(.candidates, order.candidates)
        json.field(.succeeded, order.succeeded)
        json.field(.failed, order.failed)
    }

    /// Reads a text that was stored. Members and names that only a later version knows are passed
    /// over.
    ///
    /// - Throws: `Unreadable` for what is no JSON object, and for an impossible moment.
    public init(text: String) throws(Unreadable) {
        guard let json = try? JSONValue(parsing: Array(text.utf8)), json.object != nil else {
            throw Unreadable(message: "the text is no JSON object")
        }
        productID = json[.product]?.string
        currency = json[.currency]?.string
        until = try json.instant(.until)
        nextProductID = json[.nextProduct]?.string
        planChange = json.value(.planChange)
        offerMode = json.value(.offer)
        offer = json[.takenOffer].flatMap { NamedOffer($0) }
        nextOffer = json[.nextOffer].flatMap { NamedOffer($0) }
        instalment = json[.instalment]?.integer.flatMap(Int.init(exactly:))
        declined = json[.declined]?.integer
        pending = json[.pending]?.integer
        billID = json[.bill]?.integer
        billProductID = json[.billProduct]?.string
        refunded = json[.refunded]?.integer
        asked = json[.asked]?.string
        note = json[.note]?.string
        oldPrice = json[.oldPrice]?.integer
        newPrice = json[.newPrice]?.integer
        newPriceFrom = try json.instant(.newPriceFrom)
        pricedProductID = json[.pricedProduct]?.string
        graceUntil = try json.instant(.graceUntil)
        notices = json.names(.notices)
        changes = ColumnChanges(json)
        transactions = (json[.transactions]?.array ?? []).compactMap(TransactionChanges.init)
        provoked = json[.provoked]?.string
        if let answer: BankAnswer = json.value(.answer), let state: BillState = json.value(.state) {
            word = BankWord(answer, leaving: state)
        }
        trouble = json[.trouble]?.string
        member = json[.member]?.string
        devices = (json[.devices]?.array ?? []).compactMap(DeviceQueue.init)
        scheduled = try Scheduled(json)
        massExtension = MassExtension(json)
        consumption = json[.body]?.string.map { body in
            Consumption(
                preference: json[.preference]?.string, percentage: json[.percentage]?.integer,
                body: body)
        }
    }
}

extension JournalDetail.Scheduled {
    fileprivate init?(_ json: JSONValue) throws(JournalDetail.Unreadable) {
        guard let storefront = json[.storefront]?.string, let price = json[.price]?.integer,
            let start = try json.instant(.start), let existing = json[.existing]?.string
        else { return nil }
        self.init(
            storefront: storefront, price: price, cohortPrice: json[.cohortPrice]?.integer,
            start: start, existing: existing, billingPlan: json[.billingPlan]?.string)
    }
}

extension JournalDetail.MassExtension {
    fileprivate init?(_ json: JSONValue) {
        guard let days = json[.days]?.integer, let candidates = json[.candidates]?.integer,
            let succeeded = json[.succeeded]?.integer, let failed = json[.failed]?.integer
        else { return nil }
        self.init(days: days, candidates: candidates, succeeded: succeeded, failed: failed)
    }
}

extension JSONWriter {
    mutating func field(_ member: JournalDetail.Member, _ value: (some WireEncodable)?) {
        guard let value else { return }
        field(named: member.rawValue, value)
    }
}

extension JSONValue {
    subscript(member: JournalDetail.Member) -> JSONValue? { self[member.rawValue] }

    func names(_ member: JournalDetail.Member) -> [String] {
        (self[member]?.array ?? []).compactMap(\.string)
    }

    fileprivate func value<Value: RawRepresentable>(
        _ member: JournalDetail.Member
    ) -> Value? where Value.RawValue == String {
        self[member]?.string.flatMap(Value.init(rawValue:))
    }

    fileprivate func instant(
        _ member: JournalDetail.Member
    ) throws(JournalDetail.Unreadable) -> Instant? {
        guard let value = self[member] else { return nil }
        guard let milliseconds = value.integer, JournalDetail.moments.contains(milliseconds) else {
            throw JournalDetail.Unreadable(
                message: "\(member.rawValue) is impossible in the JSON text")
        }
        return Instant(milliseconds: milliseconds)
    }
}

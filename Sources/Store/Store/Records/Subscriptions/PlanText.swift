import AppStoreWire
import Storage
import SubscriptionRules
import Synchronization

/// Plans and offers as the JSON texts in which the subscription table keeps them.
///
/// Many subscribers share few plans, so plans that were read are kept: reading one again is a
/// look-up.
enum PlanText {
    private static let known = Mutex<[String: Plan]>([:])

    static func plan(_ text: String) throws(StorageError) -> Plan {
        if let plan = known.withLock({ $0[text] }) { return plan }
        let plan = try parse(text)
        known.withLock { known in
            if known.count >= 4096 { known.removeAll() }
            known[text] = plan
        }
        return plan
    }

    /// - Parameter offers: whether the lines' offers are part of it. Of a plan of one line that
    ///   runs they have a column of their own, so that those who pay the same share a text.
    static func text(_ plan: Plan, offers: Bool = true) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("product", plan.productID)
            json.field("level", plan.level)
            json.field("period", plan.period.iso8601)
            // Most plans are billed up front, and say nothing of it.
            if plan.billing != .upFront { json.field("billing", plan.billing.rawValue) }
            json.field("currency", plan.currency.code)
            if let merchant = plan.merchant {
                json.object("merchant") { json in
                    write(merchant.texts, to: &json)
                    json.field("tax", merchant.taxCode)
                    json.field("request", merchant.requestID)
                    json.field("from", merchant.migratedFrom)
                }
            }
            json.array("items") { json in
                for line in plan.lines {
                    json.elementObject { write(line, offers: offers, to: &$0) }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func offer(_ text: String) throws(StorageError) -> AppliedOffer {
        let json = try StoredJSON(text)
        guard let kind = Offer.Kind(rawValue: try json.count("kind")) else {
            throw json.impossible("kind")
        }
        return AppliedOffer(
            kind: kind, id: try json.string("id"),
            mode: try json.parsed("mode", Offer.Mode.init(rawValue:)),
            period: try json.parsed("period", CalendarPeriod.init(iso8601:)),
            wholePeriod: try json.parsed("whole", CalendarPeriod.init(iso8601:)),
            price: try json.amount("price"), periodsLeft: try json.count("left"))
    }

    static func text(_ offer: AppliedOffer) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("kind", offer.kind.rawValue)
            json.field("id", offer.id)
            json.field("mode", offer.mode.rawValue)
            json.field("period", offer.period.iso8601)
            json.field("whole", offer.wholePeriod.iso8601)
            json.field("price", offer.price)
            json.field("left", offer.periodsLeft)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func parse(_ text: String) throws(StorageError) -> Plan {
        let json = try StoredJSON(text)
        let lines = try json.objects("items").map { item throws(StorageError) in
            try line(item)
        }
        guard !lines.isEmpty, Set(lines.map(\.sku)).count == lines.count else {
            throw json.impossible("items")
        }
        return Plan(
            productID: try json.string("product"), level: try json.count("level"),
            period: try json.parsed("period", CalendarPeriod.init(iso8601:)),
            billing: json.has("billing")
                ? try json.parsed("billing", BillingPlan.init(rawValue:)) : .upFront,
            lines: lines,
            currency: try json.parsed("currency", Currency.init(everUsed:)),
            merchant: try json.objectOrNil("merchant").map { json throws(StorageError) in
                MerchantPlan(
                    texts: try texts(json), taxCode: try json.string("tax"),
                    requestID: try json.string("request"),
                    migratedFrom: json.integerOrNil("from"))
            })
    }

    /// Writes the members of a line into an object that is begun.
    static func write(_ line: Plan.Line, offers: Bool = true, to json: inout JSONWriter) {
        json.field("sku", line.sku)
        json.field("price", line.price)
        json.field("raised", line.raised)
        json.field("replaces", line.replaces)
        json.field("nextOffer", line.nextOffer.map(text))
        if let texts = line.texts { write(texts, to: &json) }
        guard offers, let offer = line.offer else { return }
        json.field("offer", text(offer))
    }

    static func line(_ json: StoredJSON) throws(StorageError) -> Plan.Line {
        Plan.Line(
            sku: try json.string("sku"), price: try json.amount("price"),
            offer: try json.stringOrNil("offer").map { text throws(StorageError) in
                try offer(text)
            },
            nextOffer: try json.stringOrNil("nextOffer").map { text throws(StorageError) in
                try offer(text)
            }, raised: try json.amountOrNil("raised"),
            texts: json.has("name") ? try texts(json) : nil,
            replaces: json.stringOrNil("replaces"))
    }

    private static func write(_ texts: DisplayTexts, to json: inout JSONWriter) {
        json.field("name", texts.displayName)
        json.field("text", texts.description)
    }

    private static func texts(_ json: StoredJSON) throws(StorageError) -> DisplayTexts {
        DisplayTexts(
            displayName: try json.string("name"), description: try json.string("text"))
    }
}

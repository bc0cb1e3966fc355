import AppStoreWire
import SubscriptionRules
import Synchronization

/// Plans and offers as the JSON texts in which the subscription table keeps them.
///
/// Many subscribers share few plans, so plans that were read are kept: reading one again is a
/// look-up.
enum PlanText {
    private static let known = Mutex<[String: Plan]>([:])

    static func plan(_ text: String) -> Plan {
        if let plan = known.withLock({ $0[text] }) { return plan }
        let plan = parse(text)
        known.withLock { known in
            if known.count >= 4096 { known.removeAll() }
            known[text] = plan
        }
        return plan
    }

    static func text(_ plan: Plan) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("product", plan.productID)
            json.field("level", plan.level)
            json.field("period", plan.period.iso8601)
            json.field("currency", plan.currency.code)
            json.array("items") { json in
                for item in plan.items {
                    json.elementObject { json in
                        json.field("sku", item.sku)
                        json.field("price", item.price)
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func offer(_ text: String) -> AppliedOffer {
        let json = StoredJSON(text)
        return AppliedOffer(
            kind: json.integer("kind").flatMap { Offer.Kind(rawValue: Int($0)) }!,
            id: json.string("id"), mode: Offer.Mode(rawValue: json.string("mode"))!,
            period: CalendarPeriod(iso8601: json.string("period"))!,
            wholePeriod: CalendarPeriod(iso8601: json.string("whole"))!,
            price: json.integer("price")!, periodsLeft: Int(json.integer("left")!))
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

    private static func parse(_ text: String) -> Plan {
        let json = StoredJSON(text)
        return Plan(
            productID: json.string("product"), level: Int(json.integer("level")!),
            period: CalendarPeriod(iso8601: json.string("period"))!,
            items: json.objects("items").map {
                Plan.Item(sku: $0.string("sku"), price: $0.integer("price")!)
            },
            currency: Currency(code: json.string("currency"))!)
    }
}

/// A JSON object that this program wrote itself: what is missing is a broken promise of our own.
struct StoredJSON {
    let value: JSONValue

    init(_ text: String) {
        guard let value = try? JSONValue(parsing: Array(text.utf8)) else {
            preconditionFailure("a stored JSON text is broken: \(text)")
        }
        self.value = value
    }

    private init(value: JSONValue) { self.value = value }

    func string(_ key: String) -> String {
        guard let text = value[key]?.string else {
            preconditionFailure("a stored JSON text lacks \(key)")
        }
        return text
    }

    func stringOrNil(_ key: String) -> String? { value[key]?.string }

    func integer(_ key: String) -> Int64? { value[key]?.integer }

    func instant(_ key: String) -> Instant {
        guard let milliseconds = integer(key) else {
            preconditionFailure("a stored JSON text lacks \(key)")
        }
        return Instant(milliseconds: milliseconds)
    }

    func object(_ key: String) -> StoredJSON {
        guard let member = value[key] else {
            preconditionFailure("a stored JSON text lacks \(key)")
        }
        return StoredJSON(value: member)
    }

    func bool(_ key: String) -> Bool { value[key]?.bool ?? false }

    func objects(_ key: String) -> [StoredJSON] {
        (value[key]?.array ?? []).map(StoredJSON.init(value:))
    }

    func strings(_ key: String) -> [String] { (value[key]?.array ?? []).compactMap(\.string) }
}

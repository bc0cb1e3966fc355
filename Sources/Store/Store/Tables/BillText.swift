import AppStoreWire
import Storage
import SubscriptionRules

/// A subscription's bill as the JSON text in which tables keep it.
enum BillText {
    static func text(_ outstanding: OutstandingBill) -> String {
        text(outstanding.bill, isBeingVoided: outstanding.isBeingVoided)
    }

    static func text(_ bill: Bill, isBeingVoided: Bool = false) -> String {
        var json = JSONWriter(capacity: 320)
        json.object { json in
            json.field("id", bill.id)
            json.field("purpose", BillRecord.Purpose(bill.purpose).rawValue)
            json.field("plan", PlanText.text(bill.plan))
            json.field("credit", bill.credit?.milliunits)
            if !bill.lowered.isEmpty {
                json.array("loweredTo") { json in
                    for line in bill.plan.lines {
                        guard let price = bill.lowered[line.sku] else { continue }
                        json.elementObject { json in
                            json.field("sku", line.sku)
                            json.field("price", price)
                        }
                    }
                }
            }
            if isBeingVoided { json.field("voiding", true) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func bill(_ text: String) throws(StorageError) -> Bill {
        try bill(try StoredJSON(text))
    }

    static func outstanding(_ text: String) throws(StorageError) -> OutstandingBill {
        let json = try StoredJSON(text)
        return OutstandingBill(try bill(json), isBeingVoided: json.bool("voiding"))
    }

    private static func bill(_ json: StoredJSON) throws(StorageError) -> Bill {
        let purpose = try json.parsed("purpose", BillRecord.Purpose.init(rawValue:))
        guard let purpose = purpose.ofSubscription else { throw json.impossible("purpose") }
        var plan = try PlanText.plan(try json.string("plan"))
        // Worlds of before kept the one offer and the one price beside the plan.
        if let text = json.stringOrNil("offer") { plan.lines[0].offer = try PlanText.offer(text) }
        var lowered: [String: Int64] = [:]
        if let price = json.integerOrNil("lowered") { lowered[plan.lines[0].sku] = price }
        for line in json.objects("loweredTo") {
            lowered[try line.string("sku")] = try line.amount("price")
        }
        let credit = json.integerOrNil("credit")
        return Bill(
            id: try json.integer("id"), purpose, plan,
            credit: credit.map { Money(milliunits: $0, plan.currency) }, lowered: lowered)
    }
}

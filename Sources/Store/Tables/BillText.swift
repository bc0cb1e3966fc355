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
            json.field("plan", PlanText.text(bill.selection.plan))
            json.field("offer", bill.selection.offer.map(PlanText.text))
            json.field("credit", bill.credit?.milliunits)
            json.field("lowered", bill.lowered)
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
        let plan = try PlanText.plan(try json.string("plan"))
        let offer = try json.stringOrNil("offer").map { text throws(StorageError) in
            try PlanText.offer(text)
        }
        let credit = json.integerOrNil("credit")
        return Bill(
            id: try json.integer("id"), purpose, Selection(plan, offer: offer),
            credit: credit.map { Money(milliunits: $0, plan.currency) },
            lowered: json.integerOrNil("lowered"))
    }
}

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
            if let modification = bill.modification {
                json.object("modification") { write(modification, to: &$0) }
            }
            if isBeingVoided { json.field("voiding", true) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func write(_ modification: Bill.Modification, to json: inout JSONWriter) {
        json.field("keepsCycle", modification.keepsCycle)
        json.field("next", modification.next.map { PlanText.text($0) })
        json.array("charges") { json in
            for charge in modification.charges {
                json.elementObject { $0.field("amount", charge) }
            }
        }
        json.array("credits") { json in
            for credit in modification.credits {
                json.elementObject { json in
                    json.field("transaction", credit.transactionID)
                    json.field("sku", credit.sku)
                    json.field("amount", credit.amount)
                }
            }
        }
    }

    private static func modification(
        _ json: StoredJSON, of plan: Plan
    ) throws(StorageError) -> Bill.Modification {
        let charges = try json.objects("charges").map { charge throws(StorageError) in
            try charge.amountOrNil("amount")
        }
        guard charges.count == plan.lines.count else { throw json.impossible("charges") }
        return Bill.Modification(
            charges: charges,
            credits: try json.objects("credits").map { credit throws(StorageError) in
                ItemRefund(
                    transactionID: try credit.integer("transaction"),
                    sku: try credit.string("sku"), amount: try credit.amount("amount"))
            },
            next: try json.stringOrNil("next").map { text throws(StorageError) in
                try PlanText.plan(text)
            }, keepsCycle: json.bool("keepsCycle"))
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
        var lowered: [String: Int64] = [:]
        for line in json.objects("loweredTo") {
            lowered[try line.string("sku")] = try line.amount("price")
        }
        let credit = json.integerOrNil("credit")
        var modification: Bill.Modification?
        if let kept = try json.objectOrNil("modification") {
            modification = try Self.modification(kept, of: plan)
        }
        guard (purpose == .modification) == (modification != nil) else {
            throw json.impossible("modification")
        }
        return Bill(
            id: try json.integer("id"), purpose, plan,
            credit: credit.map { Money(milliunits: $0, plan.currency) }, lowered: lowered,
            modification: modification)
    }
}

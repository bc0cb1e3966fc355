import AppStoreWire
import Storage
import SubscriptionRules

/// What tables keep of lines as JSON texts, where there are several: of one line there are columns,
/// unless an earlier transaction paid for it.
enum LineText {
    /// What the newest period of a subscription charged for each line of its plan, and when the
    /// last increase of its price was charged; nil for a plan of one line that its newest
    /// transaction paid for.
    static func text(_ subscription: Subscription) -> String? {
        let lines = subscription.plan.lines
        guard lines.count > 1 || !subscription.newestPeriod.carried.isEmpty else { return nil }
        return list { json in
            for (line, charge) in zip(lines, subscription.newestPeriod.charges) {
                json.elementObject { json in
                    json.field("charged", charge)
                    json.field(
                        "lastIncrease", subscription.lastIncreases[line.sku]?.milliseconds)
                    guard let paid = subscription.newestPeriod.carried[line.sku] else { return }
                    json.field("paidBy", paid.transactionID)
                    json.field("paidAt", paid.at.milliseconds)
                    json.field("paid", paid.amount)
                }
            }
        }
    }

    /// What is kept of a line of the newest period.
    struct Kept {
        let charge: Int64
        let lastIncrease: Instant?
        let carried: BillingPeriod.Payment?
    }

    /// - Returns: what is kept of the plan's lines, in their order.
    static func charges(_ text: String) throws(StorageError) -> [Kept] {
        try StoredJSON(text).objects("lines").map { line throws(StorageError) in
            var carried: BillingPeriod.Payment?
            if let id = line.integerOrNil("paidBy") {
                guard let at = try line.instantOrNil("paidAt") else {
                    throw line.impossible("paidAt")
                }
                carried = .init(transactionID: id, at: at, amount: try line.amount("paid"))
            }
            return Kept(
                charge: try line.amount("charged"),
                lastIncrease: try line.instantOrNil("lastIncrease"), carried: carried)
        }
    }

    /// The lines of a transaction.
    static func text(_ lines: [TransactionRecord.Line]) -> String? {
        guard !lines.isEmpty else { return nil }
        return list { json in
            for line in lines {
                json.elementObject { json in
                    json.field("sku", line.sku)
                    json.field("price", line.price)
                    json.field("offer", line.offer.map(PlanText.text))
                }
            }
        }
    }

    static func lines(_ text: String) throws(StorageError) -> [TransactionRecord.Line] {
        try StoredJSON(text).objects("lines").map { line throws(StorageError) in
            TransactionRecord.Line(
                sku: try line.string("sku"), price: try line.amount("price"),
                offer: try line.stringOrNil("offer").map { text throws(StorageError) in
                    try PlanText.offer(text)
                })
        }
    }

    private static func list(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(capacity: 256)
        json.object { $0.array("lines", write) }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// What a row keeps of each line, besides its price and its offer.
struct LineColumns {
    let charges: [Int64]
    let increases: [String: PendingIncrease]
    let lastIncreases: [String: Instant]
    private(set) var carried: [String: BillingPeriod.Payment] = [:]

    init(_ row: StoredRow, of plan: Plan) throws(StorageError) {
        let total = try row.amount(15)
        var lastIncreases: [String: Instant] = [:]
        if plan.lines.count == 1 {
            let sku = plan.lines[0].sku
            charges = [total]
            lastIncreases[sku] = try row.instantOrNil(35)
            if let kept = try row.decodedOrNil(43, LineText.charges) {
                guard kept.count == 1, kept[0].charge == total else {
                    throw row.contradiction("its line does not make what was charged")
                }
                carried[sku] = kept[0].carried
            }
        } else {
            let kept = try row.decoded(43, LineText.charges)
            charges = kept.map(\.charge)
            guard kept.count == plan.lines.count, charges.reduce(0, +) == total else {
                throw row.contradiction("its lines do not make what was charged")
            }
            for (line, kept) in zip(plan.lines, kept) {
                lastIncreases[line.sku] = kept.lastIncrease
                carried[line.sku] = kept.carried
            }
        }
        self.lastIncreases = lastIncreases
        increases =
            try row.decodedOrNil(34) { text throws(StorageError) in
                try IncreaseText.increases(text, of: plan) { () throws(StorageError) in
                    try row.decodedOrNil(9, PlanText.plan)
                }
            } ?? [:]
    }
}

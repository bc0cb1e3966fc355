import AppStoreWire
import Storage
import SubscriptionRules

/// What tables keep of lines as JSON texts, where there are several: of one line there are columns.
enum LineText {
    /// What the newest period of a subscription charged for each line of its plan, and when the
    /// last increase of its price was charged; nil for a plan of one line.
    static func text(_ subscription: Subscription) -> String? {
        let lines = subscription.plan.lines
        guard lines.count > 1 else { return nil }
        return list { json in
            for (line, charge) in zip(lines, subscription.newestPeriod.charges) {
                json.elementObject { json in
                    json.field("charged", charge)
                    json.field(
                        "lastIncrease", subscription.lastIncreases[line.sku]?.milliseconds)
                }
            }
        }
    }

    /// - Returns: the charges and the last increases, in the order of the plan's lines.
    static func charges(
        _ text: String
    ) throws(StorageError) -> [(charge: Int64, lastIncrease: Instant?)] {
        try StoredJSON(text).objects("lines").map { line throws(StorageError) in
            (try line.amount("charged"), try line.instantOrNil("lastIncrease"))
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

    init(_ row: StoredRow, of plan: Plan) throws(StorageError) {
        let total = try row.amount(15)
        var lastIncreases: [String: Instant] = [:]
        if plan.lines.count == 1 {
            charges = [total]
            lastIncreases[plan.lines[0].sku] = try row.instantOrNil(35)
        } else {
            let kept = try row.decoded(43, LineText.charges)
            charges = kept.map(\.charge)
            guard kept.count == plan.lines.count, charges.reduce(0, +) == total else {
                throw row.contradiction("its lines do not make what was charged")
            }
            for (line, kept) in zip(plan.lines, kept) {
                lastIncreases[line.sku] = kept.lastIncrease
            }
        }
        self.lastIncreases = lastIncreases
        increases =
            try row.decodedOrNil(34) { text throws(StorageError) in
                try IncreaseText.increases(text, of: plan)
            } ?? [:]
    }
}

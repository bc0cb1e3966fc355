import AppStoreWire
import Storage
import SubscriptionRules

/// What tables keep of lines as JSON texts, where there are several: of one line there are columns,
/// unless an earlier transaction paid for it, or others have ended with a refund.
enum LineText {
    /// What the newest period of a subscription charged for each line of its plan, when the last
    /// increase of its price was charged, and what ended with a refund; nil for a plan of one line
    /// that its newest transaction paid for, and of whose cycle nothing has ended.
    static func text(_ subscription: Subscription) -> String? {
        let lines = subscription.plan.lines
        let period = subscription.newestPeriod
        guard lines.count > 1 || !period.carried.isEmpty || !period.ended.isEmpty else {
            return nil
        }
        return object { json in
            json.array("lines") { json in
                for (line, charge) in zip(lines, period.charges) {
                    json.elementObject { json in
                        json.field("charged", charge)
                        json.field(
                            "lastIncrease", subscription.lastIncreases[line.sku]?.milliseconds)
                        if let paid = period.carried[line.sku] { write(paid, to: &json) }
                    }
                }
            }
            guard !period.ended.isEmpty else { return }
            json.array("ended") { json in
                for item in period.ended {
                    json.elementObject { json in
                        PlanText.write(item.line, to: &json)
                        write(item.payment, to: &json)
                        json.field("lastIncrease", item.lastIncrease?.milliseconds)
                        json.field("endedAt", item.at.milliseconds)
                        json.field("byItself", item.isByItself ? true : nil)
                    }
                }
            }
        }
    }

    /// What is kept of the newest period.
    struct Kept {
        /// The plan's lines, in their order.
        let lines: [Line]
        let ended: [BillingPeriod.EndedItem]

        struct Line {
            let charge: Int64
            let lastIncrease: Instant?
            let carried: BillingPeriod.Payment?
        }
    }

    static func kept(_ text: String) throws(StorageError) -> Kept {
        let json = try StoredJSON(text)
        return Kept(
            lines: try json.objects("lines").map { line throws(StorageError) in
                Kept.Line(
                    charge: try line.amount("charged"),
                    lastIncrease: try line.instantOrNil("lastIncrease"),
                    carried: try payment(line))
            },
            ended: try json.objects("ended").map { item throws(StorageError) in
                guard let payment = try payment(item), let at = try item.instantOrNil("endedAt")
                else { throw item.impossible("endedAt") }
                return .init(
                    line: try PlanText.line(item), payment: payment,
                    lastIncrease: try item.instantOrNil("lastIncrease"), at: at,
                    isByItself: item.bool("byItself"))
            })
    }

    private static func write(_ paid: BillingPeriod.Payment, to json: inout JSONWriter) {
        json.field("paidBy", paid.transactionID)
        json.field("paidAt", paid.at.milliseconds)
        json.field("paid", paid.amount)
    }

    private static func payment(
        _ json: StoredJSON
    ) throws(StorageError) -> BillingPeriod.Payment? {
        guard let id = json.integerOrNil("paidBy") else { return nil }
        guard let at = try json.instantOrNil("paidAt") else { throw json.impossible("paidAt") }
        return .init(transactionID: id, at: at, amount: try json.amount("paid"))
    }

    /// The lines of a transaction.
    static func text(_ lines: [TransactionRecord.Line]) -> String? {
        guard !lines.isEmpty else { return nil }
        return object { json in
            json.array("lines") { json in
                for line in lines {
                    json.elementObject { json in
                        json.field("sku", line.sku)
                        json.field("price", line.price)
                        json.field("offer", line.offer.map(PlanText.text))
                    }
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

    private static func object(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(capacity: 256)
        json.object(write)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// What a row keeps of each line, besides its price and its offer.
struct LineColumns {
    let charges: [Int64]
    let increases: [String: PendingIncrease]
    let lastIncreases: [String: Instant]
    private(set) var carried: [String: BillingPeriod.Payment] = [:]
    let ended: [BillingPeriod.EndedItem]

    init(_ row: StoredRow, of plan: Plan) throws(StorageError) {
        let total = try row.amount(15)
        let kept = try row.decodedOrNil(43, LineText.kept)
        // Of one line there are columns.
        let only = LineText.Kept.Line(
            charge: total, lastIncrease: try row.instantOrNil(35), carried: nil)
        let lines = kept?.lines ?? [only]
        charges = lines.map(\.charge)
        guard lines.count == plan.lines.count, charges.reduce(0, +) == total else {
            throw row.contradiction("its lines do not make what was charged")
        }
        var lastIncreases: [String: Instant] = [:]
        for (line, kept) in zip(plan.lines, lines) {
            lastIncreases[line.sku] = kept.lastIncrease
            carried[line.sku] = kept.carried
        }
        ended = kept?.ended ?? []
        self.lastIncreases = lastIncreases
        increases =
            try row.decodedOrNil(34) { text throws(StorageError) in
                try IncreaseText.increases(text, of: plan) { () throws(StorageError) in
                    try row.decodedOrNil(9, PlanText.plan)
                }
            } ?? [:]
    }
}

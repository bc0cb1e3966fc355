import AppStoreWire
import Storage
import SubscriptionRules

/// What a merchant asks back of one transaction, item by item (ACM-7).
struct ItemRefundRequest: Sendable, Hashable {
    /// One item of the transaction.
    struct Item: Sendable, Hashable {
        let sku: String
        let reason: AdvancedCommerceRefundReason
        let type: AdvancedCommerceRefundType
        /// Whether the customer loses it.
        let endsItem: Bool
        /// How much, in milliunits, where that is said: for a custom refund.
        let amount: Int64?
    }

    let items: [Item]
    /// Whether the whole subscription ends, with what else was paid in its running cycle.
    let endsSubscription: Bool

    /// Whether the merchant wants to see a refund declined.
    var isToBeDeclined: Bool { items.contains { $0.reason == .simulateRefundDecline } }

    /// The reason that customers and journals know.
    var reason: RefundRequest.Reason {
        items.first.flatMap { RefundRequest.Reason(rawValue: $0.reason.rawValue) } ?? .other
    }
}

extension ItemRefundRequest {
    init(_ request: AdvancedCommerceRequestRefundRequest) {
        items = request.items.map {
            Item(
                sku: $0.sku, reason: $0.refundReason, type: $0.refundType, endsItem: $0.revoke,
                amount: $0.refundAmount)
        }
        endsSubscription = false
    }

    init(_ request: AdvancedCommerceSubscriptionRevokeRequest, of plan: Plan) {
        items = plan.lines.map {
            Item(
                sku: $0.sku, reason: request.refundReason, type: request.refundType,
                endsItem: true, amount: nil)
        }
        endsSubscription = true
    }

    /// The text of its column.
    var text: String {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.field("whole", endsSubscription)
            json.array("items") { json in
                for item in items {
                    json.elementObject { json in
                        json.field("sku", item.sku)
                        json.field("reason", item.reason.rawValue)
                        json.field("type", item.type.rawValue)
                        json.field("ends", item.endsItem)
                        json.field("amount", item.amount)
                    }
                }
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    init(stored text: String) throws(StorageError) {
        let json = try StoredJSON(text)
        endsSubscription = json.bool("whole")
        items = try json.objects("items").map { item throws(StorageError) in
            Item(
                sku: try item.string("sku"),
                reason: AdvancedCommerceRefundReason(rawValue: try item.string("reason")),
                type: AdvancedCommerceRefundType(rawValue: try item.string("type")),
                endsItem: item.bool("ends"), amount: try item.amountOrNil("amount"))
        }
    }
}

extension TransactionRecord {
    /// What was charged for an item, in milliunits; nil for what it does not charge for.
    func paid(for sku: String) -> Int64? {
        guard let info = advancedCommerce, info.items.contains(where: { $0.sku == sku }) else {
            return nil
        }
        return lines.isEmpty ? price.milliunits : lines.first { $0.sku == sku }?.price
    }

    /// What of the whole price was not given back, in milliunits.
    var rest: Int64 { price.milliunits - (refunded ?? 0) }

    /// What of an item's price was not given back, in milliunits.
    func rest(of sku: String) -> Int64 {
        let item = advancedCommerce?.items.first { $0.sku == sku }
        let refunded = (item?.refunds ?? []).reduce(0) { $0 + $1.refundAmount }
        return (paid(for: sku) ?? 0) - refunded
    }

    /// What would go back for an item at a moment, in milliunits.
    func refund(of item: ItemRefundRequest.Item, at moment: Instant) -> Int64 {
        let rest = rest(of: item.sku)
        if let amount = item.amount { return min(amount, rest) }
        switch item.type {
        case .prorated:
            guard let expires else { return rest }
            let unused = prorationRefund(
                of: Money(milliunits: paid(for: item.sku) ?? 0, price.currency),
                start: purchased, end: expires, change: moment)
            return min(unused.milliunits, rest)
        default: return rest
        }
    }
}

extension AdvancedCommerceTransactionItem {
    /// What was given back of it with a revocation at a moment, in milliunits: neither what was
    /// given back before, nor what a change of the plan did.
    func refunded(at moment: Instant) -> Int64 {
        (refunds ?? []).filter { $0.isOfRevocation(at: moment) }
            .reduce(0) { $0 + $1.refundAmount }
    }
}

extension BillingPeriod {
    /// The items that refunds of their own ended at the moment at which the rest of a transaction
    /// was given back: they stay away where that is reversed.
    func endedAlone(of transactionID: Int64, at moment: Instant) -> Set<String> {
        let items = ended.filter {
            $0.isByItself && $0.payment.transactionID == transactionID && $0.at == moment
        }
        return Set(items.map(\.line.sku))
    }
}

extension AdvancedCommerceTransactionInfo {
    /// As it was before what was paid for it was given back at a moment (REF-9). Items that ended
    /// before stay ended.
    ///
    /// - Parameter away: those that ended before, be it at the same moment.
    func withoutRevocation(
        at moment: Instant, exceptOf away: Set<String>
    ) -> AdvancedCommerceTransactionInfo {
        var info = self
        for place in info.items.indices where !away.contains(info.items[place].sku) {
            let kept = (info.items[place].refunds ?? []).filter { !$0.isOfRevocation(at: moment) }
            info.items[place].refunds = kept.isEmpty ? nil : kept
            if info.items[place].revocationDate == moment.milliseconds {
                info.items[place].revocationDate = nil
            }
        }
        return info
    }
}

extension AdvancedCommerceRefund {
    /// Whether a revocation at a moment gave it back.
    fileprivate func isOfRevocation(at moment: Instant) -> Bool {
        refundDate == moment.milliseconds && refundReason != .modifyItemsRefund
    }
}

import AppStoreWire
import Storage
import SubscriptionRules

extension SubscriptionWork {
    /// What is asked back for an item is asked back for it under its new SKU.
    ///
    /// - Parameter lines: the items as they are called now, by the SKU that they had.
    func renameClaim(of id: Int64, _ lines: [String: Plan.Line]) throws {
        guard var request = try RefundRequest.open(forTransaction: id, in: work.session),
            let asked = request.items
        else { return }
        request.items = ItemRefundRequest(
            items: asked.items.map { item in
                ItemRefundRequest.Item(
                    sku: lines[item.sku]?.sku ?? item.sku, reason: item.reason, type: item.type,
                    endsItem: item.endsItem, amount: item.amount)
            }, endsSubscription: asked.endsSubscription)
        try request.save(in: work.session)
    }

    /// Whether one of the new SKUs is that of an item that runs, or comes with the renewal, and
    /// keeps it.
    func hasItem(calledAsIn items: [AdvancedCommerceSubscriptionChangeMetadataItem]) -> Bool {
        let subscription = record.subscription
        let renamed = Set(items.map(\.currentSKU))
        let living = (subscription.plan.lines + subscription.waitingItems).map(\.sku)
            .filter { !renamed.contains($0) }
        return items.contains { item in item.sku.map(living.contains) ?? false }
    }

    /// Whether no two items have one name once some are called something else at once: in the
    /// transactions that paid for what runs, where what has ended in the cycle stands still, and
    /// among what comes back with a reversal.
    func canRename(_ items: [AdvancedCommerceSubscriptionChangeMetadataItem]) throws -> Bool {
        let renamed = items.filter { $0.effective == .immediately && $0.sku != nil }
        let skus = Dictionary(
            renamed.map { ($0.currentSKU, $0.sku ?? $0.currentSKU) }
        ) { first, _ in first }
        guard !skus.isEmpty else { return true }
        let period = record.subscription.newestPeriod
        let mayComeBack = period.ended.contains { ended in
            skus.contains { $0 != $1 && $1 == ended.line.sku }
        }
        guard !mayComeBack else { return false }
        return try period.payers.sorted().allSatisfy { id in
            let items = try work.transaction(id)?.advancedCommerce?.items ?? []
            return Set(items.map { skus[$0.sku] ?? $0.sku }).count == items.count
        }
    }
}

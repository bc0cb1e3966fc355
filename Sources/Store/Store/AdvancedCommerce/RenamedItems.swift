import AppStoreWire
import Storage
import SubscriptionRules

extension SubscriptionWork {
    /// Lets a transaction call its items something else.
    ///
    /// - Parameter lines: the items as they are called now, by the SKU that they had.
    func describe(_ id: Int64, _ lines: [String: Plan.Line]) throws {
        guard let transaction = try work.transaction(id), var info = transaction.advancedCommerce
        else { return }
        for (place, item) in info.items.enumerated() {
            guard let line = lines[item.sku] else { continue }
            info.items[place].sku = line.sku
            info.items[place].displayName = line.texts?.displayName ?? item.displayName
            info.items[place].description = line.texts?.description ?? item.description
        }
        if let merchant = record.subscription.plan.merchant {
            info.descriptors = AdvancedCommerceDescriptors(merchant.texts)
            info.taxCode = merchant.taxCode
        }
        amend(id, .described(info))
        amend(
            id,
            .relabelled(
                transaction.lines.map { line in
                    TransactionRecord.Line(
                        sku: lines[line.sku]?.sku ?? line.sku, price: line.price,
                        offer: line.offer)
                }))
    }
}

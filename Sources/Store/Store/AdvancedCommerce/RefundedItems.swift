import AppStoreWire
import Journal
import Storage
import SubscriptionRules

extension SubscriptionWork {
    /// Gives back what a modification of the plan leaves unused of items that one transaction paid
    /// for, and says so in that transaction.
    func giveBack(_ items: [ItemRefund], of id: Int64, at moment: Instant) throws {
        guard let transaction = try work.transaction(id) else {
            throw Stored.missing("transaction \(id)", for: "subscription \(record.subscription.id)")
        }
        let sum = items.reduce(0) { $0 + $1.amount }
        let before = transaction.refunded ?? 0
        guard before + sum <= transaction.price.milliunits else {
            throw StorageError(
                .corrupt, "store_transaction \(id): more is refunded than was paid for it")
        }
        amend(id, .prorated(before + sum))
        if var info = transaction.advancedCommerce {
            for item in items {
                info.refund(
                    item,
                    AdvancedCommerceRefund(
                        refundAmount: item.amount, refundDate: moment.milliseconds,
                        refundReason: .modifyItemsRefund, refundType: .prorated))
            }
            amend(id, .described(info))
        }
        for item in items { work.book(.proration, of: item, in: transaction, at: moment) }
        refunded = (refunded ?? 0) + sum
        try work.giveBack(Money(milliunits: sum, transaction.price.currency), ofBill: id)
    }
}

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

extension AdvancedCommerceTransactionInfo {
    mutating func refund(_ item: ItemRefund, _ refund: AdvancedCommerceRefund) {
        guard let place = items.firstIndex(where: { $0.sku == item.sku }) else { return }
        items[place].refunds = (items[place].refunds ?? []) + [refund]
    }
}

extension UnitOfWork {
    /// Gives items of a transaction back, and lets those end that are to.
    func refund(
        _ asked: ItemRefundRequest, of transaction: TransactionRecord,
        _ reason: Revocation.Reason, at moment: Instant
    ) throws {
        guard asked.endsSubscription, let id = transaction.subscription else {
            return try refund(asked.items, of: transaction, reason, at: moment)
        }
        // What else was paid for the running cycle goes first: the newest ends it.
        let period = try load(id).record.subscription.newestPeriod
        let earlier = Set(period.carried.values.map(\.transactionID)).subtracting([transaction.id])
        for id in earlier.sorted() {
            guard let other = try self.transaction(id), other.revocation == nil else { continue }
            try refundWhole(other, other.refunding(asked.items.first?.type), reason, at: moment)
            try writeStaged()
        }
        guard let newest = try self.transaction(transaction.id), newest.revocation == nil else {
            return
        }
        try refundWhole(newest, newest.refunding(asked.items.first?.type), reason, at: moment)
    }

    /// Gives a transaction of a merchant's items back as a whole.
    @discardableResult
    func refundWhole(
        _ transaction: TransactionRecord, _ items: [ItemRefundRequest.Item],
        _ reason: Revocation.Reason, isTakenByBank: Bool = false, at moment: Instant
    ) throws -> Revocation {
        let (info, sum) = try giveBack(items, of: transaction, isTakenByBank, at: moment)
        let refunded = (transaction.refunded ?? 0) + sum
        let revocation = Revocation(
            kind: refunded == transaction.price.milliunits ? .refundFull : .refundProrated,
            reason: reason, moment: moment, price: transaction.price, refunded: refunded)
        guard let subscription = transaction.subscription else {
            try tell(
                .wasRefunded, .refunded, of: transaction, at: moment,
                amendments: [.revoked(revocation), .described(info)], refunded: sum)
            return revocation
        }
        try load(subscription).handle(
            .wasRefunded(
                transactionID: transaction.id, fully: revocation.kind == .refundFull),
            at: moment, about: transaction.id, amendment: .revoked(revocation),
            others: [.described(info)])
        return revocation
    }

    private func refund(
        _ items: [ItemRefundRequest.Item], of transaction: TransactionRecord,
        _ reason: Revocation.Reason, at moment: Instant
    ) throws {
        let (info, sum) = try giveBack(items, of: transaction, false, at: moment)
        let refunded = (transaction.refunded ?? 0) + sum
        var amendments: [TransactionAmendment] = [.prorated(refunded), .described(info)]
        // Where nothing of it is left to the customer, the transaction as a whole is revoked.
        if info.items.allSatisfy({ $0.revocationDate != nil }) {
            let isFull = refunded == transaction.price.milliunits
            amendments[0] = .revoked(
                Revocation(
                    kind: isFull ? .refundFull : .refundProrated, reason: reason, moment: moment,
                    price: transaction.price, refunded: refunded))
        }
        guard let subscription = transaction.subscription else {
            return try tell(
                .itemsWereRefunded, .refunded, of: transaction, at: moment,
                amendments: amendments, refunded: sum)
        }
        let one = try load(subscription)
        try one.handle(
            .itemsWereRefunded(
                transactionID: transaction.id, ended: items.filter(\.endsItem).map(\.sku)),
            at: moment, about: transaction.id, amendment: amendments[0],
            others: Array(amendments.dropFirst()))
    }

    /// The money of items, and what the transaction says of them then.
    private func giveBack(
        _ items: [ItemRefundRequest.Item], of transaction: TransactionRecord,
        _ isTakenByBank: Bool, at moment: Instant
    ) throws -> (AdvancedCommerceTransactionInfo, Int64) {
        guard var info = transaction.advancedCommerce else {
            throw Stored.missing("its items", for: "store_transaction \(transaction.id)")
        }
        var sum: Int64 = 0
        for item in items {
            let amount = transaction.refund(of: item, at: moment)
            let refund = ItemRefund(
                transactionID: transaction.id, sku: item.sku, amount: amount)
            if amount > 0 {
                sum += amount
                info.refund(
                    refund,
                    AdvancedCommerceRefund(
                        refundAmount: amount, refundDate: moment.milliseconds,
                        refundReason: item.reason, refundType: item.type))
                book(.refund, of: refund, in: transaction, at: moment)
            }
            guard item.endsItem, let place = info.items.firstIndex(where: { $0.sku == item.sku })
            else { continue }
            info.items[place].revocationDate = moment.milliseconds
        }
        let money = Money(milliunits: sum, transaction.price.currency)
        if !isTakenByBank, sum > 0 {
            try giveBack(money, ofBill: transaction.id)
            try writeDecision(about: transaction, granting: money, at: moment)
        }
        return (info, sum)
    }
}

extension TransactionRecord {
    /// What a refund of the whole asks back: what is left of each item, or its share of what is
    /// given back of the price.
    func refunding(
        _ type: AdvancedCommerceRefundType?, _ amount: Money? = nil
    ) -> [ItemRefundRequest.Item] {
        let items = advancedCommerce?.items ?? []
        let shares = amount?.shared(inProportionTo: items.map { paid(for: $0.sku) ?? 0 })
        return items.enumerated().map { place, item in
            ItemRefundRequest.Item(
                sku: item.sku, reason: .other, type: type ?? .full, endsItem: true,
                amount: shares?[place])
        }
    }
}

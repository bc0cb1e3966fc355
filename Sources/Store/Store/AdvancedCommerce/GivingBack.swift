import AppStoreWire
import Journal
import Storage
import SubscriptionRules

extension SubscriptionWork {
    /// Gives back what a modification of the plan leaves unused of items that one transaction paid
    /// for, and says so in that transaction. The ordinary one from before a migration has no items:
    /// what goes back for them is a part of its price. What has gone back of an item since the
    /// modification was asked for does not go back twice.
    func giveBack(_ items: [ItemRefund], of id: Int64, at moment: Instant) throws {
        guard let transaction = try work.transaction(id) else {
            throw Stored.missing("transaction \(id)", for: "subscription \(record.subscription.id)")
        }
        guard transaction.revocation == nil else { return }
        var (info, sum) = (transaction.advancedCommerce, Int64(0))
        for var item in items {
            let rest = info == nil ? transaction.rest - sum : transaction.rest(of: item.sku)
            item.amount = min(item.amount, rest)
            guard item.amount > 0 else { continue }
            sum += item.amount
            guard info != nil else { continue }
            info?.refund(
                item,
                AdvancedCommerceRefund(
                    refundAmount: item.amount, refundDate: moment.milliseconds,
                    refundReason: .modifyItemsRefund, refundType: .prorated))
            work.book(.proration, of: item, in: transaction, at: moment)
        }
        guard sum > 0 else { return }
        let money = Money(milliunits: sum, transaction.price.currency)
        let before = transaction.refunded ?? 0
        if let info {
            amend(id, .described(info))
        } else {
            work.book(.proration, of: money, in: transaction, refundedBefore: before, at: moment)
        }
        amend(id, .prorated(before + sum))
        refunded = (refunded ?? 0) + sum
        try work.giveBack(money, ofBill: id)
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
        try revoke(id, asked, of: transaction.id, reason, at: moment)
    }

    /// Gives back what was paid for the running cycle, transaction by transaction; the newest is
    /// the first one, and ends the subscription.
    ///
    /// - Parameter asked: the transaction that was the newest when the revocation was asked for.
    ///   Where another cycle runs by now, only that one is given back.
    private func revoke(
        _ id: Int64, _ revocation: ItemRefundRequest, of asked: Int64,
        _ reason: Revocation.Reason, at moment: Instant
    ) throws {
        let subscription = try load(id).record.subscription
        let payers = subscription.newestPeriod.payers
        for payer in payers.contains(asked) ? payers.sorted(by: >) : [asked] {
            guard let transaction = try self.transaction(payer), transaction.revocation == nil
            else { continue }
            if transaction.advancedCommerce == nil {
                let amount = revocation.amount(of: transaction, in: subscription, at: moment)
                guard amount > 0 else { continue }
                try refundOrdinary(transaction, amount, reason, at: moment)
            } else {
                try refundWhole(
                    transaction, revocation.items(of: transaction, in: subscription, at: moment),
                    reason, at: moment)
            }
            try closeRequest(of: payer, as: .granted, at: moment)
            try writeStaged()
        }
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
        let isRest = info.items.allSatisfy { $0.revocationDate != nil }
        if isRest {
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
        var event = Event.itemsWereRefunded(
            transactionID: transaction.id, ended: items.filter(\.endsItem).map(\.sku),
            isRest: isRest)
        // Of what is over no item ends any more, but it was given back as a whole (REF-7).
        if case .revoked(let revocation) = amendments[0], one.record.subscription.isOver {
            event = .wasRefunded(
                transactionID: transaction.id, fully: revocation.kind == .refundFull)
        }
        try one.handle(
            event, at: moment, about: transaction.id, amendment: amendments[0],
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
            guard item.endsItem, let place = info.items.firstIndex(where: { $0.sku == item.sku }),
                info.items[place].revocationDate == nil
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
    /// What a refund of the whole asks back: of each item its share of what is given back of the
    /// price.
    func refunding(
        _ type: AdvancedCommerceRefundType, _ amount: Money
    ) -> [ItemRefundRequest.Item] {
        let items = advancedCommerce?.items ?? []
        let shares = amount.shared(inProportionTo: items.map { paid(for: $0.sku) ?? 0 })
        return items.enumerated().map { place, item in
            ItemRefundRequest.Item(
                sku: item.sku, reason: .other, type: type, endsItem: true, amount: shares[place])
        }
    }
}

extension ItemRefundRequest {
    /// What a revocation asks back of one of the transactions that paid for the running cycle, item
    /// by item: all that is left, or the unused share of what still runs.
    fileprivate func items(
        of transaction: TransactionRecord, in subscription: Subscription, at moment: Instant
    ) -> [Item] {
        let (reason, type) = (items.first?.reason ?? .other, items.first?.type ?? .full)
        return (transaction.advancedCommerce?.items ?? []).map { item in
            let unused = subscription.unused(of: item.sku, paidBy: transaction.id, at: moment)
            return Item(
                sku: item.sku, reason: reason, type: type, endsItem: true,
                amount: type == .prorated ? unused : nil)
        }
    }

    /// What a revocation asks back of the ordinary transaction from before a migration, in
    /// milliunits.
    fileprivate func amount(
        of transaction: TransactionRecord, in subscription: Subscription, at moment: Instant
    ) -> Int64 {
        guard items.first?.type == .prorated else { return transaction.rest }
        let unused = subscription.plan.lines.reduce(0) { sum, line in
            sum + subscription.unused(of: line.sku, paidBy: transaction.id, at: moment)
        }
        return min(unused, transaction.rest)
    }
}

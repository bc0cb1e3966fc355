import SubscriptionRules

/// Books charges, refunds and reversals: who gains what of each.
extension UnitOfWork {
    /// Books what a transaction charged, line by line. Nothing to pay is not booked.
    func book(chargeOf transaction: TransactionRecord, at moment: Instant) {
        for line in transaction.charges where line.amount.milliunits > 0 {
            let split = transaction.commission.split(line.amount)
            stage(
                LedgerEntry(
                    sequence: nextNumber(), at: moment, kind: .charge,
                    transactionID: transaction.id, sku: line.sku,
                    customer: -line.amount.milliunits, developer: split.proceeds.milliunits,
                    store: split.commission.milliunits), of: transaction)
        }
    }

    /// Books that part of a transaction's price is given back, at the rate of the charge, or that
    /// what was given back is taken again (`reversal`). Each line bears its share.
    ///
    /// - Parameter before: what was given back before of what has one line, in milliunits.
    func book(
        _ kind: LedgerEntry.Kind, of refund: Money, in transaction: TransactionRecord,
        refundedBefore before: Int64 = 0, at moment: Instant
    ) {
        let charges = transaction.charges
        let shares = refund.shared(inProportionTo: charges.map(\.amount.milliunits))
        let sign: Int64 = kind == .reversal ? -1 : 1
        for (line, share) in zip(charges, shares) where charges.count == 1 || share > 0 {
            let split = transaction.commission.split(
                refund: Money(milliunits: share, refund.currency), of: line.amount,
                refundedBefore: before)
            stage(
                LedgerEntry(
                    sequence: nextNumber(), at: moment, kind: kind,
                    transactionID: transaction.id, sku: line.sku, customer: sign * share,
                    developer: -sign * split.proceeds.milliunits,
                    store: -sign * split.commission.milliunits), of: transaction)
        }
    }

    /// Books that what was paid for one item is given back, in full or in part, or is taken again
    /// (`reversal`).
    func book(
        _ kind: LedgerEntry.Kind, of item: ItemRefund, in transaction: TransactionRecord,
        at moment: Instant
    ) {
        guard let line = transaction.charges.first(where: { $0.sku == item.sku }) else { return }
        let refunded = line.amount.milliunits - transaction.rest(of: item.sku)
        let split = transaction.commission.split(
            refund: Money(milliunits: item.amount, transaction.price.currency), of: line.amount,
            refundedBefore: kind == .reversal ? refunded - item.amount : refunded)
        let sign: Int64 = kind == .reversal ? -1 : 1
        stage(
            LedgerEntry(
                sequence: nextNumber(), at: moment, kind: kind, transactionID: transaction.id,
                sku: line.sku, customer: sign * item.amount,
                developer: -sign * split.proceeds.milliunits,
                store: -sign * split.commission.milliunits), of: transaction)
    }
}

extension TransactionRecord {
    /// What was charged for each line; one without a SKU where it is the product alone.
    fileprivate var charges: [(sku: String?, amount: Money)] {
        guard !lines.isEmpty else { return [(nil, price)] }
        return lines.map { ($0.sku, Money(milliunits: $0.price, price.currency)) }
    }
}

import Storage
import SubscriptionRules

extension SubscriptionWork {
    /// Brings to the customer's family what the event did: in the same transaction, so that nobody
    /// ever sees the one without the other. Without a family nothing is read.
    func share(at moment: Instant) throws {
        guard customer.organiser != nil, record.subscription.state != .new else { return }
        let sharing = SharingWork(
            work, try work.sharedPurchase(record, of: customer), at: moment)
        try sharing.follow(amendments)
        try sharing.settle(isOpening: opened != nil, notices: notices)
    }
}

extension UnitOfWork {
    /// Brings to the purchaser's family what became of something that was bought once.
    ///
    /// - Parameter amendments: what was changed of its transaction; none where it was just bought.
    func share(
        _ transaction: TransactionRecord,
        _ amendments: [(id: Int64, amendment: TransactionAmendment)] = [], at moment: Instant
    ) throws {
        let product = try apps[transaction.app].product(transaction.productID)
        guard transaction.type.canBeShared, product?.isFamilyShareable == true,
            let current = try self.transaction(transaction.id),
            let purchaser = try Customer.find(transaction.customer, in: session),
            purchaser.organiser != nil
        else { return }
        let sharing = SharingWork(
            self, try sharedPurchase(current, of: purchaser), at: moment)
        try sharing.follow(amendments)
        try sharing.settle(isOpening: amendments.isEmpty)
    }

    /// Gives a family what it was to get later than the purchaser (FAM-4).
    func share(_ due: SharingDue) throws {
        try due.delete(in: session)
        try SharingWork(self, try sharedPurchase(source: due.id), at: due.moment).settle()
    }
}

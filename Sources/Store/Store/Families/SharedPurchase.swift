import Storage
import SubscriptionRules

/// A purchase that a family may share, as it stands.
struct SharedPurchase {
    let app: App
    let purchaser: Int64
    /// How fast time goes for the purchaser.
    let tempo: Tempo
    /// The purchaser's newest transaction.
    let newest: TransactionRecord
    /// The subscription; nil for what is bought once.
    let record: SubscriptionRecord?
    /// Whether the purchaser shares it, and its product can be shared: a change between plans of
    /// the same level takes that along at once (FAM-8).
    let isShared: Bool

    /// The purchaser's original transaction.
    var source: Int64 { newest.originalID }
    /// Whether it gives access now.
    var isEntitled: Bool { record?.subscription.isEntitled ?? (newest.revocation == nil) }
    /// Whether there is nothing left that could be lost.
    var isOver: Bool { record?.subscription.isOver ?? (newest.revocation != nil) }
}

extension UnitOfWork {
    /// A subscription as its purchaser's family may share it.
    func sharedPurchase(
        _ record: SubscriptionRecord, of purchaser: Customer
    ) throws -> SharedPurchase {
        let id = record.subscription.newestPeriod.transactionID
        guard let newest = try transaction(id) else {
            throw Stored.missing("transaction \(id)", for: "subscription \(record.subscription.id)")
        }
        return try sharedPurchase(
            newest, record, bought: record.subscription.serviceStart, by: purchaser)
    }

    /// What was bought once, as its purchaser's family may share it.
    func sharedPurchase(
        _ transaction: TransactionRecord, of purchaser: Customer
    ) throws -> SharedPurchase {
        try sharedPurchase(transaction, nil, bought: transaction.purchased, by: purchaser)
    }

    private func sharedPurchase(
        _ newest: TransactionRecord, _ record: SubscriptionRecord?, bought: Instant,
        by purchaser: Customer
    ) throws -> SharedPurchase {
        let app = try apps[newest.app]
        let choice = try SharingChoice.find(newest.originalID, in: session)
        return SharedPurchase(
            app: app, purchaser: purchaser.id, tempo: purchaser.tempo, newest: newest,
            record: record,
            isShared: try app.isShared(
                newest.productID, source: newest.originalID, bought: bought, choice: choice,
                by: purchaser, in: session))
    }

    /// Everything of a customer's that a family may share.
    func sharedPurchases(of purchaser: Customer) throws -> [SharedPurchase] {
        let records = try SubscriptionRecord.all(ofCustomer: purchaser.id, in: session)
        let once = try TransactionRecord.boughtOnce(byCustomer: purchaser.id, in: session)
        return try records.map { try sharedPurchase($0, of: purchaser) }
            + once.map { try sharedPurchase($0, of: purchaser) }
    }

    /// A purchase by its original transaction.
    func sharedPurchase(source: Int64) throws -> SharedPurchase {
        guard let transaction = try transaction(source),
            let purchaser = try Customer.find(transaction.customer, in: session)
        else { throw Stored.missing("transaction \(source)", for: "a share of it") }
        guard let subscription = transaction.subscription else {
            return try sharedPurchase(transaction, of: purchaser)
        }
        return try sharedPurchase(try load(subscription).record, of: purchaser)
    }
}

import AppStoreWire
import Journal
import Storage
import SubscriptionRules

extension Store {
    /// Asks, on behalf of the customer on a device, for the price of a transaction back. Renewal
    /// is turned off, the developer is asked about consumption, and a policy or the operator
    /// decides (REF-4, REF-5).
    ///
    /// - Throws: `StoreError.unknown(.transaction)`, `.refund(.alreadyRequested)`,
    ///   `.refund(.notRefundable)`, `.refund(.refused)`, `.family(.isShared)`.
    @discardableResult
    public func requestRefund(
        transaction id: Int64, _ reason: RefundRequest.Reason, by device: DeviceSession
    ) async throws -> RefundRequest {
        try await write(about: .customer(device.customer)) { work in
            try work.catchUp(customer: device.customer)
            guard let transaction = try TransactionRecord.find(id, in: work.session),
                transaction.customer == device.customer, transaction.app == device.app
            else { throw StoreError.unknown(.transaction, String(id)) }
            guard transaction.source == nil else {
                throw StoreError.family(.isShared(String(id)))
            }
            return try work.requestRefund(of: transaction, reason)
        }
    }
}

extension UnitOfWork {
    fileprivate func requestRefund(
        of transaction: TransactionRecord, _ reason: RefundRequest.Reason
    ) throws -> RefundRequest {
        guard transaction.price.milliunits > 0 else {
            throw StoreError.refund(.refused(.nothingPaid))
        }
        guard !transaction.isUpgraded else {
            throw StoreError.refund(
                .notRefundable(
                    String(transaction.id), reason: "an upgrade gave its unused share back already")
            )
        }
        guard transaction.revocation == nil else {
            throw StoreError.refund(.refused(.alreadyRevoked))
        }
        guard try RefundRequest.open(forTransaction: transaction.id, in: session) == nil else {
            throw StoreError.refund(.alreadyRequested(String(transaction.id)))
        }
        let app = try apps[transaction.app]
        // Then customers could do nothing that gave money back; support could (TAB-19).
        guard app.settings.era == .today else {
            throw StoreError.refund(
                .notRefundable(
                    String(transaction.id),
                    reason: "the app lives by the ways of 2012, when only customer support gave "
                        + "money back")
            )
        }
        var request = RefundRequest(
            id: nextNumber(), app: app.id, environment: transaction.environment,
            customer: transaction.customer, transactionID: transaction.id, reason: reason,
            requested: now)
        if app.settings.refundPolicy(in: transaction.environment) != .operatorDecides {
            request.decidesAt = now + (try answerTime(of: transaction))
        }
        try request.insert(in: session)
        if let subscription = transaction.subscription {
            let one = try self.subscription(subscription)
            try one.handle(
                .requestedRefund(transactionID: transaction.id), at: now,
                about: transaction.id, note: reason.rawValue)
        } else {
            try tell(
                .requestedRefund, .consumptionRequested, of: transaction, at: now,
                note: reason.rawValue)
        }
        return request
    }

    /// Tells the developer about a transaction that belongs to no subscription.
    func tell(
        _ kind: JournalEvent.Kind, _ notice: ServerNotification, of transaction: TransactionRecord,
        at moment: Instant,
        amendments: [TransactionAmendment] = [], refunded: Int64? = nil, note: String? = nil
    ) throws {
        for amendment in amendments { stage(amendment, of: transaction.id) }
        record(kind, at: moment) { entry in
            entry.app = transaction.app
            entry.customer = transaction.customer
            entry.event.transactionID = transaction.id
            entry.event.productID = transaction.productID
            entry.event.currency = transaction.price.currency.code
            entry.event.refunded = refunded
            entry.event.note = note
            entry.event.notices = [notice.journalText]
            entry.event.transactions = amendments.map { $0.changes(of: transaction.id) }
        }
        if try keepsNotifications(transaction.app, transaction.environment),
            let current = try self.transaction(transaction.id)
        {
            let presenter = try Presenter(
                try apps[transaction.app], customer: transaction.customer, in: session)
            notify(
                notice.type, notice.subtype, app: transaction.app,
                environment: transaction.environment, customer: transaction.customer, at: moment,
                transaction: presenter.transaction(current, signed: moment),
                detail: notice == .consumptionRequested ? note : nil)
        }
        guard !amendments.isEmpty else { return }
        try share(transaction, amendments.map { (transaction.id, $0) }, at: moment)
    }
}

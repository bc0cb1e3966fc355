import AppStoreSigning
public import AppStoreWire
import Journal
import Storage
import SubscriptionRules

/// The documented errors of requests.
private typealias Errors = APIError.AdvancedCommerce

extension Store {
    /// Asks for the money of items of one transaction (ACM-7). The app's policy decides, as of
    /// customers' requests: at once, or once the store has asked about consumption where the
    /// merchant wants that.
    ///
    /// - Parameter id: the transaction.
    /// - Returns: the transaction, and of a subscription what comes next.
    /// - Throws: `StoreError.advancedCommerce`.
    public func requestRefund(
        transaction id: Int64, _ request: AdvancedCommerceRequestRefundRequest, for caller: Caller
    ) async throws -> SignedSubscription {
        try await answer(request, transaction: id, isExact: true, for: caller) {
            work, command in
            let transaction = try work.refundable(id, for: caller)
            let place = RequestPrices(transaction.storefront)
            try place.check(storefront: request.storefront, currency: request.currency)
            let asked = ItemRefundRequest(request)
            for item in asked.items {
                if let amount = item.amount { try place.check(price: amount) }
            }
            let one = try transaction.subscription.map { try work.load($0) }
            try one?.keepName(request.requestInfo)
            try work.check(asked, of: transaction, now: work.now)
            try work.file(
                asked, of: transaction, one,
                asksConsumption: request.refundRiskingPreference, command)
            return transaction.subscription
        }
    }

    /// Ends a subscription as a whole, and asks for the money of its running cycle (ACM-7).
    ///
    /// - Parameter id: any transaction of the subscription.
    /// - Throws: `StoreError.advancedCommerce`.
    public func revoke(
        transaction id: Int64, _ request: AdvancedCommerceSubscriptionRevokeRequest,
        for caller: Caller
    ) async throws -> SignedSubscription {
        try await answer(request, transaction: id, for: caller) { work, command in
            let one = try work.merchantSubscription(of: id, for: caller)
            try RequestPrices(one.record.storefront).check(
                storefront: request.storefront, currency: nil)
            try one.keepName(request.requestInfo)
            let subscription = one.record.subscription
            guard !subscription.isOver else {
                throw StoreError.advancedCommerce(Errors.revokeOnInactiveSubscription)
            }
            let newest = subscription.newestPeriod.transactionID
            guard let transaction = try work.transaction(newest) else {
                throw Stored.missing("transaction \(newest)", for: "subscription")
            }
            let asked = ItemRefundRequest(request, of: subscription.plan)
            try work.checkSandbox(asked, caller.environment)
            guard try RefundRequest.open(forTransaction: newest, in: work.session) == nil else {
                throw StoreError.advancedCommerce(Errors.pendingRefund)
            }
            try work.file(
                asked, of: transaction, one,
                asksConsumption: request.refundRiskingPreference, command)
            return subscription.id
        }
    }
}

extension UnitOfWork {
    /// The transaction of a refund: one of a merchant's own, bought and not shared.
    fileprivate func refundable(_ id: Int64, for caller: Caller) throws -> TransactionRecord {
        let app = try apps.find(bundleID: caller.bundleID)
        guard let transaction = try TransactionRecord.find(id, in: session),
            transaction.app == app.id, transaction.environment == caller.environment
        else { throw StoreError.advancedCommerce(Errors.transactionIdNotFound) }
        try catchUp(customer: transaction.customer)
        guard let current = try self.transaction(id), current.advancedCommerce != nil,
            current.source == nil
        else { throw StoreError.advancedCommerce(Errors.transactionNotRefundable) }
        return current
    }

    fileprivate func checkSandbox(
        _ asked: ItemRefundRequest, _ environment: StoreEnvironment
    ) throws(StoreError) {
        guard !asked.isToBeDeclined || environment == .sandbox else {
            throw .advancedCommerce(Errors.simulateRefundDeclineOnlyInSandbox)
        }
    }

    fileprivate func check(
        _ asked: ItemRefundRequest, of transaction: TransactionRecord, now: Instant
    ) throws {
        try checkSandbox(asked, transaction.environment)
        guard transaction.revocation == nil else {
            throw StoreError.advancedCommerce(Errors.alreadyRefunded)
        }
        guard try RefundRequest.open(forTransaction: transaction.id, in: session) == nil else {
            throw StoreError.advancedCommerce(Errors.pendingRefund)
        }
        let subscription = try transaction.subscription.map { try load($0).record.subscription }
        let isNewest = subscription?.newestPeriod.transactionID == transaction.id
        for item in asked.items {
            guard let paid = transaction.paid(for: item.sku) else {
                throw StoreError.advancedCommerce(
                    Errors.productNotOwned.saying("\(item.sku) is not in the transaction."))
            }
            guard paid > 0 else {
                throw StoreError.advancedCommerce(
                    Errors.transactionNotRefundable.saying(
                        "Nothing was paid for \(item.sku) by this transaction."))
            }
            guard transaction.rest(of: item.sku) > 0 else {
                throw StoreError.advancedCommerce(Errors.alreadyRefunded)
            }
            guard item.type != .prorated || isNewest else {
                throw StoreError.advancedCommerce(Errors.proratedOnlyLatestTransaction)
            }
            guard item.amount ?? 0 <= transaction.rest(of: item.sku) else {
                throw StoreError.advancedCommerce(
                    Errors.insufficientFunds.saying(
                        "Of \(item.sku) \(transaction.rest(of: item.sku)) milliunits are left."))
            }
        }
        let ending = Set(asked.items.filter(\.endsItem).map(\.sku))
        if let subscription, !subscription.isOver,
            case let paid = subscription.items(paidBy: transaction.id),
            paid.count == subscription.plan.lines.count, ending.isSuperset(of: paid)
        {
            throw StoreError.advancedCommerce(
                Errors.removalAllNotAllowed.saying(
                    "Revoking all items of an active subscription: revoke the subscription."))
        }
    }

    /// Keeps a request, which the app's policy decides: at once, or after the developer was asked
    /// about consumption.
    ///
    /// - Parameter one: the subscription of the transaction.
    fileprivate func file(
        _ asked: ItemRefundRequest, of transaction: TransactionRecord, _ one: SubscriptionWork?,
        asksConsumption: Bool, _ command: Command
    ) throws {
        var request = RefundRequest(
            id: nextNumber(), app: transaction.app, environment: transaction.environment,
            customer: transaction.customer, transactionID: transaction.id, reason: asked.reason,
            requested: now)
        request.items = asked
        let policy = try apps[transaction.app].settings.refundPolicy(in: transaction.environment)
        if asksConsumption, policy != .operatorDecides {
            request.decidesAt = now + (try answerTime(of: transaction))
        }
        try request.insert(in: session)
        record(.askedForItems) { entry in
            entry.app = transaction.app
            entry.customer = transaction.customer
            entry.subscription = transaction.subscription
            entry.event.transactionID = transaction.id
            entry.commandID = command.id
            entry.event.asked = command.asked
        }
        guard asksConsumption else {
            // Who asks for the end of a subscription does not renew it.
            if asked.endsSubscription, let one, one.record.subscription.renewsAutomatically {
                try one.handle(.turnedRenewalOff, at: now)
                try writeStaged()
            }
            if policy != .operatorDecides { try decideByPolicy(request, at: now) }
            return
        }
        guard let one else {
            return try tell(
                .requestedRefund, .consumptionRequested, of: transaction, at: now,
                note: asked.reason.rawValue)
        }
        if asked.endsSubscription {
            try one.handle(
                .requestedRefund(transactionID: transaction.id), at: now, about: transaction.id,
                note: asked.reason.rawValue)
        } else {
            try one.tell(
                .requestedRefund, .consumptionRequested, about: transaction.id, at: now,
                note: asked.reason.rawValue)
        }
    }
}

import AppStoreSigning
public import AppStoreWire
import Journal
import Storage
import SubscriptionRules

/// The documented errors of requests.
private typealias Errors = APIError.AdvancedCommerce

/// What a developer's server asks for in Advanced Commerce (0036).
extension Store {
    /// Changes prices of a subscription's items, from the first renewal on that is a day away at
    /// least (ACP-1, ACP-2).
    ///
    /// - Parameter id: any transaction of the subscription.
    /// - Throws: `StoreError.advancedCommerce`.
    public func changePrices(
        transaction id: Int64, _ request: AdvancedCommerceSubscriptionPriceChangeRequest,
        for caller: Caller
    ) async throws -> SignedSubscription {
        try await carryOut(
            request, transaction: id, storefront: request.storefront, for: caller
        ) { one, command in
            let place = RequestPrices(one.record.storefront)
            try place.check(storefront: nil, currency: request.currency)
            for item in request.items { try place.check(price: item.price) }
            let changes = request.items.map {
                MerchantPriceChange(
                    sku: $0.sku, price: $0.price, dependents: $0.dependentSKUs ?? [])
            }
            do {
                try one.handle(.merchantChangedPrices(changes), at: one.work.now, command: command)
            } catch StoreError.refused(.priceNotChanged(.notActive)) {
                throw StoreError.advancedCommerce(
                    Errors.subscriptionNotEligible.saying(one.record.subscription.inactivity))
            }
        }
    }

    /// Turns renewal off; access lasts to the end of the period.
    ///
    /// - Parameter id: any transaction of the subscription.
    /// - Throws: `StoreError.advancedCommerce`.
    public func cancel(
        transaction id: Int64, _ request: AdvancedCommerceSubscriptionCancelRequest,
        for caller: Caller
    ) async throws -> SignedSubscription {
        try await carryOut(
            request, transaction: id, storefront: request.storefront, for: caller
        ) { one, command in
            guard !one.record.subscription.isOver else {
                throw StoreError.advancedCommerce(Errors.subscriptionNotEligible)
            }
            try one.handle(.turnedRenewalOff, at: one.work.now, command: command)
        }
    }

    /// Calls a subscription, or items of it, something else; what is delivered and what it costs
    /// stays (ACM-5).
    ///
    /// - Parameter id: any transaction of the subscription.
    /// - Throws: `StoreError.advancedCommerce`.
    public func changeMetadata(
        transaction id: Int64, _ request: AdvancedCommerceSubscriptionChangeMetadataRequest,
        for caller: Caller
    ) async throws -> SignedSubscription {
        try await carryOut(
            request, transaction: id, storefront: request.storefront, for: caller
        ) { one, command in
            guard !one.record.subscription.isOver else {
                throw StoreError.advancedCommerce(Errors.inactiveACASub)
            }
            for sku in (request.items ?? []).compactMap(\.sku) { try one.app.checkSKU(sku) }
            let isTaken = Errors.invalidProductChanges.saying(
                "Another item of the subscription is called so.")
            guard try one.canRename(request.items ?? []) else {
                throw StoreError.advancedCommerce(
                    one.hasItem(calledAsIn: request.items ?? [])
                        ? isTaken
                        : Errors.invalidProductChanges.saying(
                            "An item of the running cycle that has ended was called so."))
            }
            do {
                try one.handle(
                    .merchantDescribed(MerchantDescription(request)), at: one.work.now,
                    command: command)
            } catch StoreError.refused(.notModified(.changedItemMissing)) {
                throw StoreError.advancedCommerce(Errors.invalidProduct)
            } catch StoreError.refused(.notModified(.itemExists)) {
                throw StoreError.advancedCommerce(isTaken)
            }
        }
    }

    /// Finds the subscription, lets a request happen once, and signs what has become of it.
    private func carryOut(
        _ request: some WireEncodable & AdvancedCommerceCommand & Sendable, transaction id: Int64,
        storefront: String?, for caller: Caller,
        _ change: @escaping @Sendable (SubscriptionWork, Command) throws -> Void
    ) async throws -> SignedSubscription {
        try await answer(request, transaction: id, for: caller) { work, command in
            let one = try work.merchantSubscription(of: id, for: caller)
            try RequestPrices(one.record.storefront).check(storefront: storefront, currency: nil)
            try one.heed(request.requestInfo)
            try change(one, command)
            return one.record.subscription.id
        }
    }

    /// Lets a request happen once: repeated, it finds what was done. What it is about is signed as
    /// it is now.
    ///
    /// - Parameters:
    ///   - isExact: whether the answer is about that transaction, and not about the newest one of
    ///     its subscription.
    ///   - change: does what is asked, and says of which subscription it was.
    func answer(
        _ request: some WireEncodable & AdvancedCommerceCommand & Sendable, transaction id: Int64,
        isExact: Bool = false, for caller: Caller,
        _ change: @escaping @Sendable (UnitOfWork, Command) throws -> Int64?
    ) async throws -> SignedSubscription {
        let (transaction, renewal) = try await write(about: .transaction(id)) { work in
            let app = try work.apps.find(bundleID: caller.bundleID)
            // Any transaction of a subscription names it.
            let original = try TransactionRecord.find(id, in: work.session)?.originalID
            let command = app.command(
                of: request, to: isExact ? id : original ?? id, in: caller.environment)
            let subscription: Int64?
            if let earlier = try work.earlier(command.id) {
                guard earlier.event.asked.map(ExactText.init) == ExactText(command.asked) else {
                    throw StoreError.advancedCommerce(Errors.repeatedRequestReferenceId)
                }
                subscription = earlier.subscription
            } else {
                subscription = try StoreError.asAdvancedCommerce { try change(work, command) }
                try work.writeStaged()
            }
            return try work.payloads(id, isExact: isExact, of: subscription, in: app)
        }
        return SignedSubscription(
            transaction: try signer.sign(transaction),
            renewal: try renewal.map { try signer.sign($0) })
    }
}

/// What a server hears of what it changed: two signed texts.
public struct SignedSubscription: Sendable, Hashable {
    public let transaction: String
    /// Nil for what is no subscription.
    public let renewal: String?
}

extension UnitOfWork {
    /// The subscription of a transaction, as of now; it must be of what the merchant describes.
    func merchantSubscription(
        of id: Int64, for caller: Caller
    ) throws -> SubscriptionWork {
        let app = try apps.find(bundleID: caller.bundleID)
        guard let transaction = try TransactionRecord.find(id, in: session),
            transaction.app == app.id, transaction.environment == caller.environment
        else { throw StoreError.advancedCommerce(Errors.transactionIdNotFound) }
        guard let subscription = transaction.subscription else {
            throw StoreError.advancedCommerce(Errors.subscriptionDoesNotExist)
        }
        let one = try self.subscription(subscription)
        guard one.record.subscription.plan.merchant != nil, transaction.source == nil else {
            throw StoreError.advancedCommerce(Errors.subscriptionNotEligible)
        }
        return one
    }
}

extension SubscriptionWork {
    /// A request that knows how things stand, and the developer's own name for the customer, which
    /// holds from the next transaction on.
    func heed(_ info: AdvancedCommerceRequestInfo) throws(StoreError) {
        try checkToken(info)
        if let token = info.appAccountToken { record.appAccountToken = token.isEmpty ? nil : token }
    }

    /// The same for a request that may change nothing else about the subscription: the newest
    /// transaction has the name as well.
    func keepName(_ info: AdvancedCommerceRequestInfo) throws {
        try checkToken(info)
        guard let name = info.appAccountToken, !name.isEmpty, name != record.appAccountToken
        else { return }
        record.appAccountToken = name
        try adjust(
            .setAppAccountToken, about: record.subscription.newestPeriod.transactionID,
            .named(name))
        try work.writeStaged()
    }

    /// Who names a state of things means this one.
    func checkToken(_ info: AdvancedCommerceRequestInfo) throws(StoreError) {
        guard info.consistencyToken.map({ $0 == record.subscription.consistencyToken }) ?? true
        else { throw .advancedCommerce(Errors.invalidConsistencyToken) }
    }
}

extension UnitOfWork {
    /// A transaction and what comes next.
    fileprivate func payloads(
        _ id: Int64, isExact: Bool, of subscription: Int64?, in app: App
    ) throws -> (JWSTransactionDecodedPayload, JWSRenewalInfoDecodedPayload?) {
        let record = try subscription.map { try self.subscription($0).record }
        let newest = isExact ? nil : record?.subscription.newestPeriod.transactionID
        let id = newest ?? id
        guard let transaction = try transaction(id) else {
            throw Stored.missing("transaction \(id)", for: "a request")
        }
        let presenter = try Presenter(app, customer: transaction.customer, in: session)
        return (
            presenter.transaction(transaction, signed: now),
            record.map { presenter.renewalInfo($0, signed: now) }
        )
    }
}

extension MerchantDescription {
    fileprivate init(_ request: AdvancedCommerceSubscriptionChangeMetadataRequest) {
        self.init(
            words: request.descriptors.map {
                .init(
                    Words(displayName: $0.displayName, description: $0.description),
                    isImmediate: $0.effective == .immediately)
            },
            items: (request.items ?? []).map {
                Item(
                    $0.currentSKU, sku: $0.sku,
                    Words(displayName: $0.displayName, description: $0.description),
                    isImmediate: $0.effective == .immediately)
            }, taxCode: request.taxCode, requestID: request.requestInfo.requestReferenceId)
    }
}

extension Subscription {
    /// Why no prices are changed.
    fileprivate var inactivity: String {
        switch state {
        case .grace, .retrying:
            "The last renewal was not paid: change prices once it is."
        case .awaitingPayment: "The last renewal waits for its payment: change prices after it."
        case .new, .active, .expired, .revoked: "The subscription is not active."
        }
    }
}

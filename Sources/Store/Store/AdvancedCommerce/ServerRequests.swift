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
            let place = RequestPlace(one.record.storefront)
            try place.check(storefront: nil, currency: request.currency)
            for item in request.items { try place.check(price: item.price) }
            let changes = request.items.map {
                MerchantPriceChange(
                    sku: $0.sku, price: $0.price, dependents: $0.dependentSKUs ?? [])
            }
            try one.handle(.merchantChangedPrices(changes), at: one.work.now, command: command)
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

    /// Finds the subscription, lets a request happen once, and signs what has become of it.
    private func carryOut(
        _ request: some WireEncodable & AdvancedCommerceCommand & Sendable, transaction id: Int64,
        storefront: String?, for caller: Caller,
        _ change: @escaping @Sendable (SubscriptionWork, Command) throws -> Void
    ) async throws -> SignedSubscription {
        let (transaction, renewal) = try await write(about: .transaction(id)) { work in
            let one = try work.merchantSubscription(of: id, for: caller)
            let command = one.app.command(of: request, in: caller.environment)
            if let earlier = try work.earlier(command.id) {
                guard earlier.event.asked.map(ExactText.init) == ExactText(command.asked) else {
                    throw StoreError.advancedCommerce(Errors.repeatedRequestReferenceId)
                }
                return try one.payloads()
            }
            let place = RequestPlace(one.record.storefront)
            try place.check(storefront: storefront, currency: nil)
            let info = request.requestInfo
            if let token = info.consistencyToken,
                token != one.record.subscription.consistencyToken
            {
                throw StoreError.advancedCommerce(Errors.invalidConsistencyToken)
            }
            if let token = info.appAccountToken { one.name(token.isEmpty ? nil : token) }
            try change(one, command)
            return try one.payloads()
        }
        return SignedSubscription(
            transaction: try signer.sign(transaction), renewal: try signer.sign(renewal))
    }
}

/// What a server hears of a subscription that it changed: two signed texts.
public struct SignedSubscription: Sendable, Hashable {
    public let transaction: String
    public let renewal: String
}

extension UnitOfWork {
    /// The subscription of a transaction, as of now; it must be of what the merchant describes.
    fileprivate func merchantSubscription(
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
    /// The developer's own name for the customer, from the next transaction on.
    fileprivate func name(_ token: String?) { record.appAccountToken = token }

    /// The newest transaction and what comes next.
    fileprivate func payloads() throws -> (
        JWSTransactionDecodedPayload, JWSRenewalInfoDecodedPayload
    ) {
        let id = record.subscription.newestPeriod.transactionID
        guard let transaction = try work.transaction(id) else {
            throw Stored.missing("transaction \(id)", for: "subscription \(record.subscription.id)")
        }
        let presenter = try Presenter(app, customer: record.customer, in: work.session)
        return (
            presenter.transaction(transaction, signed: work.now),
            presenter.renewalInfo(record, signed: work.now)
        )
    }
}

public import AppStoreWire
import Journal
import Storage
import SubscriptionRules

/// The documented errors of requests.
private typealias Errors = APIError.AdvancedCommerce

extension Store {
    /// Lets a merchant's plan go on for an ordinary subscription: at once, at the same price and
    /// with the same renewal date, as a subscription of its own (ACM-6).
    ///
    /// - Parameter id: any transaction of the ordinary subscription.
    /// - Throws: `StoreError.advancedCommerce`.
    public func migrate(
        transaction id: Int64, _ request: AdvancedCommerceSubscriptionMigrateRequest,
        for caller: Caller
    ) async throws -> SignedSubscription {
        try await answer(request, transaction: id, for: caller) { work, command in
            let migration = try Migration(of: id, request, for: caller, in: work)
            return try migration.carryOut(command)
        }
    }
}

/// One subscription becoming a merchant's.
private struct Migration {
    let work: UnitOfWork
    let one: SubscriptionWork
    let target: Product
    let request: AdvancedCommerceSubscriptionMigrateRequest

    init(
        of id: Int64, _ request: AdvancedCommerceSubscriptionMigrateRequest, for caller: Caller,
        in work: UnitOfWork
    ) throws {
        let app = try work.apps.find(bundleID: caller.bundleID)
        guard let transaction = try TransactionRecord.find(id, in: work.session),
            transaction.app == app.id, transaction.environment == caller.environment
        else { throw StoreError.advancedCommerce(Errors.transactionIdNotFound) }
        guard let subscription = transaction.subscription else {
            throw StoreError.advancedCommerce(Errors.subscriptionDoesNotExist)
        }
        guard transaction.source == nil else {
            throw StoreError.advancedCommerce(Errors.productNotOwned)
        }
        guard let target = app.product(request.targetProductId), target.deleted == nil else {
            throw StoreError.advancedCommerce(Errors.productNotFound)
        }
        guard target.isGeneric, target.subscription != nil else {
            throw StoreError.advancedCommerce(Errors.invalidTargetProductId)
        }
        self.work = work
        self.target = target
        self.request = request
        one = try work.subscription(subscription)
        try check()
    }

    private func check() throws {
        let record = one.record
        let subscription = record.subscription
        let place = RequestPrices(record.storefront)
        try place.check(storefront: request.storefront, currency: nil)
        let isMigrated = try TransactionRecord.isMigrated(
            subscription.id, ofCustomer: record.customer, in: work.session)
        guard subscription.plan.merchant == nil, !isMigrated else {
            throw StoreError.advancedCommerce(Errors.subscriptionAlreadyMigrated)
        }
        guard case .active = subscription.state, subscription.outstanding == nil else {
            throw StoreError.advancedCommerce(
                Errors.subscriptionNotEligible.saying("The subscription is not active."))
        }
        guard one.customer.storefront == record.storefront else {
            throw StoreError.advancedCommerce(Errors.storefrontChange)
        }
        let product = one.app.product(subscription.plan.productID)
        let plans = [subscription.plan] + [subscription.nextPlan].compactMap(\.self)
        guard plans.allSatisfy({ $0.billing == .upFront && $0.lines.count == 1 }),
            product?.isFamilyShareable != true
        else {
            throw StoreError.advancedCommerce(
                Errors.productNotEligible.saying(
                    "What is shared with families, billed monthly or of several lines stays."))
        }
        // It renews at the price that was agreed.
        guard subscription.renewalPlan.lines[0].offer == nil else {
            throw StoreError.advancedCommerce(
                Errors.productNotEligible.saying(
                    "An offer holds for the next period: migrate when it is over."))
        }
        guard (request.renewalItems != nil) == (subscription.nextPlan != nil) else {
            throw StoreError.advancedCommerce(Errors.pendingChangesMismatch)
        }
        // One that is only on its way comes along (ACS-9).
        guard subscription.increases.values.allSatisfy({ $0.isAccepted == nil }) else {
            throw StoreError.advancedCommerce(
                Errors.migrationNotAllowedWhenPriceIncreaseCommunicated)
        }
        let skus = Set(
            request.items.map(\.sku) + (request.renewalItems ?? []).map(\.sku))
        for sku in skus { try one.app.checkSKU(sku) }
        let owned = try work.merchantItems(
            of: one.customer, record.app, groupID: target.subscription?.groupID ?? "")
        guard owned.isDisjoint(with: skus) else {
            throw StoreError.advancedCommerce(Errors.subscriptionAlreadyExists)
        }
    }

    /// - Returns: the merchant's subscription.
    func carryOut(_ command: Command) throws -> Int64 {
        let old = one.record
        let running = old.subscription.plan
        let items = request.items.map {
            ($0.sku, DisplayTexts(displayName: $0.displayName, description: $0.description))
        }
        let plan = plan(items, of: running, from: old.subscription)
        let next = old.subscription.nextPlan.map { waiting in
            self.plan(
                (request.renewalItems ?? []).map {
                    (
                        $0.sku,
                        DisplayTexts(displayName: $0.displayName, description: $0.description)
                    )
                }, of: waiting, from: old.subscription)
        }
        let paid = Money(
            milliunits: old.subscription.newestPeriod.price, plan.currency)
        let shares = paid.shared(inProportionTo: plan.lines.map(\.price))
        try one.handle(.wasMigrated, at: work.now)
        let info = request.requestInfo
        let record = SubscriptionRecord(
            app: old.app, environment: old.environment, customer: old.customer,
            storefront: old.storefront,
            appAccountToken: info.appAccountToken.map { $0.isEmpty ? nil : $0 }
                ?? old.appAccountToken,
            firstPurchased: work.now,
            subscription: Subscription(
                new: work.nextTransactionID(in: old.environment),
                groupID: target.subscription?.groupID ?? "", plan: plan, at: work.now))
        let new = SubscriptionWork(
            work: work, app: one.app, customer: one.customer, record: record)
        try new.handle(
            .merchantMigrated(from: old.subscription, to: plan, next: next, shares: shares),
            at: work.now, command: command)
        return new.record.subscription.id
    }

    /// A merchant's plan at the price of an ordinary one, which its items share: the first ones
    /// bear what is left over.
    private func plan(
        _ items: [(String, DisplayTexts)], of ordinary: Plan, from old: Subscription
    ) -> Plan {
        let step = ordinary.currency.step
        func parts(of price: Int64) -> [Int64] {
            let (steps, rest) = price.quotientAndRemainder(dividingBy: step)
            let (each, more) = steps.quotientAndRemainder(dividingBy: Int64(items.count))
            return items.indices.map { place in
                (each + (place < more ? 1 : 0)) * step + (place == 0 ? rest : 0)
            }
        }
        let prices = parts(of: ordinary.lines[0].price)
        // A higher price that waits for the first period of what is to come (ACS-9).
        let raised = ordinary.lines[0].raised.map(parts)
        return Plan(
            productID: target.id, level: target.subscription?.level ?? 1, period: ordinary.period,
            lines: items.enumerated().map { place, item in
                Plan.Line(
                    sku: item.0, price: prices[place], raised: raised?[place], texts: item.1)
            },
            currency: ordinary.currency,
            merchant: MerchantPlan(
                texts: DisplayTexts(
                    displayName: request.descriptors.displayName,
                    description: request.descriptors.description),
                taxCode: request.taxCode, requestID: request.requestInfo.requestReferenceId,
                migratedFrom: old.id))
    }
}

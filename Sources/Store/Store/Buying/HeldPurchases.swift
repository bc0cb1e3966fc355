import AppStoreWire
import Storage
public import SubscriptionRules

/// A purchase that waits, or waited, as the operator sees it.
public struct HeldPurchaseEntry: Sendable, Hashable {
    public let request: HeldPurchase
    /// The app that sells it.
    public let bundleID: String
    /// Whose it is.
    public let account: String
    /// What was charged, or what it would cost if it were approved now, offers included; of a plan
    /// that waits for the renewal what it costs there. Nil where nothing was charged for it, where
    /// it cannot be had any more, where a merchant's plan is to change, of which the store says so
    /// only then, and where a merchant asks for it in the currency of another storefront.
    public let price: Money?
    /// The transaction that it became; nil where there is none, or not yet.
    public let transactionID: Int64?
}

extension Store {
    /// The requests of an environment, newest first.
    ///
    /// - Parameters:
    ///   - state: only those in this state; nil for all.
    ///   - reason: only those that wait for this; nil for all.
    ///   - account: only those of this one; nil for all.
    ///   - before: the number of the last one of the page before; nil for the newest.
    /// - Throws: `StoreError.unknown(.account)`.
    public func heldPurchases(
        _ state: HeldPurchase.State? = nil, reason: HeldPurchase.Reason? = nil,
        account: String? = nil, before: Int64? = nil, limit: Int, in environment: StoreEnvironment
    ) async throws -> [HeldPurchaseEntry] {
        try await read { reader in
            let customer = try account.map { account in
                guard
                    let found = try Customer.find(
                        account: account, environment, in: reader.session)
                else { throw StoreError.unknown(.account, account) }
                return found.id
            }
            return try reader.entries(
                HeldPurchase.page(
                    environment, state: state, reason: reason, customer: customer, before: before,
                    limit: limit, in: reader.session))
        }
    }

    /// What the customer on a device waits for, newest first.
    public func heldPurchases(for device: DeviceSession) async throws -> [HeldPurchaseEntry] {
        try await read { reader in
            try reader.entries(
                HeldPurchase.page(
                    device.environment, state: .waiting, reason: nil, customer: device.customer,
                    before: nil, limit: 200, in: reader.session
                ).filter { $0.app == device.app })
        }
    }

    /// One request.
    ///
    /// - Throws: `StoreError.unknown(.purchaseRequest)`.
    public func heldPurchase(
        _ id: Int64, in environment: StoreEnvironment
    ) async throws -> HeldPurchaseEntry {
        try await read { reader in
            guard let held = try HeldPurchase.find(id, in: reader.session),
                held.environment == environment,
                let entry = try reader.entries([held]).first
            else { throw StoreError.unknown(.purchaseRequest, String(id)) }
            return entry
        }
    }
}

extension StoreReader {
    fileprivate func entries(_ all: [HeldPurchase]) throws -> [HeldPurchaseEntry] {
        try all.map { held in
            guard let customer = try Customer.find(held.customer, in: session) else {
                throw Stored.missing(
                    "customer \(held.customer)", for: "held_purchase \(held.id)")
            }
            let app = try apps[held.app]
            let storefront =
                try held.subscription.flatMap {
                    try SubscriptionRecord.find($0, in: session)?.storefront
                } ?? customer.storefront
            return HeldPurchaseEntry(
                request: held, bundleID: app.bundleID, account: customer.account,
                price: try price(of: held, customer, app, in: storefront),
                transactionID: try held.bill.flatMap {
                    try TransactionRecord.find($0, in: session)?.id
                })
        }
    }
}

extension StoreReader {
    private func price(
        of held: HeldPurchase, _ customer: Customer, _ app: App, in storefront: Storefront
    ) throws -> Money? {
        if let bill = held.bill { return try BillRecord.find(bill, in: session)?.amount }
        guard held.state == .waiting, let product = app.product(held.productID),
            product.deleted == nil
        else { return nil }
        // What was asked in another currency cannot be had where the customer is now.
        func money(_ milliunits: Int64, _ currency: String) -> Money? {
            currency == storefront.currency.code
                ? Money(milliunits: milliunits, storefront.currency) : nil
        }
        switch held.advancedCommerce {
        case .createOneTimeCharge(let request):
            return money(request.item.price, request.currency)
        case .createSubscription(let request):
            return money(request.items.reduce(0) { $0 + $1.price }, request.currency)
        case .modifySubscription, .reactivateSubscription: return nil
        case nil:
            let offers = PurchaseOffers(
                app: app, customer: customer, product: product, asked: held.offer, now: now,
                seed: try World.seed(in: session), session: session)
            do {
                return try held.price(of: product, with: offers)
            } catch is StoreError {
                return nil
            }
        }
    }
}

extension HeldPurchase {
    /// What the bank would be asked for.
    ///
    /// - Throws: `StoreError` for what would be refused.
    fileprivate func price(of product: Product, with offers: PurchaseOffers) throws -> Money {
        let (app, customer) = (offers.app, offers.customer)
        guard let terms = product.subscription else {
            let price = try offers.oneTimeChoice().price
            return Money(milliunits: price.milliunits * Int64(quantity), price.currency)
        }
        let running = try offers.running(in: terms.groupID)
        let storefront = offers.storefront(for: running)
        let listed = try app.plan(of: product, billing, in: storefront, customer.environment)
        var choice = PurchaseOffers.Choice(plan: listed)
        if let lines {
            choice.plan.lines = lines
        } else {
            choice = try offers.choice(of: listed, terms, for: running, in: storefront)
        }
        guard let running else { return choice.plan.amount }
        let conditions = app.conditions(for: customer, in: storefront)
        let plan = running.returning(
            to: choice.plan, in: storefront, at: offers.now, under: conditions)
        var trial = running.subscription
        do throws(Refusal) {
            let chosen = Event.chosePlan(plan, grantsIntroductory: choice.grantsIntroductory)
            let actions = try trial.handle(chosen, at: offers.now, under: conditions) { .max }
            for case .charge(let bill) in actions { return bill.plan.amount }
            return trial.planOfNextTerm(in: conditions.zone).amount
        } catch {
            throw StoreError.refused(error)
        }
    }
}

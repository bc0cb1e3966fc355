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
    /// What it would cost if it were approved now, offers aside; nil where the product was deleted,
    /// where a merchant's plan is to change, of which the store says so only then, and where a
    /// merchant asks for it in the currency of another storefront.
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
                price: app.product(held.productID).flatMap { held.price(of: $0, in: storefront) },
                transactionID: try held.bill.flatMap {
                    try TransactionRecord.find($0, in: session)?.id
                })
        }
    }
}

extension HeldPurchase {
    fileprivate func price(of product: Product, in storefront: Storefront) -> Money? {
        guard product.deleted == nil else { return nil }
        // What was asked in another currency cannot be had where the customer is now.
        func money(_ milliunits: Int64, _ currency: String) -> Money? {
            currency == storefront.currency.code
                ? Money(milliunits: milliunits, storefront.currency) : nil
        }
        switch advancedCommerce {
        case .createOneTimeCharge(let request):
            return money(request.item.price, request.currency)
        case .createSubscription(let request):
            return money(request.items.reduce(0) { $0 + $1.price }, request.currency)
        case .modifySubscription, .reactivateSubscription: return nil
        case nil:
            return product.price(billing, in: storefront).map {
                Money(milliunits: $0.milliunits * Int64(quantity), $0.currency)
            }
        }
    }
}

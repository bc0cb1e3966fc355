import Storage
public import SubscriptionRules

/// The subscribers of a product in a storefront who pay the same, in both environments together: a
/// price holds in both.
public struct PriceCohort: Sendable, Hashable {
    public let storefront: Storefront
    /// How they are billed: what they pay is for a month of a commitment, or for the whole period.
    public let billing: BillingPlan
    /// What they pay for a period once no offer runs, in milliunits.
    public let price: Int64
    /// How many subscriptions there are that are not over.
    public internal(set) var subscribers: Int64 = 0
    /// How many of them have a higher price on its way: that they pay this one is no promise.
    public internal(set) var moving: Int64 = 0
    /// How many of `subscribers` are in Sandbox.
    public internal(set) var sandboxSubscribers: Int64 = 0
    /// How many of `moving` are in Sandbox.
    public internal(set) var sandboxMoving: Int64 = 0

    /// Whether somebody goes on paying it, so that it can be moved.
    public var isKept: Bool { subscribers > moving }
}

extension Store {
    /// What the subscribers of a product pay, storefront by storefront, the cheapest first. Prices
    /// of the product that are live by now are brought to all of them before.
    ///
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`.
    public func priceCohorts(product: String, bundleID: String) async throws -> [PriceCohort] {
        let isOnItsWay = try await read { reader in
            let app = try reader.apps.find(bundleID: bundleID)
            return try ScheduledPrice.isOnItsWay(
                product, app: app.id, by: reader.now, in: reader.session)
        }
        if isOnItsWay { try await catchUp() }
        return try await read { reader in
            let app = try reader.apps.find(bundleID: bundleID)
            guard app.product(product) != nil else { throw StoreError.unknown(.product, product) }
            var cohorts: [Storefront: [Paid: PriceCohort]] = [:]
            let counts = try SubscriptionRecord.plans(of: product, app: app.id, in: reader.session)
            for count in counts {
                let paid = Paid(billing: count.plan.billing, price: count.plan.price.milliunits)
                cohorts[count.storefront, default: [:]][
                    paid,
                    default: PriceCohort(
                        storefront: count.storefront, billing: paid.billing, price: paid.price)
                ].add(count)
            }
            return cohorts.sorted { $0.key.code < $1.key.code }.flatMap { _, prices in
                // Those who pay up front first.
                prices.values.sorted {
                    ($0.billing.rawValue, $0.price) < ($1.billing.rawValue, $1.price)
                }
            }
        }
    }
}

/// What tells cohorts of a storefront apart.
private struct Paid: Hashable {
    let billing: BillingPlan
    let price: Int64
}

extension PriceCohort {
    fileprivate mutating func add(_ count: SubscriptionRecord.PlanCount) {
        subscribers += count.all
        moving += count.moving
        guard count.isSandbox else { return }
        sandboxSubscribers += count.all
        sandboxMoving += count.moving
    }
}

import NaiveModel
import Store
import SubscriptionRules

/// Years that are billed monthly, asked of the real store.
extension Player {
    func play(_ deed: CommitmentDeed, _ index: Int) async throws -> Outcome {
        switch deed {
        case .buy(let name, let product, let token):
            _ = try await store.buy(
                PurchaseRequest(
                    productID: product, billing: .monthly, appAccountToken: token,
                    idempotencyKey: "key\(index)"),
                by: devices[name]!)
        case .choose(let name, let group, let product, let billing):
            return try await change(name, group, .product(product, BillingPlan(billing)))
        case .set(let product, let price, let isSold):
            try await store.setMonthlyBilling(
                price: Int64(price), isEnabled: isSold, product: product,
                bundleID: OpenWorld.bundleID)
        case .price(let product, let country, let price):
            try await store.setPrice(
                Int64(price), .monthly, product: product, storefront: country.storefront,
                bundleID: OpenWorld.bundleID)
        case .schedule(let product, let country, let price, let moment, let isPreserving):
            try await schedule(
                PriceOrder(
                    productID: product, billing: .monthly, storefront: country.storefront,
                    price: Int64(price), start: OpenWorld.instant(moment),
                    existing: isPreserving ? .preserve : .apply))
        case .withdraw(let product, let country):
            try await store.withdrawScheduledPrice(
                product: product, .monthly, storefront: country.storefront,
                bundleID: OpenWorld.bundleID)
        case .raise(let product, let country, let cohort, let price, let moment):
            try await schedule(
                PriceOrder(
                    productID: product, billing: .monthly, storefront: country.storefront,
                    price: Int64(price), start: OpenWorld.instant(moment), existing: .apply,
                    cohortPrice: Int64(cohort)))
        }
        return .done
    }
}

extension BillingPlan {
    init(_ billing: Billing) { self = billing == .monthly ? .monthly : .upFront }
}

extension Billing {
    init(_ plan: BillingPlan) { self = plan == .monthly ? .monthly : .upFront }

    /// In words for people, of what is seldom.
    var text: String { self == .monthly ? " by the month" : "" }
}

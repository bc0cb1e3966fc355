import Journal
public import SubscriptionRules

extension App {
    /// Whether a product can be bought and renewed under a billing plan in a storefront: a year
    /// that is billed monthly is sold in all but a few, in Sandbox too (CMT-1).
    public func isForSale(
        _ productID: String, _ billing: BillingPlan, in storefront: Storefront,
        _ environment: StoreEnvironment
    ) -> Bool {
        guard isForSale(productID, in: storefront, environment) else { return false }
        switch billing {
        case .upFront: return true
        case .monthly:
            return product(productID)?.subscription?.monthlyBilling?.isSold(in: storefront) ?? false
        }
    }

    /// Whether a plan can be bought and renewed in a storefront.
    func isForSale(
        _ plan: Plan, in storefront: Storefront, _ environment: StoreEnvironment
    ) -> Bool {
        isForSale(plan.productID, plan.billing, in: storefront, environment)
    }

    /// The plan that a product stands for, as it can be bought now.
    ///
    /// - Parameter isKept: whether the customer has it, and may keep it whether it is for sale or
    ///   not.
    /// - Throws: `StoreError.purchase(.notForSale)`, `.purchase(.notBilledMonthly)`.
    func plan(
        of product: Product, _ billing: BillingPlan, in storefront: Storefront,
        _ environment: StoreEnvironment, isKept: Bool = false
    ) throws(StoreError) -> Plan {
        guard isKept || isForSale(product.id, in: storefront, environment) else {
            throw .purchase(.notForSale(product.id))
        }
        guard isKept || isForSale(product.id, billing, in: storefront, environment),
            let plan = product.plan(billing, in: storefront)
        else {
            let isSold = product.subscription?.monthlyBilling?.isEnabled ?? false
            throw .purchase(.notBilledMonthly(product.id, in: isSold ? storefront : nil))
        }
        return plan
    }
}

extension Subscription {
    /// The month of the running commitment, from 1, and when that ends; nil outside of one.
    public func commitment(in zone: BillingZone) -> (month: Int, ends: Instant)? {
        guard let month = newestPeriod.instalment, let end = commitmentEnd(in: zone) else {
            return nil
        }
        return (month, end)
    }
}

extension Store {
    /// Sets what a yearly product costs a month where it is billed monthly, and whether that is
    /// sold: for new purchases; subscribers keep what they pay, and what they have agreed to.
    ///
    /// - Parameters:
    ///   - price: in milliunits, as a number in every currency; nil leaves it as it is.
    /// - Throws: `StoreError.unknown(.app)`, `.unknown(.product)`, `.setting(.productDeleted)`,
    ///   `.subscription(.notASubscription)`; `.setting(.invalid)` for what is no year, for a price
    ///   that cannot be, and where none was ever set.
    public func setMonthlyBilling(
        price: Int64?, isEnabled: Bool, product productID: String, bundleID: String
    ) async throws {
        try await changeApp(bundleID, .setPrice) { work, app in
            var product = try app.kept(productID)
            guard let terms = product.subscription else {
                throw StoreError.subscription(.notASubscription(productID))
            }
            guard terms.period == Commitment.period else {
                throw StoreError.setting(
                    .invalid(
                        "productId",
                        reason: "only what lasts \(Commitment.period.iso8601) can be billed monthly"
                    ))
            }
            guard let price = price ?? terms.monthlyBilling?.basePrice else {
                throw StoreError.setting(.invalid("price", reason: "say what a month costs"))
            }
            guard (1...Catalogue.largestPrice).contains(price) else {
                throw StoreError.setting(
                    .invalid(
                        "price", reason: "it must be 1 to \(Catalogue.largestPrice) milliunits"))
            }
            let prices = terms.monthlyBilling?.prices ?? [:]
            product.subscription?.monthlyBilling = MonthlyBilling(
                basePrice: price, prices: prices, isEnabled: isEnabled)
            try app.save(Catalogue(groups: [], products: [product]), in: work.session)
        }
    }
}

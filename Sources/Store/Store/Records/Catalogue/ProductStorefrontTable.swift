import Storage
import SubscriptionRules

/// What was set for a product in a storefront: its price there, and whether it is for sale.
enum ProductStorefront {
    /// Sets the price that one billing event has, in milliunits of the storefront's currency.
    static func save(
        price: Int64, _ billing: BillingPlan = .upFront, of productID: String, app: Int64,
        in storefront: Storefront, _ session: any Session
    ) throws {
        let column = billing == .monthly ? "monthly_price" : "price"
        try session.execute(
            """
            INSERT INTO product_storefront (app, product_id, storefront, \(raw: column))
            VALUES (\(app), \(productID), \(storefront.code), \(price))
            ON CONFLICT (app, product_id, storefront)
            DO UPDATE SET \(raw: column) = excluded.\(raw: column)
            """)
    }

    /// Sets whether it is for sale.
    ///
    /// - Parameter storefront: nil for all of them.
    static func save(
        isForSale: Bool, _ productID: String, app: Int64, in storefront: Storefront?,
        _ session: any Session
    ) throws {
        try session.execute(
            """
            INSERT INTO product_storefront (app, product_id, storefront, is_for_sale)
            VALUES (\(app), \(productID), \(storefront?.code ?? ""), \(isForSale))
            ON CONFLICT (app, product_id, storefront)
            DO UPDATE SET is_for_sale = excluded.is_for_sale
            """)
    }
}

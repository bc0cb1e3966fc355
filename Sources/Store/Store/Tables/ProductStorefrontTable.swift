import Storage
import SubscriptionRules

/// What was set for a product in a storefront: its price there, and whether it is for sale.
enum ProductStorefront {
    /// Sets the price, in milliunits of the storefront's currency.
    static func save(
        price: Int64, of productID: String, app: Int64, in storefront: Storefront,
        _ session: any Session
    ) throws {
        try session.execute(
            """
            INSERT INTO product_storefront (app, product_id, storefront, price)
            VALUES (\(app), \(productID), \(storefront.code), \(price))
            ON CONFLICT (app, product_id, storefront) DO UPDATE SET price = excluded.price
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

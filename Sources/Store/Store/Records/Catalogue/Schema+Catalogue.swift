/// What apps sell, and what was set for storefronts.
extension Schema {
    static let catalogue = [subscriptionGroup, product, productStorefront]

    private static let subscriptionGroup = TableDefinition(
        "subscription_group",
        """
        app INT64 NOT NULL REFERENCES app (id),
        id TEXT NOT NULL,
        ordinal INT64 NOT NULL,
        definition TEXT NOT NULL,
        PRIMARY KEY (app, id)
        """)

    /// The row of a deleted product stays, for those who bought it, and so that its identifier
    /// never comes back.
    private static let product = TableDefinition(
        "product",
        """
        app INT64 NOT NULL REFERENCES app (id),
        id TEXT NOT NULL,
        ordinal INT64 NOT NULL,
        definition TEXT NOT NULL,
        deleted_at INT64,
        PRIMARY KEY (app, id)
        """)

    /// What was set for a product in a storefront; an empty storefront means all of them.
    private static let productStorefront = TableDefinition(
        "product_storefront",
        """
        app INT64 NOT NULL,
        product_id TEXT NOT NULL,
        storefront TEXT NOT NULL,
        price INT64 CHECK (price >= 0),
        monthly_price INT64 CHECK (monthly_price > 0),
        is_for_sale INT64 CHECK (is_for_sale IN (0, 1)),
        PRIMARY KEY (app, product_id, storefront),
        FOREIGN KEY (app, product_id) REFERENCES product (app, id)
        """)
}

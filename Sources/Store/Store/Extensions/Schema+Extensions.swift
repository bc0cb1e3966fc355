/// Extensions of renewal dates for all subscribers of a product.
extension Schema {
    static let extensions = [massExtension, massExtensionFailure]

    /// An extension for all subscribers of a product; `reached` is the last subscription that was
    /// looked at.
    private static let massExtension = TableDefinition(
        "mass_extension",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        request_identifier TEXT NOT NULL,
        product_id TEXT NOT NULL,
        storefronts TEXT,
        days INT64 NOT NULL CHECK (days BETWEEN 1 AND 90),
        reason INT64 NOT NULL,
        created_at INT64 NOT NULL,
        reached INT64 NOT NULL,
        candidates INT64 NOT NULL,
        succeeded INT64 NOT NULL,
        failed INT64 NOT NULL,
        failing INT64 NOT NULL,
        completed_at INT64,
        UNIQUE (app, environment, request_identifier)
        """,
        indexes: [
            "CREATE INDEX mass_extension_due ON mass_extension (created_at, id) "
                + "WHERE completed_at IS NULL",
            "CREATE INDEX mass_extension_list ON mass_extension (environment, id)",
        ])

    /// Why subscriptions were not extended by a mass extension: one row each.
    private static let massExtensionFailure = TableDefinition(
        "mass_extension_failure",
        """
        mass_extension INT64 NOT NULL REFERENCES mass_extension (id),
        subscription INT64 NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (mass_extension, subscription)
        """)
}

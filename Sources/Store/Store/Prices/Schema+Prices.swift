/// Prices to come, and when a higher one needs consent.
extension Schema {
    static let prices = [priceChange, consentThreshold]

    /// A price that will be live, or is going or went live: one is scheduled at a time for a
    /// product, a storefront and a billing plan (PRC-2). While it goes live, `reached` is the last
    /// subscription that it was brought to. One that is taken back stays and is done, so that
    /// whatever looks for prices that are to go live passes it over.
    private static let priceChange = TableDefinition(
        "price_change",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        product_id TEXT NOT NULL,
        billing_plan TEXT NOT NULL DEFAULT 'BILLED_UPFRONT',
        storefront TEXT NOT NULL,
        price INT64 NOT NULL CHECK (price >= 0),
        cohort_price INT64,
        for_cohort INT64 NOT NULL CHECK (for_cohort IN (0, 1)),
        existing TEXT NOT NULL CHECK (existing IN ('preserve', 'apply')),
        scheduled_at INT64,
        starts_at INT64 NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('scheduled', 'going', 'done')),
        reached INT64 NOT NULL,
        subscribers INT64 NOT NULL,
        withdrawn_at INT64 CHECK (withdrawn_at IS NULL OR state = 'done'),
        replaced_by INT64
            CHECK (replaced_by IS NULL OR withdrawn_at IS NOT NULL AND replaced_by > id)
        """,
        indexes: [
            "CREATE INDEX price_change_due ON price_change (starts_at, id) "
                + "WHERE state <> 'done'",
            "CREATE INDEX price_change_list ON price_change (app, product_id, id)",
            "CREATE UNIQUE INDEX price_change_open ON price_change "
                + "(app, product_id, storefront, billing_plan) WHERE state = 'scheduled'",
        ])

    /// What was set in a storefront: the amounts, both of which have one day, and whether every
    /// increase needs consent. What is NULL is as this version has it built in.
    private static let consentThreshold = TableDefinition(
        "consent_threshold",
        """
        storefront TEXT PRIMARY KEY,
        always_consent INT64 CHECK (always_consent IN (0, 1)),
        non_annual INT64 CHECK (non_annual >= 0),
        annual INT64 CHECK (annual >= 0),
        as_of INT64 CHECK (as_of >= 0),
        CHECK (as_of IS NOT NULL OR (non_annual IS NULL AND annual IS NULL)),
        CHECK (as_of IS NOT NULL OR always_consent IS NOT NULL)
        """)
}

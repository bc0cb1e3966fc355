/// What subscribers share with the publisher of an app.
extension Schema {
    static let sharingWithPublishers = [optInTerms, optIn]

    /// Under which names an app asks subscribers to share their data, and how a yes is rewarded.
    private static let optInTerms = TableDefinition(
        "opt_in_terms",
        """
        app KEY64 REFERENCES app (id),
        names TEXT NOT NULL,
        bonus TEXT
        """)

    /// What a subscriber answered. What is shared is in this row and nowhere else, so that a
    /// revocation erases it.
    private static let optIn = TableDefinition(
        "opt_in",
        """
        subscription KEY64,
        id INT64 NOT NULL UNIQUE,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        customer INT64 NOT NULL REFERENCES customer (id),
        state TEXT NOT NULL CHECK (state IN ('shared', 'declined', 'revoked')),
        product_id TEXT NOT NULL,
        storefront TEXT NOT NULL,
        answered_at INT64 NOT NULL,
        name TEXT,
        email TEXT,
        postal_code TEXT,
        bonus TEXT,
        CHECK ((state = 'shared') = (name IS NOT NULL)),
        CHECK ((state = 'shared') = (email IS NOT NULL)),
        CHECK (state = 'shared' OR postal_code IS NULL)
        """,
        indexes: [
            "CREATE INDEX opt_in_report ON opt_in (app, environment, id) WHERE state = 'shared'",
            "CREATE INDEX opt_in_of_customer ON opt_in (customer)",
        ])
}

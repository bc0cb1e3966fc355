import Storage

extension Schema {
    /// Since this version customers may share their data with an app's publisher. What they share
    /// is in one row, and nowhere else.
    static let optIns = Migration("0032 sharing with the publisher") { dialect in
        [
            table(
                "opt_in_terms",
                """
                app KEY64 REFERENCES app (id),
                names TEXT NOT NULL,
                bonus TEXT
                """),
            table(
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
                """),
        ].map { $0(dialect) }
            + [
                "CREATE INDEX opt_in_report ON opt_in (app, environment, id) "
                    + "WHERE state = 'shared'",
                "CREATE INDEX opt_in_of_customer ON opt_in (customer)",
            ]
    }
}

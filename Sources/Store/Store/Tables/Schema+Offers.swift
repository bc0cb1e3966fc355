import Storage

extension Schema {
    /// Signatures of offers that were used up; codes that were made, and those that were redeemed.
    static let offers = Migration("0022 offers") { dialect in
        [
            table(
                "offer_signature",
                """
                app INT64 NOT NULL REFERENCES app (id),
                environment INT64 NOT NULL,
                nonce TEXT NOT NULL,
                used_at INT64 NOT NULL,
                PRIMARY KEY (app, environment, nonce)
                """),
            table(
                "offer_code_batch",
                """
                id KEY64,
                environment INT64 NOT NULL,
                app INT64 NOT NULL REFERENCES app (id),
                ordinal INT64 NOT NULL,
                product_id TEXT NOT NULL,
                offer_id TEXT NOT NULL,
                code TEXT,
                codes INT64 NOT NULL CHECK (codes > 0),
                redeemed INT64 NOT NULL DEFAULT 0 CHECK (redeemed BETWEEN 0 AND codes),
                made_at INT64 NOT NULL,
                expires_at INT64,
                ended_at INT64,
                UNIQUE (app, environment, ordinal),
                UNIQUE (app, environment, code)
                """),
            table(
                "offer_redemption",
                """
                customer INT64 NOT NULL REFERENCES customer (id),
                app INT64 NOT NULL,
                product_id TEXT NOT NULL,
                offer_id TEXT NOT NULL,
                batch INT64 NOT NULL REFERENCES offer_code_batch (id),
                place INT64,
                bill INT64,
                redeemed_at INT64 NOT NULL,
                PRIMARY KEY (customer, app, product_id, offer_id),
                UNIQUE (batch, place)
                """),
        ].map { $0(dialect) }
    }
}

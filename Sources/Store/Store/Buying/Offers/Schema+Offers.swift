/// Signatures and codes of offers that were used.
extension Schema {
    static let offers = [offerSignature, offerCodeBatch, offerRedemption]

    /// A signature of an offer that was used up, even by an attempt that was refused.
    private static let offerSignature = TableDefinition(
        "offer_signature",
        """
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        nonce TEXT NOT NULL,
        used_at INT64 NOT NULL,
        PRIMARY KEY (app, environment, nonce)
        """)

    /// Codes that were made together. Those that are good once are derived (0028); `code` is the
    /// text of a custom one, and `redeemed` how often that was redeemed.
    private static let offerCodeBatch = TableDefinition(
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
        """)

    /// Who redeemed which code: a customer an offer once, and a code that is good once, `place`,
    /// one customer.
    private static let offerRedemption = TableDefinition(
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
        """)
}

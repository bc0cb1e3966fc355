/// Purchases that somebody else lets happen.
extension Schema {
    static let purchasesThatWait = [heldPurchase]

    /// A purchase that waits for an organiser's approval, or for the customer to settle what
    /// interrupted it. A repeated request joins the one that waits (ATB-2).
    private static let heldPurchase = TableDefinition(
        "held_purchase",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        customer INT64 NOT NULL REFERENCES customer (id),
        subscription INT64,
        product_id TEXT NOT NULL,
        billing_plan TEXT,
        quantity INT64 NOT NULL,
        app_account_token TEXT,
        lines TEXT,
        offer TEXT,
        advanced_commerce TEXT,
        reason TEXT NOT NULL,
        state TEXT NOT NULL,
        asked_at INT64 NOT NULL,
        lapses_at INT64 CHECK ((state = 'waiting') = (lapses_at IS NOT NULL)),
        decided_at INT64 CHECK ((state = 'waiting') = (decided_at IS NULL)),
        bill INT64,
        obstacle TEXT CHECK (obstacle IS NULL OR (state = 'approved' AND bill IS NULL))
        """,
        indexes: [
            "CREATE UNIQUE INDEX held_purchase_waiting ON held_purchase "
                + "(customer, app, product_id) WHERE state = 'waiting'",
            "CREATE INDEX held_purchase_due ON held_purchase (lapses_at, id) "
                + "WHERE lapses_at IS NOT NULL",
        ])
}

import Storage

extension Schema {
    /// Since this version a purchase can wait for an organiser's approval, or for the customer to
    /// settle what interrupted it, and an account can be kept from paying at all.
    static let holding = Migration("0025 purchases that wait") { dialect in
        let flag = "\(dialect.integer) NOT NULL"
        return [
            "ALTER TABLE customer ADD COLUMN asks_to_buy \(flag) DEFAULT 0 "
                + "CHECK (asks_to_buy IN (0, 1))",
            "ALTER TABLE customer ADD COLUMN interrupts_purchases \(flag) DEFAULT 0 "
                + "CHECK (interrupts_purchases IN (0, 1))",
            "ALTER TABLE customer ADD COLUMN can_make_payments \(flag) DEFAULT 1 "
                + "CHECK (can_make_payments IN (0, 1))",
            "ALTER TABLE app ADD COLUMN sandbox_approves_purchases \(flag) DEFAULT 1 "
                + "CHECK (sandbox_approves_purchases IN (0, 1))",
            heldPurchase(dialect),
            // A repeated request joins the one that waits (ATB-2).
            "CREATE UNIQUE INDEX held_purchase_waiting ON held_purchase "
                + "(customer, app, product_id) WHERE state = 'waiting'",
            "CREATE INDEX held_purchase_due ON held_purchase (lapses_at, id) "
                + "WHERE lapses_at IS NOT NULL",
        ]
    }

    private static let heldPurchase = table(
        "held_purchase",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        customer INT64 NOT NULL REFERENCES customer (id),
        subscription INT64,
        product_id TEXT NOT NULL,
        quantity INT64 NOT NULL,
        app_account_token TEXT,
        lines TEXT,
        offer TEXT,
        reason TEXT NOT NULL,
        state TEXT NOT NULL,
        asked_at INT64 NOT NULL,
        lapses_at INT64 CHECK ((state = 'waiting') = (lapses_at IS NOT NULL)),
        decided_at INT64 CHECK ((state = 'waiting') = (decided_at IS NULL)),
        bill INT64,
        obstacle TEXT CHECK (obstacle IS NULL OR (state = 'approved' AND bill IS NULL))
        """)
}

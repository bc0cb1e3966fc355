import Storage

extension Schema {
    /// Years that are billed monthly: which month of its commitment a period is, what a transaction
    /// says of that, prices of a month and the changes of them, and how a purchase that waits is to
    /// be billed.
    static let commitments = Migration("0029 commitments") { dialect in
        [
            "ALTER TABLE subscription ADD COLUMN instalment \(dialect.integer) "
                + "CHECK (instalment BETWEEN 1 AND 12)",
            "ALTER TABLE store_transaction ADD COLUMN billing_plan TEXT",
            "ALTER TABLE store_transaction ADD COLUMN instalment \(dialect.integer) "
                + "CHECK (instalment BETWEEN 1 AND 12)",
            "ALTER TABLE store_transaction ADD COLUMN commitment_ends_at \(dialect.integer)",
            "ALTER TABLE store_transaction ADD COLUMN commitment_price \(dialect.integer) "
                + "CHECK (commitment_price >= 0)",
            "ALTER TABLE product_storefront ADD COLUMN monthly_price \(dialect.integer) "
                + "CHECK (monthly_price > 0)",
            "ALTER TABLE held_purchase ADD COLUMN billing_plan TEXT",
            "ALTER TABLE price_change ADD COLUMN billing_plan TEXT NOT NULL "
                + "DEFAULT 'BILLED_UPFRONT'",
            "DROP INDEX price_change_open",
            "CREATE UNIQUE INDEX price_change_open ON price_change "
                + "(app, product_id, storefront, billing_plan) WHERE state = 'scheduled'",
        ]
    }
}

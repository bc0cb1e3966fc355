import Storage

extension Schema {
    /// Since this version merchants sell what they describe themselves: transactions keep what was
    /// said of it, bills of what is bought once too, and apps who tells of higher prices.
    static let advancedCommerce = Migration("0034 Advanced Commerce") { _ in
        [
            "ALTER TABLE store_transaction ADD COLUMN advanced_commerce TEXT",
            "ALTER TABLE bill ADD COLUMN advanced_commerce TEXT "
                + "CHECK (advanced_commerce IS NULL OR purpose = 'oneTimePurchase')",
            "ALTER TABLE held_purchase ADD COLUMN advanced_commerce TEXT",
            "ALTER TABLE app ADD COLUMN price_change_route TEXT NOT NULL DEFAULT 'storeManaged'",
        ]
    }
}

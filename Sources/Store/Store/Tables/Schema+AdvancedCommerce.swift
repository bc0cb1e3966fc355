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

    /// Of what a merchant describes itself a customer may have several subscriptions in the group,
    /// which may go on for ordinary ones; and refunds are asked for item by item.
    static let severalInGroup = Migration("0036 several in a group") { dialect in
        let columns =
            subscriptionColumnsOfBills + ", "
            + "outstanding, offers_used, lines, conversion, instalment"
        return rebuildSubscription(
            more: """
                outstanding TEXT, offers_used TEXT, lines TEXT, conversion TEXT,
                instalment INT64 CHECK (instalment BETWEEN 1 AND 12),
                separate_id INT64,
                """, isOneInGroup: false, copying: columns, dialect)
            + [
                "ALTER TABLE store_transaction ADD COLUMN previous_original \(dialect.integer)",
                "ALTER TABLE refund_request ADD COLUMN items TEXT",
                "CREATE UNIQUE INDEX subscription_of_group ON subscription "
                    + "(customer, app, group_id, COALESCE(separate_id, 0))",
            ]
    }
}

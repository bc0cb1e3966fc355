import Storage

extension Schema {
    /// Subscriptions of several lines, and which offers were ever taken up.
    static let lines = Migration("0011 lines") { dialect in
        [
            "ALTER TABLE subscription ADD COLUMN offers_used TEXT",
            "ALTER TABLE subscription ADD COLUMN lines TEXT",
            "ALTER TABLE store_transaction ADD COLUMN lines TEXT",
            "ALTER TABLE ledger ADD COLUMN sku TEXT",
            offersOfBefore,
        ]
    }

    /// The history of offers in a world of before: the introductory offer, taken up when the first
    /// of its transactions was bought, be it that an upgrade cut that one short.
    static let offersOfBefore = """
        UPDATE subscription SET offers_used = (
            SELECT '{"offers":[{"kind":1,"id":"","at":' || MIN(t.purchased_at) || '}]}'
            FROM store_transaction t
            WHERE t.subscription = subscription.id AND t.offer_kind = 1)
        WHERE used_introductory = 1
        """
}

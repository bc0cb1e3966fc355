import Storage

/// What must hold among the rows of families.
extension CheckRule {
    static let families =
        [
            refers("family_share", "source", to: "store_transaction"),
            refers("family_share", "newest", to: "store_transaction"),
            refers("family_share", "subscription", to: "subscription"),
            refers("store_transaction", "source", to: "store_transaction"),
            refers("sharing_due", "id", to: "store_transaction"),
            refers("sharing_choice", "source", to: "store_transaction", naming: "source"),
        ] + people + purchases

    private static let people = [
        CheckRule(
            "family", "it has no organiser",
            """
            SELECT f.id FROM family f WHERE NOT EXISTS (
                SELECT 1 FROM family_member m WHERE m.family = f.id AND m.place = 0)
            """),
        CheckRule(
            "customer", "its organiser is not that of its family",
            """
            SELECT c.id FROM customer c LEFT JOIN family_member m ON m.customer = c.id
            LEFT JOIN family_member o ON o.family = m.family AND o.place = 0
            WHERE COALESCE(c.organiser, 0) <> COALESCE(o.customer, 0)
            """),
        CheckRule(
            "customer", "its family is in another environment",
            """
            SELECT c.id FROM customer c JOIN family_member m ON m.customer = c.id
            JOIN family f ON f.id = m.family WHERE f.environment <> c.environment
            """),
    ]

    private static let purchases = [
        CheckRule(
            "family_share", "it goes on between two who are in no family together",
            """
            SELECT h.id FROM family_share h
            JOIN customer p ON p.id = h.purchaser JOIN customer m ON m.id = h.member
            WHERE h.ended_at IS NULL AND (p.organiser IS NULL OR m.organiser IS NULL
                OR p.organiser <> m.organiser)
            """),
        CheckRule(
            "family_share", "its purchase is not its purchaser's, or its transaction not its own",
            """
            SELECT h.id FROM family_share h
            JOIN store_transaction s ON s.id = h.source
            JOIN store_transaction t ON t.id = h.newest
            WHERE s.customer <> h.purchaser OR s.app <> h.app OR s.source IS NOT NULL
                OR t.customer <> h.member OR t.original_id <> h.id OR t.source IS NULL
            """),
        CheckRule(
            "store_transaction", "it is another product than what it was shared from",
            """
            SELECT t.id FROM store_transaction t JOIN store_transaction s ON s.id = t.source
            WHERE t.product_id <> s.product_id OR t.app <> s.app OR t.kind <> s.kind
                OR t.environment <> s.environment OR t.customer = s.customer
            """),
        CheckRule(
            "store_transaction", "it is shared, and somebody paid for it",
            "SELECT t.id FROM store_transaction t WHERE t.source IS NOT NULL AND t.price <> 0"),
        CheckRule(
            "store_transaction", "it ends at another moment than what it was shared from",
            """
            SELECT t.id FROM family_share h JOIN store_transaction t ON t.id = h.newest
            JOIN store_transaction s ON s.id = t.source
            WHERE h.ended_at IS NULL AND t.revoked_at IS NULL
                AND COALESCE(t.expires_at, 0) <> COALESCE(s.expires_at, 0)
            """),
    ]
}

import Storage

/// Something that must hold among rows, as a query for those of which it does not.
struct CheckRule: Sendable {
    let table: String
    /// What is wrong with a row that the query finds.
    let what: String
    /// Selects identifiers; without a limit.
    let query: SQL

    init(_ table: String, _ what: String, _ query: SQL) {
        self.table = table
        self.what = what
        self.query = query
    }

    /// A row names another one by a column.
    static func refers(
        _ table: String, _ column: String, to other: String, key: String = "id",
        naming id: String = "id"
    ) -> CheckRule {
        CheckRule(
            table, "it names a row of \(other) that is not there",
            """
            SELECT a.\(raw: id) FROM \(raw: table) a WHERE a.\(raw: column) IS NOT NULL
                AND NOT EXISTS (
                    SELECT 1 FROM \(raw: other) b WHERE b.\(raw: key) = a.\(raw: column))
            """)
    }

    static func all(_ dialect: Dialect) -> [CheckRule] {
        rows + families + devices + numbers(dialect)
    }

    private static let rows: [CheckRule] =
        [
            refers("subscription", "app", to: "app"),
            refers("app_key", "app", to: "app"),
            refers("opt_in", "subscription", to: "subscription", naming: "subscription"),
            refers("subscription", "customer", to: "customer"),
            refers("subscription", "term_transaction", to: "store_transaction"),
            refers("store_transaction", "app", to: "app"),
            refers("store_transaction", "customer", to: "customer"),
            refers("store_transaction", "original_id", to: "store_transaction"),
            refers("store_transaction", "subscription", to: "subscription"),
            refers("ledger", "transaction_id", to: "store_transaction", naming: "sequence"),
            refers("refund_request", "transaction_id", to: "store_transaction"),
            refers("refund_request", "customer", to: "customer"),
            refers("letter_due", "id", to: "customer"),
            refers("customer_ahead", "customer", to: "customer", naming: "customer"),
            refers(
                "mass_extension_failure", "mass_extension", to: "mass_extension",
                naming: "subscription"),
            refers(
                "mass_extension_failure", "subscription", to: "subscription",
                naming: "subscription"),
            refers("bill", "app", to: "app"),
            refers("bill", "customer", to: "customer"),
            refers("bill", "subscription", to: "subscription"),
            CheckRule(
                "bill", "it is paid and no transaction bears its number",
                """
                SELECT b.id FROM bill b WHERE b.state IN ('paid', 'reversed') AND NOT EXISTS (
                    SELECT 1 FROM store_transaction t WHERE t.id = b.id)
                """),
            CheckRule(
                "bill", "it is not answered, and its subscription does not wait for it",
                """
                SELECT b.id FROM bill b JOIN subscription s ON s.id = b.subscription
                WHERE b.state IN ('sent', 'pending') AND b.voiding = 0 AND s.outstanding IS NULL
                """),
            CheckRule(
                "subscription", "it waits for a bill that there is not",
                """
                SELECT s.id FROM subscription s WHERE s.outstanding IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM bill b
                    WHERE b.subscription = s.id AND b.state IN ('sent', 'pending'))
                """),
            CheckRule(
                "price_change", "it is scheduled for a product that was deleted",
                """
                SELECT c.id FROM price_change c
                JOIN product p ON p.app = c.app AND p.id = c.product_id
                WHERE c.state = 'scheduled' AND p.deleted_at IS NOT NULL
                """),
            CheckRule(
                "product of app", "one was deleted that is for sale",
                """
                SELECT p.app FROM product p WHERE p.deleted_at IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM product_storefront s
                    WHERE s.app = p.app AND s.product_id = p.id AND s.storefront = ''
                        AND s.is_for_sale = 0)
                """),
            refers("held_purchase", "app", to: "app"),
            refers("held_purchase", "customer", to: "customer"),
            refers("held_purchase", "subscription", to: "subscription"),
            CheckRule(
                "held_purchase", "it was bought with a bill that there is not",
                """
                SELECT h.id FROM held_purchase h WHERE h.bill IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM bill b WHERE b.id = h.bill)
                    AND NOT EXISTS (SELECT 1 FROM store_transaction t WHERE t.id = h.bill)
                """),
            refers("errand", "bill", to: "bill"),
            refers("errand", "customer", to: "customer"),
            refers("notification", "app", to: "app"),
            refers("notification", "customer", to: "customer"),
            refers("mail", "app", to: "app"),
            refers("mail", "customer", to: "customer"),
            CheckRule(
                "store_transaction", "its buyer has no copy of the app",
                """
                SELECT t.id FROM store_transaction t WHERE NOT EXISTS (
                    SELECT 1 FROM customer_app a
                    WHERE a.customer = t.customer AND a.app = t.app)
                """),
            CheckRule(
                "subscription", "it is in another environment than its customer",
                """
                SELECT s.id FROM subscription s JOIN customer c ON c.id = s.customer
                WHERE s.environment <> c.environment
                """),
        ] + commitments + books

    private static let commitments = [
        CheckRule(
            "subscription", "its newest transaction is another month of the commitment",
            """
            SELECT s.id FROM subscription s JOIN store_transaction t ON t.id = s.term_transaction
            WHERE COALESCE(s.instalment, 0) <> COALESCE(t.instalment, 0)
            """),
        CheckRule(
            "store_transaction", "it is a month of a commitment of which it does not say enough",
            """
            SELECT t.id FROM store_transaction t
            WHERE (t.instalment IS NULL AND t.commitment_ends_at IS NOT NULL)
                OR (t.instalment IS NOT NULL AND (t.commitment_ends_at IS NULL
                    OR t.commitment_price IS NULL OR t.billing_plan IS NULL))
            """),
    ]

    private static let books = [
        CheckRule(
            "ledger", "what the three parties gain is not nothing together",
            "SELECT sequence FROM ledger WHERE customer + developer + store <> 0"),
        CheckRule(
            "store_transaction", "the ledger books another amount for it",
            """
            SELECT t.id FROM store_transaction t
            LEFT JOIN ledger l ON l.transaction_id = t.id
            GROUP BY t.id, t.price, t.refunded
            HAVING COALESCE(SUM(l.customer), 0) <> COALESCE(t.refunded, 0) - t.price
            """),
    ]

    /// Whatever gets the next number must be the first with it.
    private static func numbers(_ dialect: Dialect) -> [CheckRule] {
        [
            ("journal", "sequence"), ("ledger", "sequence"), ("notification", "id"),
            ("mail", "id"),
            ("price_change", "id"), ("mass_extension", "id"), ("refund_request", "id"),
            ("held_purchase", "id"), ("fault", "id"), ("customer", "id"), ("app", "id"),
            ("family", "id"), ("device", "id"),
        ].map { table, key in
            CheckRule(
                table, "its number is still to be given out",
                """
                SELECT \(raw: key) FROM \(raw: table)
                WHERE \(raw: key) >= \(raw: World.comingNumber(dialect))
                """)
        }
    }
}

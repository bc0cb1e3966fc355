/// Payments that take time, and what a bank outside of the database is asked.
extension Schema {
    static let bills = [bill, errand, bankCursor]

    /// A bill that was not paid at once. One that was is its transaction, which bears the bill's
    /// identifier.
    private static let bill = TableDefinition(
        "bill",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL CHECK (environment IN (0, 1)),
        customer INT64 NOT NULL REFERENCES customer (id),
        subscription INT64,
        purpose TEXT NOT NULL,
        product_id TEXT NOT NULL,
        group_id TEXT,
        offer_id TEXT CHECK (offer_id IS NULL OR purpose = 'oneTimePurchase'),
        quantity INT64 NOT NULL CHECK (quantity >= 1),
        amount INT64 NOT NULL CHECK (amount >= 0),
        currency TEXT NOT NULL,
        storefront TEXT NOT NULL,
        app_account_token TEXT,
        content TEXT,
        advanced_commerce TEXT
            CHECK (advanced_commerce IS NULL OR purpose = 'oneTimePurchase'),
        state TEXT NOT NULL CHECK (state IN (
            'sent', 'pending', 'paid', 'declined', 'void', 'reversed')),
        voiding INT64 NOT NULL CHECK (voiding IN (0, 1)),
        made_at INT64 NOT NULL,
        changed_at INT64 NOT NULL,
        answer TEXT,
        answer_at INT64,
        next_at INT64,
        CHECK (next_at IS NULL OR state IN ('sent', 'pending'))
        """,
        indexes: [
            "CREATE INDEX bill_due ON bill (next_at, id) WHERE next_at IS NOT NULL",
            "CREATE INDEX bill_of_customer ON bill (customer, id)",
            "CREATE INDEX bill_of_customer_due ON bill (customer, next_at, id) "
                + "WHERE next_at IS NOT NULL",
            "CREATE INDEX bill_of_subscription ON bill (subscription, id) "
                + "WHERE subscription IS NOT NULL",
            "CREATE INDEX bill_state ON bill (environment, state, id)",
        ])

    /// What is asked of a bank outside of the database, about a payment or a refund. Its moments
    /// are the machine's.
    private static let errand = TableDefinition(
        "errand",
        """
        id KEY64,
        kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund')),
        bill INT64 NOT NULL REFERENCES bill (id),
        customer INT64 NOT NULL REFERENCES customer (id),
        amount INT64 NOT NULL CHECK (amount > 0),
        currency TEXT NOT NULL,
        bank_method TEXT,
        present INT64 NOT NULL CHECK (present IN (0, 1)),
        phase TEXT NOT NULL CHECK (phase IN ('asking', 'voiding', 'settled')),
        refund_state TEXT CHECK (refund_state IN ('accepted', 'done', 'failed')),
        sent_at INT64,
        next_at INT64,
        quiet INT64 NOT NULL,
        not_known INT64 NOT NULL,
        hints INT64 NOT NULL,
        trouble TEXT,
        CHECK ((kind = 'payment') = (id = bill)),
        CHECK ((kind = 'payment') = (bank_method IS NOT NULL)),
        CHECK (kind = 'payment' OR phase <> 'voiding'),
        CHECK (kind = 'refund' OR refund_state IS NULL)
        """,
        indexes: [
            "CREATE INDEX errand_due ON errand (next_at, id) WHERE next_at IS NOT NULL",
            "CREATE INDEX errand_voiding ON errand (customer, id) WHERE phase = 'voiding'",
            "CREATE INDEX errand_of_customer ON errand (customer, id)",
            "CREATE INDEX errand_of_bill ON errand (bill, id)",
            "CREATE INDEX errand_trouble ON errand (id) WHERE trouble IS NOT NULL",
        ])

    /// How far the bank's list of changes was read; one row at most.
    private static let bankCursor = TableDefinition(
        "bank_cursor",
        """
        id KEY64 CHECK (id = 1),
        place TEXT NOT NULL
        """)
}

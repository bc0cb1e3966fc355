import Storage

/// What a bank outside of the database needs.
extension Schema {
    static let errands = Migration("0010 errands to a bank") { dialect in
        [
            errand(dialect), bankCursor(dialect),
            "CREATE INDEX errand_due ON errand (next_at, id) WHERE next_at IS NOT NULL",
            "CREATE INDEX errand_voiding ON errand (customer, id) WHERE phase = 'voiding'",
            "CREATE INDEX errand_of_customer ON errand (customer, id)",
            "CREATE INDEX errand_of_bill ON errand (bill, id)",
            "CREATE INDEX errand_trouble ON errand (id) WHERE trouble IS NOT NULL",
            "ALTER TABLE customer ADD COLUMN bank_method TEXT",
            "ALTER TABLE customer ADD COLUMN bank_refusal TEXT",
        ]
    }

    /// What is asked of the bank, about a payment or a refund. Its moments are the machine's.
    private static let errand = table(
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
        """)

    /// How far the bank's list of changes was read; one row at most.
    private static let bankCursor = table(
        "bank_cursor",
        """
        id KEY64 CHECK (id = 1),
        place TEXT NOT NULL
        """)
}

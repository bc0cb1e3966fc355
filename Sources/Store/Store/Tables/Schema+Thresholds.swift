import Storage

extension Schema {
    /// What the operator sets for consent, whether the limit of the Small Business Program is
    /// heeded, and an index by which an account's pages of the ledger are found.
    static let thresholds = Migration("0013 thresholds and the small business limit") { dialect in
        [
            consentThreshold(dialect),
            "ALTER TABLE app ADD COLUMN small_business_limit \(dialect.integer) NOT NULL "
                + "DEFAULT 1 CHECK (small_business_limit IN (0, 1))",
            "CREATE INDEX ledger_of_transaction ON ledger (transaction_id, sequence)",
        ]
    }

    /// What was set in a storefront: the amounts, both of which have one day, and whether every
    /// increase needs consent. What is NULL is as this version has it built in.
    private static let consentThreshold = table(
        "consent_threshold",
        """
        storefront TEXT PRIMARY KEY,
        always_consent INT64 CHECK (always_consent IN (0, 1)),
        non_annual INT64 CHECK (non_annual >= 0),
        annual INT64 CHECK (annual >= 0),
        as_of INT64 CHECK (as_of >= 0),
        CHECK (as_of IS NOT NULL OR (non_annual IS NULL AND annual IS NULL)),
        CHECK (as_of IS NOT NULL OR always_consent IS NOT NULL)
        """)
}

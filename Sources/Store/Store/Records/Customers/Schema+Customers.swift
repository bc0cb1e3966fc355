/// Accounts, and what they have of apps besides purchases.
extension Schema {
    static let customers = [customer, customerApp, customerAhead]

    /// An account. `organiser` names the organiser of its family, whose row is locked for all of
    /// the family (0030): without a family nothing more is read.
    private static let customer = TableDefinition(
        "customer",
        """
        id KEY64,
        environment INT64 NOT NULL CHECK (environment IN (0, 1)),
        account TEXT NOT NULL,
        storefront TEXT NOT NULL,
        locale TEXT NOT NULL,
        email TEXT,
        created_at INT64 NOT NULL,
        sandbox_speed INT64 NOT NULL,
        declines INT64 NOT NULL CHECK (declines IN (0, 1)),
        declines_until INT64,
        declines_left INT64 CHECK (declines_left > 0),
        answers_later INT64 NOT NULL DEFAULT 0 CHECK (answers_later IN (0, 1)),
        answers_after INT64 CHECK (answers_after > 0),
        bank_method TEXT,
        bank_refusal TEXT,
        can_make_payments INT64 NOT NULL DEFAULT 1 CHECK (can_make_payments IN (0, 1)),
        asks_to_buy INT64 NOT NULL DEFAULT 0 CHECK (asks_to_buy IN (0, 1)),
        interrupts_purchases INT64 NOT NULL DEFAULT 0 CHECK (interrupts_purchases IN (0, 1)),
        organiser INT64,
        shares_new INT64 NOT NULL DEFAULT 1 CHECK (shares_new IN (0, 1)),
        hears_of_sharing INT64 NOT NULL DEFAULT 1 CHECK (hears_of_sharing IN (0, 1)),
        UNIQUE (environment, account)
        """,
        indexes: [
            "CREATE INDEX customer_of_organiser ON customer (organiser) "
                + "WHERE organiser IS NOT NULL"
        ])

    /// A customer's copy of an app.
    private static let customerApp = TableDefinition(
        "customer_app",
        """
        customer INT64 NOT NULL REFERENCES customer (id),
        app INT64 NOT NULL REFERENCES app (id),
        app_transaction_id INT64 NOT NULL UNIQUE,
        acquired_at INT64 NOT NULL,
        PRIMARY KEY (customer, app)
        """)

    /// Customers for whom a command has settled what jobs that are under way have in store for
    /// them: all that were due by `moment` and have a lower number. So no customer waits for work
    /// on others.
    private static let customerAhead = TableDefinition(
        "customer_ahead",
        """
        customer KEY64 REFERENCES customer (id),
        moment INT64 NOT NULL,
        number INT64 NOT NULL
        """)
}

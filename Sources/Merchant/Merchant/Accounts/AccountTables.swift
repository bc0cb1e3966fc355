import Storage

/// The tables of accounts: who has what, what has happened to that, and other names.
enum AccountTables {
    static func statements(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return bindings(dialect) + [
            // A name that stands here is no account's own any more.
            """
            CREATE TABLE account_alias (
                app \(integer) NOT NULL REFERENCES app (id),
                alias TEXT NOT NULL,
                account \(integer) NOT NULL REFERENCES account (id),
                since_at \(integer) NOT NULL,
                PRIMARY KEY (app, alias)
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX account_alias_of_account ON account_alias (account)",
            "CREATE INDEX account_token_of_account ON account_token (account)",
            // Purchases whose tokens are not kept any more.
            """
            CREATE TABLE erased_purchase (
                purchase \(integer) NOT NULL PRIMARY KEY REFERENCES purchase (id),
                erased_at \(integer) NOT NULL
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX purchase_unowned ON purchase (id) WHERE account IS NULL",
            """
            CREATE INDEX transaction_register_of_product
            ON transaction_register (product_id, purchase)
            """,
            // What was bought on a day, and what runs without a price.
            """
            CREATE INDEX transaction_register_by_date
            ON transaction_register (purchased_at, purchase, transaction_id)
            """,
            """
            CREATE INDEX transaction_register_free
            ON transaction_register (expires_at, purchase) WHERE price = 0
            """,
        ]
    }

    private static func bindings(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        let kinds = AccountTransfer.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return [
            // `purchase.account` is the one that owns it; all that have it stand here.
            """
            CREATE TABLE binding (
                purchase \(integer) NOT NULL REFERENCES purchase (id),
                account \(integer) NOT NULL REFERENCES account (id),
                how TEXT NOT NULL,
                since_at \(integer) NOT NULL,
                since_version \(integer) NOT NULL,
                until_at \(integer),
                until_version \(integer),
                PRIMARY KEY (purchase, account, since_version)
            )\(dialect.tableOptions)
            """,
            """
            CREATE UNIQUE INDEX binding_open ON binding (purchase, account)
            WHERE until_version IS NULL
            """,
            "CREATE INDEX binding_of_account ON binding (account, until_version)",
            // Nothing of it is changed, but for names that are erased.
            """
            CREATE TABLE account_transfer (
                id \(dialect.numberedKey),
                kind TEXT NOT NULL CHECK (kind IN (\(kinds))),
                account \(integer) NOT NULL REFERENCES account (id),
                version \(integer) NOT NULL,
                purchase \(integer) REFERENCES purchase (id),
                other \(integer) REFERENCES account (id),
                how TEXT,
                occurred_at \(integer) NOT NULL
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX account_transfer_of_account ON account_transfer (account, id)",
            "CREATE INDEX account_transfer_of_other ON account_transfer (other)",
        ]
    }
}

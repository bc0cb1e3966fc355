import DueWork
import Storage

/// The merchant's tables. Moments are milliseconds since 1970, an environment is 1 for Production
/// and 2 for Sandbox.
enum MerchantSchema {
    static let migrations = [
        Migration("0001 merchant") { dialect in
            inbox(dialect) + accounts(dialect) + purchases(dialect) + registers(dialect)
                + AccountTables.statements(dialect) + AccountContact.tables(dialect)
                + CampaignTables.statements(dialect) + CampaignRow.table(dialect)
                + OutageTables.statements(dialect) + PriceTables.statements(dialect)
                + IntakeTables.statements(dialect)
                + OperatorTables.statements(dialect) + Claim.table(dialect)
                + LookRow.table(dialect) + RebuildRow.tables(dialect)
        }
    ]

    /// Whom it serves, and what came in.
    private static func inbox(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            """
            CREATE TABLE app (
                id \(dialect.numberedKey),
                bundle_id TEXT NOT NULL UNIQUE
            )\(dialect.tableOptions)
            """,
            // What was accepted, as it came. Nothing of it is done in the request.
            """
            CREATE TABLE inbox (
                id \(dialect.numberedKey),
                app \(integer) NOT NULL REFERENCES app (id),
                environment \(integer) NOT NULL,
                uuid TEXT NOT NULL,
                type TEXT NOT NULL,
                subtype TEXT,
                signed_at \(integer) NOT NULL,
                received_at \(integer) NOT NULL,
                repeats \(integer) NOT NULL,
                state \(integer) NOT NULL CHECK (state IN (0, 1, 2)),
                problem TEXT,
                original_transaction_id TEXT,
                transaction_id TEXT,
                body TEXT NOT NULL,
                UNIQUE (app, uuid)
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX inbox_waiting ON inbox (id) WHERE state = 0",
            "CREATE INDEX inbox_dead ON inbox (id) WHERE state = 2",
            """
            CREATE INDEX inbox_of_purchase
            ON inbox (app, original_transaction_id, signed_at)
            """,
        ]
    }

    /// Whose things are, and by which token.
    private static func accounts(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            """
            CREATE TABLE account (
                id \(dialect.numberedKey),
                app \(integer) NOT NULL REFERENCES app (id),
                name TEXT NOT NULL,
                version \(integer) NOT NULL,
                UNIQUE (app, name)
            )\(dialect.tableOptions)
            """,
            """
            CREATE TABLE account_token (
                app \(integer) NOT NULL REFERENCES app (id),
                token TEXT NOT NULL,
                account \(integer) REFERENCES account (id),
                PRIMARY KEY (app, token)
            )\(dialect.tableOptions)
            """,
        ]
    }

    /// What was bought.
    private static func purchases(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            // A purchase that nobody owns has no account, and is kept.
            """
            CREATE TABLE purchase (
                id \(dialect.numberedKey),
                app \(integer) NOT NULL REFERENCES app (id),
                environment \(integer) NOT NULL,
                original_transaction_id TEXT NOT NULL,
                account \(integer) REFERENCES account (id),
                app_account_token TEXT,
                asked_at \(integer),
                ends_at \(integer),
                UNIQUE (app, environment, original_transaction_id)
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX purchase_of_account ON purchase (account)",
            "CREATE INDEX purchase_by_end ON purchase (app, environment, ends_at, id)",
            """
            CREATE INDEX purchase_of_nobody ON purchase (app, app_account_token)
            WHERE account IS NULL
            """,
        ]
    }

    /// The newest that was signed.
    private static func registers(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            """
            CREATE TABLE transaction_register (
                purchase \(integer) NOT NULL REFERENCES purchase (id),
                transaction_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                group_id TEXT,
                kind \(integer) NOT NULL,
                purchased_at \(integer) NOT NULL,
                expires_at \(integer),
                is_upgraded \(integer) NOT NULL,
                revoked_at \(integer),
                revocation \(integer),
                is_shared \(integer) NOT NULL,
                quantity \(integer) NOT NULL,
                refunded_share \(integer),
                is_renewal \(integer) NOT NULL,
                price \(integer),
                currency TEXT,
                signed_at \(integer) NOT NULL,
                rank \(integer) NOT NULL,
                digest TEXT NOT NULL,
                source TEXT NOT NULL,
                signed_text TEXT NOT NULL,
                PRIMARY KEY (purchase, transaction_id)
            )\(dialect.tableOptions)
            """,
            """
            CREATE TABLE renewal_register (
                purchase \(integer) NOT NULL PRIMARY KEY REFERENCES purchase (id),
                next_product_id TEXT NOT NULL,
                renews \(integer) NOT NULL,
                is_in_billing_retry \(integer) NOT NULL,
                grace_ends_at \(integer),
                expiration_intent \(integer),
                price_increase_status \(integer),
                last_grace_ends_at \(integer),
                last_grace_signed_at \(integer),
                renewal_price \(integer),
                currency TEXT,
                signed_at \(integer) NOT NULL,
                rank \(integer) NOT NULL,
                digest TEXT NOT NULL,
                source TEXT NOT NULL,
                signed_text TEXT NOT NULL
            )\(dialect.tableOptions)
            """,
        ]
    }
}

import Storage

/// The tables of outages that run: what was asked of the store, and what became of each
/// subscription.
enum OutageTables {
    static func statements(_ dialect: Dialect) -> [String] {
        calls(dialect) + extensions(dialect)
    }

    private static func calls(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            // A call for all subscribers of a product. Its moment is written before it is made:
            // news of it cannot be signed earlier.
            """
            CREATE TABLE outage_call (
                campaign \(integer) NOT NULL REFERENCES campaign (id),
                app \(integer) NOT NULL,
                environment \(integer) NOT NULL,
                product_id TEXT NOT NULL,
                request_identifier TEXT NOT NULL,
                asked_at \(integer),
                accepted_at \(integer),
                completed_at \(integer),
                succeeded \(integer),
                failed \(integer),
                attempts \(integer) NOT NULL,
                next_look \(integer) NOT NULL,
                is_reconciled \(integer) NOT NULL,
                problem TEXT,
                PRIMARY KEY (campaign, environment, product_id)
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX outage_call_of_product ON outage_call (app, environment, product_id)",
            "CREATE INDEX outage_call_by_request ON outage_call (request_identifier)",
            // What notifications tell, until the campaign has taken it in.
            """
            CREATE TABLE outage_result (
                campaign \(integer) NOT NULL REFERENCES campaign (id),
                uuid TEXT NOT NULL,
                purchase \(integer) NOT NULL REFERENCES purchase (id),
                is_extended \(integer) NOT NULL,
                ends_at \(integer),
                product_id TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                signed_at \(integer) NOT NULL,
                PRIMARY KEY (campaign, uuid)
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX outage_result_of_purchase ON outage_result (purchase)",
        ]
    }

    private static func extensions(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        let states = OutageExtension.Word.allCases.map { "'\($0.rawValue)'" }
            .joined(separator: ", ")
        return [
            // Names of accounts are not kept here, so that erasing one leaves nothing behind.
            """
            CREATE TABLE campaign_extension (
                campaign \(integer) NOT NULL REFERENCES campaign (id),
                purchase \(integer) NOT NULL REFERENCES purchase (id),
                environment \(integer) NOT NULL,
                original_transaction_id TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                storefront TEXT,
                known_end \(integer),
                state TEXT NOT NULL CHECK (state IN (\(states))),
                reason TEXT,
                extended_to \(integer),
                extended_by TEXT,
                days \(integer) NOT NULL,
                request_identifier TEXT NOT NULL,
                attempts \(integer) NOT NULL,
                next_attempt \(integer),
                is_calling \(integer) NOT NULL,
                answer_code TEXT,
                mail TEXT,
                mail_at \(integer),
                mail_attempts \(integer) NOT NULL,
                PRIMARY KEY (campaign, purchase)
            )\(dialect.tableOptions)
            """,
            """
            CREATE INDEX campaign_extension_by_state
            ON campaign_extension (campaign, state, reason, extended_by, purchase)
            """,
            """
            CREATE INDEX campaign_extension_of_product
            ON campaign_extension (campaign, state, environment, product_id, purchase)
            """,
            """
            CREATE INDEX campaign_extension_due
            ON campaign_extension (campaign, next_attempt, purchase)
            WHERE next_attempt IS NOT NULL
            """,
            """
            CREATE INDEX campaign_extension_calling ON campaign_extension (campaign, purchase)
            WHERE is_calling = 1
            """,
            """
            CREATE INDEX campaign_extension_mail ON campaign_extension (campaign, mail_at, purchase)
            WHERE mail_at IS NOT NULL
            """,
            "CREATE INDEX campaign_extension_of_purchase ON campaign_extension (purchase)",
        ]
    }
}

import Storage

/// The tables of price campaigns that run. Names of accounts are in none of them, so that erasing
/// an account leaves nothing behind but what proves a consent.
enum PriceTables {
    static func statements(_ dialect: Dialect) -> [String] {
        subscribers(dialect) + messages(dialect) + calls(dialect) + consents(dialect)
    }

    private static func subscribers(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            // Everybody of the audience, also who is left out: they are compared with.
            """
            CREATE TABLE price_subscriber (
                campaign \(integer) NOT NULL REFERENCES campaign (id),
                purchase \(integer) NOT NULL REFERENCES purchase (id),
                product_id TEXT NOT NULL,
                storefront TEXT,
                currency TEXT,
                cohort TEXT NOT NULL,
                state TEXT NOT NULL,
                detail TEXT,
                outcome TEXT NOT NULL,
                outcome_at \(integer) NOT NULL,
                is_over \(integer) NOT NULL,
                due_at \(integer),
                old_price \(integer) NOT NULL,
                new_price \(integer) NOT NULL,
                price_now \(integer) NOT NULL,
                is_renewing \(integer) NOT NULL,
                sight_text TEXT NOT NULL,
                record_text TEXT NOT NULL,
                PRIMARY KEY (campaign, purchase)
            )\(dialect.tableOptions)
            """,
            """
            CREATE INDEX price_subscriber_due ON price_subscriber (campaign, due_at, purchase)
            WHERE due_at IS NOT NULL
            """,
            """
            CREATE INDEX price_subscriber_open ON price_subscriber (campaign, purchase)
            WHERE is_over = 0
            """,
            """
            CREATE INDEX price_subscriber_by_outcome
            ON price_subscriber (campaign, outcome, purchase)
            """,
            // The status counts by it, without the texts of everybody.
            "CREATE INDEX price_subscriber_by_state ON price_subscriber (campaign, state, detail)",
            "CREATE INDEX price_subscriber_of_purchase ON price_subscriber (purchase)",
        ]
    }

    private static func messages(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            // The words are kept as they were sent.
            """
            CREATE TABLE campaign_message (
                id \(dialect.numberedKey),
                campaign \(integer) NOT NULL REFERENCES campaign (id),
                purchase \(integer) NOT NULL REFERENCES purchase (id),
                occasion TEXT NOT NULL,
                channel TEXT NOT NULL,
                step \(integer) NOT NULL,
                due_at \(integer) NOT NULL,
                state TEXT NOT NULL,
                attempts \(integer) NOT NULL,
                next_attempt \(integer) NOT NULL,
                sent_at \(integer),
                message_id TEXT NOT NULL,
                locale TEXT,
                title TEXT NOT NULL,
                body TEXT NOT NULL,
                digest TEXT NOT NULL,
                problem TEXT,
                UNIQUE (campaign, purchase, occasion, channel, step)
            )\(dialect.tableOptions)
            """,
            """
            CREATE INDEX campaign_message_due
            ON campaign_message (campaign, channel, next_attempt, id)
            WHERE state IN ('waiting', 'sending')
            """,
            """
            CREATE INDEX campaign_message_by_state
            ON campaign_message (campaign, channel, state, id)
            """,
            "CREATE INDEX campaign_message_in_order ON campaign_message (campaign, id)",
            "CREATE INDEX campaign_message_sent ON campaign_message (campaign, channel, sent_at)",
            "CREATE INDEX campaign_message_of_purchase ON campaign_message (purchase)",
        ]
    }

    private static func calls(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            """
            CREATE TABLE campaign_call (
                id \(dialect.numberedKey),
                campaign \(integer) NOT NULL REFERENCES campaign (id),
                purchase \(integer) NOT NULL REFERENCES purchase (id),
                kind TEXT NOT NULL,
                items TEXT NOT NULL,
                transaction_id TEXT NOT NULL,
                reference TEXT NOT NULL UNIQUE,
                due_at \(integer) NOT NULL,
                closes_at \(integer),
                latest_at \(integer) NOT NULL,
                state TEXT NOT NULL,
                attempts \(integer) NOT NULL,
                next_attempt \(integer) NOT NULL,
                answered_at \(integer),
                answer_code \(integer),
                problem TEXT
            )\(dialect.tableOptions)
            """,
            """
            CREATE INDEX campaign_call_due ON campaign_call (campaign, next_attempt, id)
            WHERE state IN ('waiting', 'sending')
            """,
            """
            CREATE INDEX campaign_call_in_order ON campaign_call (campaign, latest_at, id)
            WHERE state IN ('waiting', 'sending')
            """,
            "CREATE INDEX campaign_call_by_state ON campaign_call (campaign, state, id)",
            "CREATE INDEX campaign_call_answered ON campaign_call (campaign, answered_at)",
            "CREATE INDEX campaign_call_of_purchase ON campaign_call (purchase)",
        ]
    }

    private static func consents(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        return [
            // Rows are added and never changed; each names the digest of the one before it.
            """
            CREATE TABLE campaign_consent (
                campaign \(integer) NOT NULL REFERENCES campaign (id),
                purchase \(integer) NOT NULL REFERENCES purchase (id),
                place \(integer) NOT NULL,
                answered_at \(integer) NOT NULL,
                evidence TEXT NOT NULL,
                digest TEXT NOT NULL,
                PRIMARY KEY (campaign, purchase, place)
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX campaign_consent_of_purchase ON campaign_consent (purchase)",
        ]
    }
}

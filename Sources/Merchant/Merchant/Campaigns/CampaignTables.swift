import Storage

/// The tables of campaigns: what was planned, for whom, and at which price.
enum CampaignTables {
    static func statements(_ dialect: Dialect) -> [String] {
        let integer = dialect.integer
        let decisions = PlanDecision.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return [
            // A plan is whole or not there for anybody: rows are written before it is complete.
            """
            CREATE TABLE campaign_plan (
                id \(dialect.integerKey),
                app \(integer) NOT NULL REFERENCES app (id),
                name TEXT NOT NULL,
                kind TEXT NOT NULL,
                file TEXT NOT NULL,
                attachments TEXT NOT NULL,
                planned_at \(integer) NOT NULL,
                is_complete \(integer) NOT NULL,
                totals TEXT NOT NULL
            )\(dialect.tableOptions)
            """,
            "CREATE INDEX campaign_plan_of_name ON campaign_plan (app, name, id)",
            // The price before the campaign is kept here, whatever the registers say later
            // (CMP-1). Names of accounts are not, so that erasing one leaves nothing behind.
            """
            CREATE TABLE campaign_subscriber (
                plan \(integer) NOT NULL REFERENCES campaign_plan (id),
                purchase \(integer) NOT NULL REFERENCES purchase (id),
                lot \(integer) NOT NULL,
                transaction_id TEXT NOT NULL,
                product_id TEXT NOT NULL,
                storefront TEXT,
                currency TEXT,
                decision TEXT NOT NULL CHECK (decision IN (\(decisions))),
                reason TEXT NOT NULL,
                old_price \(integer),
                new_price \(integer),
                renewal_at \(integer),
                days \(integer),
                detail TEXT NOT NULL,
                PRIMARY KEY (plan, purchase)
            )\(dialect.tableOptions)
            """,
            """
            CREATE INDEX campaign_subscriber_by_decision
            ON campaign_subscriber (plan, decision, purchase)
            """,
            """
            CREATE INDEX campaign_subscriber_by_reason
            ON campaign_subscriber (plan, reason, purchase)
            """,
            "CREATE INDEX campaign_subscriber_by_lot ON campaign_subscriber (plan, lot, purchase)",
            "CREATE INDEX campaign_subscriber_of_purchase ON campaign_subscriber (purchase)",
        ]
    }
}

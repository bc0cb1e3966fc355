import Storage

extension Schema {
    /// Since this version each device has a queue of its own (0038). Who is signed in is a device,
    /// and goes on where all devices of the customer were together: what was finished is finished.
    static let devices = Migration("0037 devices") { dialect in
        [
            device, deviceMark,
            // Until now a sign-in said whose it was and on which device.
            table(
                "signed_in",
                """
                token_digest TEXT PRIMARY KEY,
                device INT64 NOT NULL REFERENCES device (id),
                created_at INT64 NOT NULL
                """),
        ].map { $0(dialect) }
            + [
                """
                INSERT INTO device (id, customer, app, name, registered_at, watermark,
                    restored_after, restored_until, began)
                SELECT \(dialect.isShared ? numberFromSequence : numberFromWorld),
                    i.customer, i.app, i.device, i.registered_at, 0, 0, 0, 0
                FROM (SELECT customer, app, device, MIN(created_at) AS registered_at
                    FROM sign_in GROUP BY customer, app, device) i
                """,
                "UPDATE device SET began = id",
            ] + (dialect.isShared ? [] : [countNumbers]) + [
                """
                INSERT INTO signed_in (token_digest, device, created_at)
                SELECT i.token_digest, d.id, i.created_at FROM sign_in i
                JOIN device d ON d.customer = i.customer AND d.app = i.app AND d.name = i.device
                """,
                "DROP TABLE sign_in",
                "ALTER TABLE signed_in RENAME TO sign_in",
                "CREATE INDEX sign_in_of_device ON sign_in (device)",
            ] + queues(dialect)
    }

    /// Since this version a subscription's row says which change was its last, as transactions do,
    /// so that whoever waits for changes finds it. Of earlier ones it is not known: 0.
    static let changesOfSubscriptions = Migration("0038 changes of subscriptions") { dialect in
        [
            "ALTER TABLE subscription ADD COLUMN modification \(dialect.integer) NOT NULL DEFAULT 0"
        ]
    }

    /// The place of each transaction in its customer's queues, and which number was the next when
    /// somebody finished it first.
    private static func queues(_ dialect: Dialect) -> [String] {
        let first = StoreEnvironment.allCases.map { environment in
            "WHEN \(environment.rawValue) THEN \(environment.firstTransactionID)"
        }.joined(separator: " ")
        let number = "id - CASE environment \(first) END"
        return [
            "ALTER TABLE store_transaction ADD COLUMN queued \(dialect.integer) NOT NULL DEFAULT 0",
            "ALTER TABLE store_transaction ADD COLUMN finish_number \(dialect.integer)",
            """
            UPDATE store_transaction SET queued = \(number),
                finish_number = CASE WHEN finished_at IS NULL THEN NULL ELSE \(number) END
            """,
        ]
    }

    private static let numberFromSequence = "nextval('store_number')"
    private static let numberFromWorld = """
        (SELECT next_number FROM world) - 1 + ROW_NUMBER() OVER (ORDER BY customer, app, device)
        """
    private static let countNumbers =
        "UPDATE world SET next_number = next_number + (SELECT COUNT(*) FROM device)"

    private static let device = table(
        "device",
        """
        id KEY64,
        customer INT64 NOT NULL REFERENCES customer (id),
        app INT64 NOT NULL REFERENCES app (id),
        name TEXT NOT NULL,
        registered_at INT64 NOT NULL,
        watermark INT64 NOT NULL CHECK (watermark >= 0),
        restored_after INT64 NOT NULL CHECK (restored_after >= 0),
        restored_until INT64 NOT NULL CHECK (restored_until >= restored_after),
        began INT64 NOT NULL,
        UNIQUE (customer, app, name)
        """)

    /// What a device finished out of order, or has back by a restore.
    private static let deviceMark = table(
        "device_mark",
        """
        device INT64 NOT NULL REFERENCES device (id),
        transaction_id INT64 NOT NULL,
        queued INT64 NOT NULL,
        is_finished INT64 NOT NULL CHECK (is_finished IN (0, 1)),
        PRIMARY KEY (device, transaction_id)
        """)
}

/// Each device has a queue of its own (0038).
extension Schema {
    static let devices = [device, deviceMark, signIn]

    /// A customer's device in an app, and how far its queue is finished: everything up to the place
    /// `watermark`, and what anybody had finished before the number `began`. A restore brings back
    /// what lies behind `restored_after` and up to `restored_until`.
    private static let device = TableDefinition(
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
    private static let deviceMark = TableDefinition(
        "device_mark",
        """
        device INT64 NOT NULL REFERENCES device (id),
        transaction_id INT64 NOT NULL,
        queued INT64 NOT NULL,
        is_finished INT64 NOT NULL CHECK (is_finished IN (0, 1)),
        PRIMARY KEY (device, transaction_id)
        """)

    /// A device that is signed in. The token itself is never stored.
    private static let signIn = TableDefinition(
        "sign_in",
        """
        token_digest TEXT PRIMARY KEY,
        device INT64 NOT NULL REFERENCES device (id),
        created_at INT64 NOT NULL
        """,
        indexes: ["CREATE INDEX sign_in_of_device ON sign_in (device)"])
}

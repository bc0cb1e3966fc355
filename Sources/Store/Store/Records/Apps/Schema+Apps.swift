/// Apps, and who may speak for them.
extension Schema {
    static let apps = [app, appKey, sharedSecret]

    /// An app as it is set up. Its row is inserted with its names and then set up as a whole, so
    /// that most defaults hold for a moment.
    private static let app = TableDefinition(
        "app",
        """
        id KEY64,
        bundle_id TEXT NOT NULL UNIQUE,
        apple_id INT64 NOT NULL UNIQUE,
        name TEXT NOT NULL,
        storefront TEXT NOT NULL DEFAULT 'USA',
        locale TEXT NOT NULL DEFAULT 'en_US',
        era TEXT NOT NULL DEFAULT 'today',
        policies TEXT,
        support_url TEXT,
        privacy_url TEXT,
        grace_period TEXT,
        sandbox_grace_period TEXT,
        grace_scope TEXT NOT NULL,
        billing_zone TEXT NOT NULL,
        upgrade_in_trial TEXT NOT NULL,
        sandbox_renewal_limit INT64,
        pending_renewal_days INT64 NOT NULL DEFAULT 6
            CHECK (pending_renewal_days BETWEEN 0 AND 28),
        small_business INT64 NOT NULL DEFAULT 0,
        small_business_limit INT64 NOT NULL DEFAULT 1 CHECK (small_business_limit IN (0, 1)),
        refund_policy TEXT NOT NULL DEFAULT 'approve',
        sandbox_refund_policy TEXT NOT NULL DEFAULT 'approve',
        failing_extensions INT64 NOT NULL DEFAULT 0,
        sandbox_ignores_availability INT64 NOT NULL DEFAULT 1
            CHECK (sandbox_ignores_availability IN (0, 1)),
        sandbox_approves_purchases INT64 NOT NULL DEFAULT 1
            CHECK (sandbox_approves_purchases IN (0, 1)),
        sharing_delay INT64 NOT NULL DEFAULT 0 CHECK (sharing_delay BETWEEN 0 AND 60),
        price_change_route TEXT NOT NULL DEFAULT 'storeManaged',
        notification_url TEXT,
        sandbox_notification_url TEXT,
        unsent_notifications INT64 NOT NULL DEFAULT 0
            CHECK (unsent_notifications BETWEEN 0 AND 1000000),
        mails TEXT NOT NULL DEFAULT 'addressed',
        sandbox_mails INT64 NOT NULL DEFAULT 0 CHECK (sandbox_mails IN (0, 1))
        """)

    /// The public half of a key. One that was revoked stays, so that it never comes back.
    private static let appKey = TableDefinition(
        "app_key",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        key_id TEXT NOT NULL,
        name TEXT NOT NULL,
        public_key TEXT NOT NULL,
        added_at INT64 NOT NULL,
        revoked_at INT64,
        UNIQUE (app, key_id),
        UNIQUE (app, public_key)
        """)

    /// What servers show with receipts. The primary secret is of app 0, so `app` refers to no row.
    private static let sharedSecret = TableDefinition(
        "shared_secret",
        """
        app KEY64,
        secret TEXT NOT NULL,
        made_at INT64 NOT NULL
        """)
}

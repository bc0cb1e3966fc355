import Storage

/// All tables of the store. Instants are milliseconds, money is milliunits, truth is 0 or 1.
enum Schema {
    static let migrations = [
        Migration("0001 the store") { dialect in
            [
                world, app, product, subscriptionGroup, productPrice, customer, customerApp,
                session, subscription, storeTransaction, journal, notification, attempt,
            ].map { $0(dialect) } + indexes
        },
        pricesExtensionsRefunds, faults,
        Migration("0004 home storefront") { _ in
            ["ALTER TABLE app ADD COLUMN storefront TEXT NOT NULL DEFAULT 'USA'"]
        },
        refundsOfWhatWasOver,
        remembering, waiting, reasonsOfFailures, bills, errands, lines, announcing, thresholds,
        withdrawing, lanes, replacing, booking,
        processes, sharing, copies, claims, offers, texts, discontinuing, holding, mails,
        families, conversions, commitments, letters, oneTimeOffers, optIns, keys, advancedCommerce,
        shareable, severalInGroup, devices, changesOfSubscriptions, era,
        sharedSecrets, endedShares, unsent,
    ]

    static func table(
        _ name: String, _ columns: String
    ) -> @Sendable (Dialect) -> String {
        { dialect in
            "CREATE TABLE \(name) ("
                + columns
                .replacing("KEY64", with: dialect.integerKey)
                .replacing("INT64", with: dialect.integer)
                + ")\(dialect.tableOptions)"
        }
    }

    /// One row: the clock, the counter that numbers everything, and the secret that notification
    /// identifiers are derived from.
    private static let world = table(
        "world",
        """
        id KEY64 CHECK (id = 1),
        clock_mode TEXT NOT NULL CHECK (clock_mode IN ('system', 'running', 'frozen')),
        clock_value INT64 NOT NULL,
        next_number INT64 NOT NULL,
        settings_version INT64 NOT NULL,
        seed TEXT NOT NULL
        """)

    private static let app = table(
        "app",
        """
        id KEY64,
        bundle_id TEXT NOT NULL UNIQUE,
        apple_id INT64 NOT NULL UNIQUE,
        name TEXT NOT NULL,
        grace_period TEXT,
        sandbox_grace_period TEXT,
        grace_scope TEXT NOT NULL,
        billing_zone TEXT NOT NULL,
        upgrade_in_trial TEXT NOT NULL,
        sandbox_renewal_limit INT64,
        notification_url TEXT,
        sandbox_notification_url TEXT
        """)

    private static let subscriptionGroup = table(
        "subscription_group",
        """
        app INT64 NOT NULL REFERENCES app (id),
        id TEXT NOT NULL,
        ordinal INT64 NOT NULL,
        definition TEXT NOT NULL,
        PRIMARY KEY (app, id)
        """)

    private static let product = table(
        "product",
        """
        app INT64 NOT NULL REFERENCES app (id),
        id TEXT NOT NULL,
        ordinal INT64 NOT NULL,
        definition TEXT NOT NULL,
        PRIMARY KEY (app, id)
        """)

    /// What was set for a product in a storefront; an empty storefront means all of them.
    private static let productPrice = table(
        "product_storefront",
        """
        app INT64 NOT NULL,
        product_id TEXT NOT NULL,
        storefront TEXT NOT NULL,
        price INT64 CHECK (price >= 0),
        is_for_sale INT64 CHECK (is_for_sale IN (0, 1)),
        PRIMARY KEY (app, product_id, storefront),
        FOREIGN KEY (app, product_id) REFERENCES product (app, id)
        """)

    private static let customer = table(
        "customer",
        """
        id KEY64,
        environment INT64 NOT NULL CHECK (environment IN (0, 1)),
        account TEXT NOT NULL,
        storefront TEXT NOT NULL,
        locale TEXT NOT NULL,
        created_at INT64 NOT NULL,
        declines INT64 NOT NULL CHECK (declines IN (0, 1)),
        declines_until INT64,
        declines_left INT64 CHECK (declines_left > 0),
        sandbox_speed INT64 NOT NULL,
        UNIQUE (environment, account)
        """)

    /// A customer's copy of an app.
    private static let customerApp = table(
        "customer_app",
        """
        customer INT64 NOT NULL REFERENCES customer (id),
        app INT64 NOT NULL REFERENCES app (id),
        app_transaction_id INT64 NOT NULL UNIQUE,
        acquired_at INT64 NOT NULL,
        PRIMARY KEY (customer, app)
        """)

    /// A device that is signed in. The token itself is never stored.
    private static let session = table(
        "sign_in",
        """
        token_digest TEXT PRIMARY KEY,
        customer INT64 NOT NULL REFERENCES customer (id),
        app INT64 NOT NULL REFERENCES app (id),
        device TEXT NOT NULL,
        created_at INT64 NOT NULL
        """)

    private static let subscription = table(
        "subscription",
        """
        id KEY64,
        app INT64 NOT NULL REFERENCES app (id),
        environment INT64 NOT NULL,
        customer INT64 NOT NULL REFERENCES customer (id),
        group_id TEXT NOT NULL,
        product_id TEXT NOT NULL,
        storefront TEXT NOT NULL,
        app_account_token TEXT,
        first_purchased_at INT64 NOT NULL,
        plan TEXT NOT NULL,
        next_plan TEXT,
        term_transaction INT64 NOT NULL,
        term_purchased_at INT64 NOT NULL,
        term_start INT64 NOT NULL,
        term_end INT64 NOT NULL,
        term_price INT64 NOT NULL CHECK (term_price >= 0),
        term_offer TEXT,
        cycle_anchor INT64 NOT NULL,
        cycle_unit TEXT NOT NULL,
        cycle_elapsed INT64 NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('active', 'grace', 'retrying', 'expired')),
        retry_since INT64,
        retry_next INT64,
        retry_gives_up_at INT64,
        grace_until INT64,
        expired_at INT64,
        expired_reason INT64,
        renews INT64 NOT NULL CHECK (renews IN (0, 1)),
        renewal_count INT64 NOT NULL,
        service_start INT64 NOT NULL,
        used_introductory INT64 NOT NULL CHECK (used_introductory IN (0, 1)),
        next_change INT64,
        UNIQUE (customer, app, group_id),
        CHECK (term_end >= term_start),
        CHECK ((state = 'expired') = (next_change IS NULL))
        """)

    /// Every transaction there ever was, with what would take a join to find for each request.
    private static let storeTransaction = table(
        "store_transaction",
        """
        id KEY64,
        original_id INT64 NOT NULL,
        subscription INT64,
        app INT64 NOT NULL,
        environment INT64 NOT NULL,
        customer INT64 NOT NULL,
        product_id TEXT NOT NULL,
        group_id TEXT,
        kind TEXT NOT NULL,
        purchased_at INT64 NOT NULL,
        first_purchased_at INT64 NOT NULL,
        expires_at INT64,
        quantity INT64 NOT NULL CHECK (quantity >= 1),
        is_renewal INT64 NOT NULL,
        price INT64 NOT NULL CHECK (price >= 0),
        currency TEXT NOT NULL,
        storefront TEXT NOT NULL,
        offer_kind INT64,
        offer_id TEXT,
        offer_mode TEXT,
        offer_period TEXT,
        app_account_token TEXT,
        is_upgraded INT64 NOT NULL,
        refunded INT64,
        finished_at INT64,
        modification INT64 NOT NULL
        """)

    /// What happened, in order, never changed. A command's identifier is in it once, so that a
    /// repeated command finds what was decided.
    private static let journal = table(
        "journal",
        """
        sequence KEY64,
        at INT64 NOT NULL,
        kind TEXT NOT NULL,
        app INT64,
        customer INT64,
        subscription INT64,
        transaction_id INT64,
        amount INT64,
        detail TEXT,
        command_id TEXT
        """)

    /// Notifications out. Until the first attempt the unsigned parts wait as drafts.
    private static let notification = table(
        "notification",
        """
        id KEY64,
        uuid TEXT NOT NULL UNIQUE,
        app INT64 NOT NULL,
        environment INT64 NOT NULL,
        customer INT64,
        kind TEXT NOT NULL,
        subkind TEXT,
        created_at INT64 NOT NULL,
        status INT64,
        transaction_draft TEXT,
        renewal_draft TEXT,
        signed_payload TEXT,
        attempts INT64 NOT NULL,
        delivered INT64 NOT NULL CHECK (delivered IN (0, 1)),
        next_attempt INT64
        """)

    private static let attempt = table(
        "notification_attempt",
        """
        notification INT64 NOT NULL REFERENCES notification (id),
        number INT64 NOT NULL,
        at INT64 NOT NULL,
        outcome TEXT NOT NULL,
        PRIMARY KEY (notification, number)
        """)

    private static let indexes = [
        "CREATE INDEX subscription_due ON subscription (next_change, id) "
            + "WHERE next_change IS NOT NULL",
        "CREATE UNIQUE INDEX transaction_history ON store_transaction (customer, modification)",
        "CREATE INDEX journal_of_subscription ON journal (subscription) "
            + "WHERE subscription IS NOT NULL",
        "CREATE UNIQUE INDEX journal_command ON journal (command_id) WHERE command_id IS NOT NULL",
        "CREATE INDEX notification_due ON notification (next_attempt, id) "
            + "WHERE next_attempt IS NOT NULL",
        "CREATE INDEX notification_history ON notification (app, environment, id)",
        "CREATE INDEX notification_customer ON notification (customer, id) "
            + "WHERE customer IS NOT NULL",
    ]
}

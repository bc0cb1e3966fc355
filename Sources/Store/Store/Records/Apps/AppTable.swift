import Storage
import SubscriptionRules

/// An app in its tables: how it is set up, its products and what was set for storefronts.
extension App {
    static func all(in session: any Session) throws -> [App] {
        let thresholds = try ConsentSetting.thresholds(in: session)
        let keys = try AppKey.good(in: session)
        let optIns = try OptInTerms.all(in: session)
        return try session.rows("SELECT \(raw: columns) FROM app ORDER BY id").map { row in
            var app = try App(row)
            app.thresholds = thresholds
            app.keys = keys[app.id] ?? [:]
            app.optIn = optIns[app.id] ?? OptInTerms()
            try app.loadCatalogue(session)
            return app
        }
    }

    static let columns = """
        id, bundle_id, apple_id, name, grace_period, sandbox_grace_period, grace_scope, \
        billing_zone, upgrade_in_trial, sandbox_renewal_limit, notification_url, \
        sandbox_notification_url, refund_policy, sandbox_refund_policy, small_business, \
        failing_extensions, storefront, pending_renewal_days, small_business_limit, \
        locale, policies, sandbox_ignores_availability, sandbox_approves_purchases, \
        mails, sandbox_mails, support_url, privacy_url, sharing_delay, price_change_route, \
        era, unsent_notifications
        """

    /// Reads an app without its catalogue.
    init(_ row: Row) throws(StorageError) {
        let row = StoredRow(row, of: "app", App.columns)
        var settings = Settings(name: try row.text(3))
        settings.gracePeriod = try row.parsedOrNil(4, GracePeriod.init(rawValue:))
        settings.sandboxGracePeriod = try row.parsedOrNil(5, GracePeriod.init(rawValue:))
        settings.graceScope = try row.value(6)
        settings.billingZone = try row.value(7)
        settings.upgradeInTrial = try row.value(8)
        settings.sandboxRenewalLimit = try row.countOrNil(9)
        settings.notificationURL = try row.textOrNil(10)
        settings.sandboxNotificationURL = try row.textOrNil(11)
        settings.refundPolicy = try row.value(12)
        settings.sandboxRefundPolicy = try row.value(13)
        settings.smallBusiness = try row.bool(14)
        settings.failingExtensions = try row.count(15)
        settings.storefront = try row.parsed(16, Storefront.init(code:))
        settings.pendingRenewalDays = try row.count(17)
        settings.heedsSmallBusinessLimit = try row.bool(18)
        settings.locale = try row.text(19)
        settings.sandboxIgnoresAvailability = try row.bool(21)
        settings.sandboxApprovesPurchases = try row.bool(22)
        settings.mails = try row.value(23)
        settings.sandboxMails = try row.bool(24)
        settings.supportURL = try row.textOrNil(25)
        settings.privacyURL = try row.textOrNil(26)
        settings.sharingDelayMinutes = try row.count(27)
        settings.priceChangeRoute = try row.value(28)
        settings.era = try row.value(29)
        settings.unsentNotifications = try row.count(30)
        self.init(
            id: try row.identifier(0), bundleID: try row.text(1),
            appleID: try row.integer(2, in: .min ... .max), settings: settings)
        catalogue.policies =
            try row.decodedOrNil(20) { text throws(StorageError) in
                try PolicyText.policies(text)
            } ?? AppPolicies()
    }

    private mutating func loadCatalogue(_ session: any Session) throws {
        let groups = try session.rows(
            "SELECT id, definition FROM subscription_group WHERE app = \(id) ORDER BY ordinal"
        ).map { row in
            let id = try row.text(0)
            return try StoredRow(row, of: "subscription_group", "id, definition")
                .decoded(1) { text throws(StorageError) in try ProductText.group(id: id, text) }
        }
        var products = try session.rows(
            "SELECT id, definition, deleted_at FROM product WHERE app = \(id) ORDER BY ordinal"
        ).map { row in
            let id = try row.text(0)
            let row = StoredRow(row, of: "product", "id, definition, deleted_at")
            var product = try row.decoded(1) { text throws(StorageError) in
                try ProductText.product(id: id, text)
            }
            product.deleted = try row.instantOrNil(2)
            return product
        }
        let places = Dictionary(
            products.indices.map { (ExactText(products[$0].id), $0) },
            uniquingKeysWith: { one, _ in one })
        let storefronts = try session.rows(
            """
            SELECT product_id, storefront, price, is_for_sale, monthly_price
            FROM product_storefront
            WHERE app = \(id)
            """)
        for row in storefronts {
            let row = StoredRow(
                row, of: "product_storefront",
                "product_id, storefront, price, is_for_sale, monthly_price")
            let (product, storefront) = (ExactText(try row.text(0)), try row.text(1))
            if let price = try row.amountOrNil(2), let place = places[product] {
                products[place].prices[storefront] = price
            }
            if let price = try row.amountOrNil(4), let place = places[product] {
                products[place].subscription?.monthlyBilling?.prices[storefront] = price
            }
            if !row.isNull(3), try !row.bool(3) {
                offSale[product, default: []].insert(storefront)
            }
        }
        catalogue = Catalogue(
            groups: groups, products: products, policies: catalogue.policies)
        try loadShareable(session)
    }

    func insert(in session: any Session) throws {
        try session.execute(
            """
            INSERT INTO app (id, bundle_id, apple_id, name, grace_scope, billing_zone,
                upgrade_in_trial)
            VALUES (\(id), \(bundleID), \(appleID), \(settings.name),
                \(settings.graceScope.rawValue), \(settings.billingZone.rawValue),
                \(settings.upgradeInTrial.rawValue))
            """)
        try saveSettings(in: session)
    }

    func saveSettings(in session: any Session) throws {
        try session.execute(
            """
            UPDATE app SET name = \(settings.name),
                grace_period = \(settings.gracePeriod?.rawValue),
                sandbox_grace_period = \(settings.sandboxGracePeriod?.rawValue),
                grace_scope = \(settings.graceScope.rawValue),
                billing_zone = \(settings.billingZone.rawValue),
                upgrade_in_trial = \(settings.upgradeInTrial.rawValue),
                sandbox_renewal_limit = \(settings.sandboxRenewalLimit),
                notification_url = \(settings.notificationURL),
                sandbox_notification_url = \(settings.sandboxNotificationURL),
                refund_policy = \(settings.refundPolicy.rawValue),
                sandbox_refund_policy = \(settings.sandboxRefundPolicy.rawValue),
                small_business = \(settings.smallBusiness),
                failing_extensions = \(settings.failingExtensions),
                storefront = \(settings.storefront.code),
                pending_renewal_days = \(settings.pendingRenewalDays),
                small_business_limit = \(settings.heedsSmallBusinessLimit),
                locale = \(settings.locale),
                sandbox_ignores_availability = \(settings.sandboxIgnoresAvailability),
                sandbox_approves_purchases = \(settings.sandboxApprovesPurchases),
                mails = \(settings.mails.rawValue), sandbox_mails = \(settings.sandboxMails),
                support_url = \(settings.supportURL), privacy_url = \(settings.privacyURL),
                sharing_delay = \(Int64(settings.sharingDelayMinutes)),
                price_change_route = \(settings.priceChangeRoute.rawValue),
                era = \(settings.era.rawValue),
                unsent_notifications = \(Int64(settings.unsentNotifications))
            WHERE id = \(id)
            """)
    }

    /// Adds what is new behind what is known, and replaces what is known in its place; products
    /// that are not named stay, and so do policies of which nothing is said.
    func save(_ catalogue: Catalogue, in session: any Session) throws {
        try save(
            catalogue.groups.map { ($0.id, ProductText.text($0)) }, table: "subscription_group",
            in: session)
        try save(
            catalogue.products.map { ($0.id, ProductText.text($0)) }, table: "product",
            in: session)
        guard let policies = PolicyText.text(catalogue.policies) else { return }
        try session.execute("UPDATE app SET policies = \(policies) WHERE id = \(id)")
    }

    private func save(
        _ definitions: [(id: String, text: String)], table: String, in session: any Session
    ) throws {
        let last =
            try session.row(
                "SELECT MAX(ordinal) FROM \(raw: table) WHERE app = \(id)")?.integerOrNil(0) ?? 0
        try session.executeMany(
            """
            INSERT INTO \(table) (app, id, ordinal, definition) VALUES ($1, $2, $3, $4)
            ON CONFLICT (app, id) DO UPDATE SET definition = excluded.definition
            """,
            definitions.enumerated().map { index, one in
                [
                    id.sqlValue, one.id.sqlValue, (last + Int64(index) + 1).sqlValue,
                    one.text.sqlValue,
                ]
            })
    }
}

extension Product {
    /// Notes that it was deleted; its row stays.
    func delete(from app: Int64, at moment: Instant, in session: any Session) throws {
        try session.execute(
            "UPDATE product SET deleted_at = \(moment) WHERE app = \(app) AND id = \(id)")
    }
}

import Storage
import SubscriptionRules

/// An app in its tables: how it is set up, its products and what was set for storefronts.
extension App {
    static func all(in session: any Session) throws -> [App] {
        let rows = try session.rows(
            """
            SELECT id, bundle_id, apple_id, name, grace_period, sandbox_grace_period, grace_scope,
                billing_zone, upgrade_in_trial, sandbox_renewal_limit, notification_url,
                sandbox_notification_url, refund_policy, sandbox_refund_policy, small_business,
                failing_extensions
            FROM app ORDER BY id
            """)
        return try rows.map { row in
            var settings = Settings(name: row.text(3))
            settings.gracePeriod = row.textOrNil(4).flatMap(GracePeriod.init(rawValue:))
            settings.sandboxGracePeriod = row.textOrNil(5).flatMap(GracePeriod.init(rawValue:))
            settings.graceScope = GraceScope(rawValue: row.text(6))!
            settings.billingZone = BillingZone(rawValue: row.text(7))!
            settings.upgradeInTrial = UpgradeInTrial(rawValue: row.text(8))!
            settings.sandboxRenewalLimit = row.intOrNil(9)
            settings.notificationURL = row.textOrNil(10)
            settings.sandboxNotificationURL = row.textOrNil(11)
            settings.refundPolicy = RefundPolicy(rawValue: row.text(12))!
            settings.sandboxRefundPolicy = RefundPolicy(rawValue: row.text(13))!
            settings.smallBusiness = row.bool(14)
            settings.failingExtensions = row.int(15)
            var app = App(
                id: row.integer(0), bundleID: row.text(1), appleID: row.integer(2),
                settings: settings)
            try app.loadCatalogue(session)
            return app
        }
    }

    private mutating func loadCatalogue(_ session: any Session) throws {
        let groups = try session.rows(
            "SELECT id, definition FROM subscription_group WHERE app = \(id) ORDER BY ordinal")
        var products = try session.rows(
            "SELECT id, definition FROM product WHERE app = \(id) ORDER BY ordinal"
        ).map { ProductText.product(id: $0.text(0), $0.text(1)) }
        let places = Dictionary(
            uniqueKeysWithValues: products.indices.map { (products[$0].id, $0) })
        let storefronts = try session.rows(
            """
            SELECT product_id, storefront, price, is_for_sale FROM product_storefront
            WHERE app = \(id)
            """)
        for row in storefronts {
            if let price = row.integerOrNil(2), let place = places[row.text(0)] {
                products[place].prices[row.text(1)] = price
            }
            if row.integerOrNil(3) == 0 { offSale[row.text(0), default: []].insert(row.text(1)) }
        }
        catalogue = Catalogue(
            groups: groups.map { ProductText.group(id: $0.text(0), $0.text(1)) },
            products: products)
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
                failing_extensions = \(settings.failingExtensions)
            WHERE id = \(id)
            """)
    }

    /// Adds what is new behind what is known, and replaces what is known in its place; products
    /// that are not named stay.
    func save(_ catalogue: Catalogue, in session: any Session) throws {
        try save(
            catalogue.groups.map { ($0.id, ProductText.text($0)) }, table: "subscription_group",
            in: session)
        try save(
            catalogue.products.map { ($0.id, ProductText.text($0)) }, table: "product",
            in: session)
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

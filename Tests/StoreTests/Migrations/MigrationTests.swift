import AppStoreWire
import Journal
import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

@Suite("Worlds of earlier versions")
struct WorldMigrationTests {
    /// One customer who bought silver on 15 January 2026 and gold five days later, as the first
    /// version kept it.
    private static func firstVersion(_ backend: Backend) async throws -> any Database {
        let database = try await backend.makeDatabase()
        try await database.migrate(Array(Schema.migrations.prefix(1)))
        let gold = #"""
            {"product":"gold.monthly","level":1,"period":"P1M","currency":"USD",\#
            "items":[{"sku":"gold.monthly","price":19990}]}
            """#
        try await database.write { session in
            for statement in WorldMigrationTests.rows(plan: gold) {
                try session.execute(SQL(text: statement))
            }
        }
        return database
    }

    private static func rows(plan: String) -> [String] {
        let (bought, changed, end) = (1_768_435_200_000, 1_768_867_200_000, 1_771_545_600_000)
        let transaction = """
            INSERT INTO store_transaction (id, original_id, subscription, app, environment,
                customer, product_id, group_id, kind, purchased_at, first_purchased_at, expires_at,
                quantity, is_renewal, price, currency, storefront, is_upgraded, refunded,
                modification)
            """
        return [
            "INSERT INTO world VALUES (1, 'frozen', \(changed), 20, 1, 'seed')",
            """
            INSERT INTO app (id, bundle_id, apple_id, name, grace_scope, billing_zone,
                upgrade_in_trial)
            VALUES (1, 'com.example.app', 1000000001, 'App', 'ALL_RENEWALS', 'utc', 'endsTrial')
            """,
            """
            INSERT INTO customer (id, environment, account, storefront, locale, created_at,
                declines, sandbox_speed)
            VALUES (2, 0, 'ada', 'USA', 'en_US', \(bought), 0, 5)
            """,
            "INSERT INTO customer_app VALUES (2, 1, 700000000000000003, \(bought))",
            """
            INSERT INTO subscription (id, app, environment, customer, group_id, product_id,
                storefront, first_purchased_at, plan, term_transaction, term_purchased_at,
                term_start, term_end, term_price, cycle_anchor, cycle_unit, cycle_elapsed, state,
                renews, renewal_count, service_start, used_introductory, next_change)
            VALUES (400000000000004, 1, 0, 2, 'club', 'gold.monthly', 'USA', \(bought),
                '\(plan)', 400000000000008, \(changed), \(changed), \(end), 19990, \(changed),
                'months', 1, 'active', 1, 0, \(bought), 0, \(end))
            """,
            transaction + """
                 VALUES (400000000000004, 400000000000004, 400000000000004, 1, 0, 2,
                    'silver.monthly', 'club', 'Auto-Renewable Subscription', \(bought), \(bought),
                    1771113600000, 1, 0, 9990, 'USD', 'USA', 1, 8380, 9)
                """,
            transaction + """
                 VALUES (400000000000008, 400000000000004, 400000000000004, 1, 0, 2,
                    'gold.monthly', 'club', 'Auto-Renewable Subscription', \(changed), \(bought),
                    \(end), 1, 0, 19990, 'USD', 'USA', 0, NULL, 8)
                """,
        ]
    }

    @Test(
        "What was over when it was refunded is status 5 since the version that says so",
        arguments: Backend.available)
    func refundedBefore(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        let world = try await World(database: database, at: "2026-01-15")
        let id = try await world.subscribe("silver.monthly", by: world.device())
        let running = try await world.subscribe("silver.monthly", by: world.device("bob"))
        try await world.store.end(subscription: id)
        for transaction in [id, running] {
            try await world.store.refund(
                transaction: transaction, .full, reason: .other, in: .production)
        }
        // As the earlier version left it.
        let now = World.instant("2026-01-15").milliseconds
        try await database.write { session in
            try session.execute(
                "UPDATE subscription SET revoked_at = NULL, revoked_fully = NULL WHERE id = \(id)")
            try Self.rewrite(
                "\"revoked_at\":\(now),\"revoked_fully\":1", as: "\"renews\":0", of: id,
                in: session)
        }
        #expect(try await world.shows(id) == ["2 silver.monthly off 2026-01-15 intent 5"])
        try await database.write { session in
            try Self.run(Schema.refundsOfWhatWasOver, in: session)
        }
        for subscription in [id, running] {
            #expect(try await world.store.subscription(subscription).1.status == .revoked)
        }
        #expect(try await Self.findings(database).isEmpty)
    }

    @Test(
        "An announcement that another plan holds up is no longer due in a world of before",
        arguments: Backend.available)
    func announcementThatWaits(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        let world = try await World(database: database, at: "2026-01-15")
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.schedule("silver.monthly", 10_990, live: "2026-01-16")
        try await world.advance(to: "2026-01-17", expecting: [])
        _ = try await world.store.change(
            subscription: id, [.product("bronze.monthly")], by: ada)
        // As the earlier version left it: told 27 days before 15 February.
        let told = World.instant("2026-01-19").milliseconds
        let end = World.instant("2026-02-15").milliseconds
        try await database.write { session in
            try session.execute("UPDATE subscription SET next_change = \(told) WHERE id = \(id)")
            try Self.rewrite(
                "\"next_change\":\(end)", as: "\"next_change\":\(told)", of: id, in: session)
            try Self.run(Schema.announcing, in: session)
        }
        #expect(try await Self.findings(database).isEmpty)
        let entries = try await world.store.timeline(subscription: id, after: 0, limit: 100)
        #expect(entries.suffix(2).map(\.kind) == [.chosePlan, .broughtUpToDate])
        _ = try await world.store.advance(to: World.instant("2026-02-15"))
        #expect(try await world.shows(id) == ["1 bronze.monthly on 2026-03-15 4.99"])
        #expect(try await Self.findings(database).isEmpty)
    }

    @Test(
        "A trial that was upgraded is the offer that was used, from when it was bought",
        arguments: Backend.available, UpgradeInTrial.allCases)
    func upgradedTrial(_ backend: Backend, _ upgradeInTrial: UpgradeInTrial) async throws {
        let database = try await backend.makeDatabase()
        let world = try await World(database: database, at: "2026-01-15") {
            $0.upgradeInTrial = upgradeInTrial
        }
        let ada = try await world.device()
        let id = try await world.subscribe("silver.trial", by: ada)
        let other = try await world.subscribe("silver.monthly", by: world.device("bob"))
        _ = try await world.store.advance(to: World.instant("2026-01-18"))
        _ = try await world.subscribe("gold.monthly", by: ada)
        let used = try await world.store.subscription(id).1.offersUsed
        #expect(
            used == [OfferUse(kind: .introductory, id: "", at: World.instant("2026-01-15"))])
        // As the earlier version left it.
        try await database.write { session in
            try session.execute("UPDATE subscription SET offers_used = NULL")
        }
        await #expect(throws: StorageError.self) { try await world.store.subscription(id) }
        try await database.write { session in
            let migration = Migration("offers of before") { _ in [Schema.offersOfBefore] }
            try Self.run(migration, in: session)
        }
        #expect(try await world.store.subscription(id).1.offersUsed == used)
        #expect(try await world.store.subscription(other).1.offersUsed == [])
        #expect(try await Self.findings(database).isEmpty)
        // It is remembered: whoever comes back pays from the first day on.
        try await world.store.end(subscription: id)
        _ = try await world.subscribe("silver.trial", by: ada)
        #expect(try await world.store.subscription(id).1.newestPeriod.price == 9_990)
    }

    @Test(
        "A price that was scheduled in a world of before goes live, or is withdrawn and kept",
        arguments: Backend.available, [true, false])
    func scheduledBefore(_ backend: Backend, _ isWithdrawn: Bool) async throws {
        let database = try await Self.firstVersion(backend)
        try await database.migrate(
            Array(Schema.migrations.prefix { $0.name != Schema.withdrawing.name }))
        let start = World.instant("2026-01-25")
        try await database.write { session in
            _ = try session.execute(
                """
                INSERT INTO price_change (id, app, product_id, storefront, price, cohort_price,
                    for_cohort, starts_at, existing, state, reached, subscribers)
                VALUES (10, 1, 'gold.monthly', 'USA', 14990, 19990, 0, \(start), 'preserve',
                    'scheduled', 0, 0)
                """)
        }
        let world = try await World(database: database)
        try await world.store.importCatalogue(SampleCatalogue.all, bundleID: World.bundleID)
        if isWithdrawn {
            try await world.store.withdrawScheduledPrice(
                product: "gold.monthly", storefront: Storefront(code: "USA")!,
                bundleID: World.bundleID)
        }
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        let change = try #require(
            try await world.store.scheduledPrices(
                product: nil, limit: 2, bundleID: World.bundleID
            ).first)
        #expect(change.state == .done)
        #expect(change.withdrawn == (isWithdrawn ? World.instant("2026-01-20") : nil))
        #expect(change.scheduled == nil && change.replaced == nil)
        let price = isWithdrawn ? "19.99" : "14.99"
        #expect(
            try await world.shows(400_000_000_000_004)
                == ["1 gold.monthly on 2026-02-20 \(price)"])
    }

    @Test("A world of the first version goes on where it was", arguments: Backend.available)
    func goesOn(_ backend: Backend) async throws {
        let world = try await World(database: try await Self.firstVersion(backend))
        try await world.store.importCatalogue(SampleCatalogue.all, bundleID: World.bundleID)
        let id: Int64 = 400_000_000_000_004
        #expect(try await world.shows(id) == ["1 gold.monthly on 2026-02-20 19.99"])
        #expect(
            try await world.books() == [
                "2026-01-15 charge -9.990 +6.993 +2.997",
                "2026-01-20 charge -19.990 +13.993 +5.997",
                "2026-01-20 proration +8.380 -5.866 -2.514",
            ])
        let extended = try await world.store.extend(
            originalTransaction: id, try ExtensionRequest(days: 10, reasonCode: 3),
            requestIdentifier: "a", for: world.caller())
        #expect(extended.effective == World.instant("2026-03-02"))
        _ = try await world.store.advance(to: World.instant("2026-03-02"))
        #expect(try await world.shows(id) == ["1 gold.monthly on 2026-04-02 19.99"])
    }

    /// Lets the newest journal entry of a subscription say something else.
    private static func rewrite(
        _ text: String, as other: String, of id: Int64, in session: any Session
    ) throws {
        try session.execute(
            """
            UPDATE journal SET detail = REPLACE(detail, \(text), \(other))
            WHERE sequence = (SELECT MAX(sequence) FROM journal WHERE subscription = \(id))
                AND detail LIKE \("%" + text + "%")
            """)
    }

    /// Runs a migration in a world of today: at its time the world's row counted numbers.
    private static func run(_ migration: Migration, in session: any Session) throws {
        let isCountedBySequence = session.dialect == .postgres
        if isCountedBySequence {
            try session.execute("UPDATE world SET next_number = nextval('store_number')")
        }
        for statement in migration.statements(session.dialect) {
            try session.execute(SQL(text: statement))
        }
        if isCountedBySequence {
            try session.execute(
                "SELECT setval('store_number', (SELECT next_number FROM world), false)")
        }
    }

    private static func findings(_ database: any Database) async throws -> [CheckFinding] {
        try await WorldCheck(database, ownership: nil) { _, _ in }.run().findings
    }
}

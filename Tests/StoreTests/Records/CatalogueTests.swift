import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing
import TimeAndChance

@Suite("Commands: apps and catalogues")
struct CatalogueTests {
    private static func coins(_ id: String, _ price: Int64 = 990) -> Product {
        Product(id: id, type: .consumable, basePrice: price)
    }

    private func ids(_ world: World) async throws -> [String] {
        try await world.store.app(bundleID: World.bundleID).catalogue.products.map(\.id)
    }

    @Test("A catalogue comes back as it was imported", arguments: Backend.available)
    func roundTrip(_ backend: Backend) async throws {
        let world = try await World(backend)
        let app = try await world.store.app(bundleID: World.bundleID)
        #expect(app.catalogue == SampleCatalogue.all)
        // And from the rows, for whoever opens the database anew.
        let again = try await World(database: world.database)
        #expect(
            try await again.store.app(bundleID: World.bundleID).catalogue == SampleCatalogue.all)
    }

    @Test("Policies and language are kept, replaced and left", arguments: Backend.available)
    func texts(_ backend: Backend) async throws {
        let policies = AppPolicies(
            licenceAgreement: "Be kind.",
            privacyPolicies: [.init(locale: "de_DE", url: "https://a.example/p", text: "")])
        let group = SubscriptionGroup(
            id: "club", referenceName: "Club",
            localizations: [Localization(locale: "de_DE", displayName: "Verein", description: "")])
        let world = try await World(backend, catalogue: Catalogue())
        func stored() async throws -> App {
            try await World(database: world.database).store.app(bundleID: World.bundleID)
        }
        try await world.store.importCatalogue(
            Catalogue(groups: [group], policies: policies), in: "de_DE", bundleID: World.bundleID)
        #expect(try await stored().catalogue.policies == policies)
        #expect(try await stored().catalogue.groups == [group])
        #expect(try await stored().settings.locale == "de_DE")
        let ada = try await world.device()
        #expect(try await world.store.account(of: ada).locale == "de_DE")
        // Of what a file says nothing, the app keeps what it has.
        try await world.store.importCatalogue(
            Catalogue(products: [Self.coins("a")]), bundleID: World.bundleID)
        #expect(try await stored().catalogue.policies == policies)
        #expect(try await stored().settings.locale == "de_DE")
        let other = AppPolicies(privacyPolicies: [.init(locale: "en_US", url: "", text: "None.")])
        try await world.store.importCatalogue(
            Catalogue(policies: other), in: "en_US", bundleID: World.bundleID)
        #expect(try await stored().catalogue.policies == other)
        #expect(try await stored().settings.locale == "en_US")
        for wrong in [
            AppPolicies(licenceAgreement: "\u{0}"),
            AppPolicies(
                privacyPolicies: [.init(locale: "en_US", url: "javascript:x", text: "")]),
        ] {
            await #expect(throws: StoreError.self) {
                try await world.store.importCatalogue(
                    Catalogue(policies: wrong), bundleID: World.bundleID)
            }
        }
        #expect(try await stored().catalogue.policies == other)
    }

    @Test("A second import adds, replaces and keeps the rest", arguments: Backend.available)
    func secondImport(_ backend: Backend) async throws {
        let world = try await World(
            backend, catalogue: Catalogue(products: [Self.coins("a"), Self.coins("b")]))
        try await world.store.setPrice(
            5_990, product: "b", storefront: .usa, bundleID: World.bundleID)
        try await world.store.importCatalogue(
            Catalogue(products: [Self.coins("b", 1_990), Self.coins("c")]), bundleID: World.bundleID
        )
        #expect(try await ids(world) == ["a", "b", "c"])
        let b = try #require(try await world.store.app(bundleID: World.bundleID).product("b"))
        #expect(b.basePrice == 1_990)
        #expect(b.prices == ["USA": 5_990])
    }

    @Test(
        "New customers are at home where the newest catalogue's prices are meant for",
        arguments: Backend.available)
    func home(_ backend: Backend) async throws {
        let world = try await World(backend, catalogue: Catalogue())
        func newcomer(_ account: String, in home: String? = nil) async throws -> String {
            let device = try await world.store.signIn(
                SignInRequest(
                    bundleID: World.bundleID, account: account,
                    storefront: home.flatMap(Storefront.init(code:))),
                in: .production, token: Randomness.token("test_"))
            let shown = try await world.store.products([], for: device)
            let prices = shown.products.map { "\($0.price.milliunits) \($0.price.currency.code)" }
            return "\(shown.storefront.code) \(prices.joined(separator: ", "))"
        }
        #expect(try await newcomer("ada") == "USA ")
        let oslo = Catalogue(products: [Self.coins("a", 99_000)])
        try await world.store.importCatalogue(
            oslo, for: Storefront(code: "NOR"), bundleID: World.bundleID)
        #expect(try await newcomer("bea") == "NOR 99000 NOK")
        #expect(try await newcomer("carl", in: "DEU") == "DEU 99000 EUR")
        // Who is there stays.
        #expect(try await newcomer("ada") == "USA 99000 USD")
        // The same products for another storefront are a change; none named leaves it.
        try await world.store.importCatalogue(oslo, for: .usa, bundleID: World.bundleID)
        try await world.store.importCatalogue(
            Catalogue(products: [Self.coins("b", 5_000)]), for: Storefront(code: "JPN"),
            bundleID: World.bundleID)
        try await world.store.importCatalogue(oslo, bundleID: World.bundleID)
        // What cannot be imported moves nothing.
        await #expect(throws: StoreError.self) {
            try await world.store.importCatalogue(
                Catalogue(products: [Product(id: "a", type: .nonConsumable, basePrice: 990)]),
                for: .usa, bundleID: World.bundleID)
        }
        let again = try await World(database: world.database)
        let app = try await again.store.app(bundleID: World.bundleID)
        #expect(app.settings.storefront.code == "JPN")
        #expect(try await newcomer("dora") == "JPN 99000 JPY, 5000 JPY")
        #expect(try await newcomer("bea") == "NOR 99000 NOK, 5000 NOK")
    }

    @Test(
        "Products stay in the order in which they were first defined", arguments: Backend.available)
    func order(_ backend: Backend) async throws {
        let world = try await World(
            backend, catalogue: Catalogue(products: [Self.coins("a"), Self.coins("b")]))
        for products in [["a", "b", "c"], ["d"], ["a", "e"]] {
            try await world.store.importCatalogue(
                Catalogue(products: products.map { Self.coins($0) }), bundleID: World.bundleID)
        }
        let found = try await ids(world)
        #expect(found == ["a", "b", "c", "d", "e"])
    }

    @Test("A product keeps its type and its group for ever", arguments: Backend.available)
    func typeAndGroup(_ backend: Backend) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        let reason = "a product keeps its type and its group for ever"
        let moved = Product(
            id: "news.monthly", type: .autoRenewableSubscription, basePrice: 2_990,
            subscription: SubscriptionTerms(groupID: "club", level: 1, period: .month))
        let retyped = Product(id: "coins", type: .nonConsumable, basePrice: 990)
        let loosened = Product(id: "silver.monthly", type: .consumable, basePrice: 990)
        for product in [moved, retyped, loosened] {
            // The first of the two would be fine.
            let catalogue = Catalogue(products: [Self.coins("new"), product])
            await #expect(throws: StoreError.setting(.invalid(product.id, reason: reason))) {
                try await world.store.importCatalogue(catalogue, bundleID: World.bundleID)
            }
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test(
        "Subscribers keep what they bought when the catalogue changes", arguments: Backend.available
    )
    func subscribersKeep(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        let changed = Product(
            id: "silver.monthly", type: .autoRenewableSubscription, basePrice: 12_990,
            subscription: SubscriptionTerms(groupID: "club", level: 2, period: .month))
        try await world.store.importCatalogue(
            Catalogue(products: [changed]), bundleID: World.bundleID)
        try await world.advance(
            to: "2026-02-01",
            telling: ["2026-02-01 DID_RENEW 1 silver.monthly 9.99 until 2026-03-01"])
        let bea = try await world.device("bea")
        try await world.buy(
            "silver.monthly", by: bea,
            telling: ["2026-02-01 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 12.99 until 2026-03-01"])
    }

    @Test("Levels are compared as the catalogue has them now", arguments: Backend.available)
    func newLevels(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: ada)
        // A new top level moves the others down: gold is 2, silver is 3.
        let moved = [("gold.monthly", 2, 19_990 as Int64), ("silver.monthly", 3, 9_990)].map {
            Product(
                id: $0, type: .autoRenewableSubscription, basePrice: $2,
                subscription: SubscriptionTerms(groupID: "club", level: $1, period: .year))
        }
        try await world.store.importCatalogue(
            Catalogue(products: [moved[0]]), bundleID: World.bundleID)
        try await world.store.importCatalogue(
            Catalogue(products: [moved[1]]), bundleID: World.bundleID)
        let bought = try await world.store.purchase(
            PurchaseRequest(productID: "gold.monthly"), by: ada)
        #expect(bought != nil)
    }

    @Test("An app's settings come back as they were set", arguments: Backend.available)
    func settings(_ backend: Backend) async throws {
        let world = try await World(backend)
        try await world.store.configure(bundleID: World.bundleID) { settings in
            settings.name = "Ünïcødé ’app’"
            settings.gracePeriod = .twentyEightDays
            settings.sandboxGracePeriod = .threeDays
            settings.graceScope = .paidToPaidOnly
            settings.billingZone = .pacific
            settings.upgradeInTrial = .keepsTrial
            settings.sandboxRenewalLimit = nil
            settings.notificationURL = nil
            settings.sandboxNotificationURL = "https://developer.example/s"
        }
        let again = try await World(database: world.database)
        let stored = try await again.store.app(bundleID: World.bundleID).settings
        #expect(stored == (try await world.store.app(bundleID: World.bundleID).settings))
        #expect(stored.name == "Ünïcødé ’app’")
        #expect(stored.gracePeriod == .twentyEightDays)
        #expect(stored.sandboxGracePeriod == .threeDays)
        #expect(stored.graceScope == .paidToPaidOnly)
        #expect(stored.billingZone == .pacific)
        #expect(stored.upgradeInTrial == .keepsTrial)
        #expect(stored.sandboxRenewalLimit == nil)
        #expect(stored.notificationURL == nil)
        #expect(stored.sandboxNotificationURL == "https://developer.example/s")
    }

    @Test("A setting that one process changes holds for the others", arguments: Backend.available)
    func sharedSettings(_ backend: Backend) async throws {
        let one = try await World(backend)
        let two = try await World(database: one.database)
        try await one.store.setPrice(
            7_990, product: "coins", storefront: .usa, bundleID: World.bundleID)
        let ada = try await two.device()
        try await two.buy("coins", by: ada, telling: ["2026-01-01 ONE_TIME_CHARGE coins 7.99"])
    }

    @Test("A catalogue that makes no sense is refused", arguments: Backend.available, 0..<2)
    func nonsense(_ backend: Backend, _ index: Int) async throws {
        let catalogues = [
            Catalogue(products: [Self.coins("debt", -990)]),
            Catalogue(products: [
                Product(
                    id: "groupless", type: .autoRenewableSubscription, basePrice: 990,
                    subscription: SubscriptionTerms(groupID: "none", level: 1, period: .month))
            ]),
        ]
        let world = try await World(backend)
        await #expect(throws: StoreError.self) {
            try await world.store.importCatalogue(
                catalogues[index], bundleID: World.bundleID)
        }
    }
}

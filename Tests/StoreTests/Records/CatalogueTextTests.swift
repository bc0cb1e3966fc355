import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Texts that Swift takes for equal and databases for different ones, and texts that cannot be
/// kept at all.
@Suite("Commands: the texts of a catalogue")
struct CatalogueTextTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    private static func coins(_ id: String, _ price: Int64 = 990) -> Product {
        Product(id: id, type: .consumable, basePrice: price)
    }

    private static func plan(_ id: String, group: String) -> Product {
        Product(
            id: id, type: .autoRenewableSubscription, basePrice: 990,
            subscription: SubscriptionTerms(groupID: group, level: 1, period: .month))
    }

    private static func group(_ id: String) -> SubscriptionGroup {
        SubscriptionGroup(id: id, referenceName: "Group")
    }

    static let alike = [
        Catalogue(products: [coins(decomposed, 1)]), Catalogue(products: [coins("\u{212A}")]),
        Catalogue(products: [coins("new"), coins("n\u{E9}w"), coins("ne\u{301}w")]),
        Catalogue(groups: [group(decomposed)]), Catalogue(groups: [group("\u{212B}")]),
        Catalogue(groups: [group("A\u{30A}"), group("\u{C5}")]),
    ]

    @Test("An identifier that reads like another is refused", arguments: Backend.available, alike)
    func refused(_ backend: Backend, _ catalogue: Catalogue) async throws {
        let known = Catalogue(
            groups: [Self.group(Self.composed), Self.group("\u{C5}")],
            products: [Self.coins(Self.composed), Self.coins("K")])
        let world = try await World(backend, catalogue: known)
        let before = try await Tables(world.database)
        let error = await #expect(throws: StoreError.self) {
            try await world.store.importCatalogue(catalogue, bundleID: World.bundleID)
        }
        guard case .setting(.invalid(_, reason: "another identifier reads the same"))? = error
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await Tables(world.database) == before)
        try await world.store.importCatalogue(known, bundleID: World.bundleID)
    }

    @Test("A group is named by its very bytes", arguments: Backend.available)
    func groupOfPlan(_ backend: Backend) async throws {
        let world = try await World(
            backend, catalogue: Catalogue(groups: [Self.group(Self.composed)]))
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.self) {
            try await world.store.importCatalogue(
                Catalogue(products: [Self.plan("plan", group: Self.decomposed)]),
                bundleID: World.bundleID)
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test("What is not written just so is not known", arguments: Backend.available)
    func unknown(_ backend: Backend) async throws {
        let world = try await World(
            backend, catalogue: Catalogue(products: [Self.coins(Self.composed)]))
        let ada = try await world.device()
        let before = try await Tables(world.database)
        let error = StoreError.unknown(.product, Self.decomposed)
        await #expect(throws: error) {
            try await world.store.purchase(PurchaseRequest(productID: Self.decomposed), by: ada)
        }
        await #expect(throws: error) {
            try await world.store.setPrice(
                990, product: Self.decomposed, storefront: .usa, bundleID: World.bundleID)
        }
        await #expect(throws: error) {
            try await world.store.setAvailability(
                false, product: Self.decomposed, storefront: nil, bundleID: World.bundleID)
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test("Two that were kept before are two products", arguments: Backend.available)
    func stored(_ backend: Backend) async throws {
        let database = try await backend.borrowDatabase()
        let catalogue = Catalogue(products: [Self.coins(Self.composed)])
        _ = try await World(database: database, catalogue: catalogue)
        try await database.write {
            try $0.execute(
                """
                INSERT INTO product (app, id, ordinal, definition)
                SELECT app, \(Self.decomposed), 99, definition FROM product
                """)
        }
        let world = try await World(database: database)
        try await world.store.importCatalogue(catalogue, bundleID: World.bundleID)
        try await world.store.setPrice(
            5_990, product: Self.decomposed, storefront: .usa, bundleID: World.bundleID)
        try await world.store.setAvailability(
            false, product: Self.composed, storefront: nil, bundleID: World.bundleID)
        let app = try await world.store.app(bundleID: World.bundleID)
        #expect(app.catalogue.products.count == 2)
        #expect(app.product(Self.composed)?.prices == [:])
        #expect(app.product(Self.decomposed)?.prices == ["USA": 5_990])
        #expect(app.offSale(of: Self.decomposed) == [])
        let ada = try await world.device()
        let bought = try #require(
            try await world.buy(Self.decomposed, by: ada, expecting: ["ONE_TIME_CHARGE"]))
        #expect(bought.productId.utf8.elementsEqual(Self.decomposed.utf8))
        #expect(bought.price == 5_990)
        await #expect(throws: StoreError.purchase(.notForSale(Self.composed))) {
            try await world.store.purchase(PurchaseRequest(productID: Self.composed), by: ada)
        }
    }

    @Test("A customer's name in other bytes is another customer", arguments: Backend.available)
    func customers(_ backend: Backend) async throws {
        let world = try await World(backend)
        let one = try await world.device(Self.composed)
        let other = try await world.device(Self.decomposed)
        try await world.buy("bronze.weekly", by: one, expecting: ["SUBSCRIBED/INITIAL_BUY"])
        #expect(try await world.store.subscriptions(for: one).count == 1)
        #expect(try await world.store.subscriptions(for: other).isEmpty)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: Self.decomposed, in: .production)
        try await world.advance(to: "2026-01-09", expecting: ["DID_RENEW"])
    }

    static let unkept: [Product] = [
        coins("a\u{0}b"), coins("a\nb"), coins("a\u{7F}"), coins("a\u{85}b"), coins(""),
        coins(String(repeating: "x", count: 256)),
        Product(id: "a", type: .consumable, referenceName: "a\u{0}", basePrice: 1),
        Product(
            id: "a", type: .consumable,
            localizations: [Localization(locale: "en", displayName: "\u{0}", description: "")],
            basePrice: 1),
        Product(
            id: "a", type: .consumable,
            localizations: [Localization(locale: "en", displayName: "", description: "\u{0}")],
            basePrice: 1),
        Product(
            id: "a", type: .consumable,
            localizations: [Localization(locale: "\u{1B}[", displayName: "", description: "")],
            basePrice: 1),
        Product(
            id: "a", type: .autoRenewableSubscription, basePrice: 1,
            subscription: SubscriptionTerms(
                groupID: "club", level: 1, period: .month,
                offers: [
                    Offer(kind: .promotional, id: "o\u{0}", mode: .freeTrial, period: .month)
                ])),
    ]

    @Test("A text that cannot be kept is refused", arguments: Backend.available)
    func controls(_ backend: Backend) async throws {
        let world = try await World(backend)
        let before = try await Tables(world.database)
        for product in Self.unkept {
            let error = await #expect(throws: StoreError.self) {
                try await world.store.importCatalogue(
                    Catalogue(products: [Self.coins("fine"), product]), bundleID: World.bundleID)
            }
            guard case .setting(.invalid)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(try await Tables(world.database) == before)
    }

    @Test("The longest texts there are can be kept and sold", arguments: Backend.available)
    func longest(_ backend: Backend) async throws {
        let world = try await World(backend)
        let id = String(repeating: "\u{1F331}", count: 255)
        let text = String(repeating: "\u{1F331}\n\t", count: 1333)
        let product = Product(
            id: id, type: .consumable, referenceName: id,
            localizations: [Localization(locale: "en", displayName: id, description: text)],
            basePrice: 990)
        try await world.store.importCatalogue(
            Catalogue(products: [product]), bundleID: World.bundleID)
        try await world.store.setPrice(
            1_990, product: id, storefront: .usa, bundleID: World.bundleID)
        try await world.buy(id, by: try await world.device(), expecting: ["ONE_TIME_CHARGE"])
    }
}

import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestPages
import TestSupport
import Testing

@Suite("Console: what merchants describe themselves")
struct MerchantPageTests {
    private static let generic = "generic.subscription"

    private static func reference(_ number: Int) -> AdvancedCommerceRequestInfo {
        let tail = String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
        return AdvancedCommerceRequestInfo(
            requestReferenceId: "00000000-0000-4000-8000-\(tail)")
    }

    /// A subscription of items, each by its SKU and its name.
    private func bundle(
        _ items: [(sku: String, name: String)], on backend: Backend = .sqlite
    ) async throws -> (ConsoleWorld, String) {
        let world = try await ConsoleWorld(backend)
        let store = world.world.store
        try await store.importCatalogue(
            Catalogue(
                groups: SampleCatalogue.all.groups + [
                    SubscriptionGroup(id: "generic", referenceName: "Generic")
                ],
                products: SampleCatalogue.all.products + [
                    Product(
                        id: Self.generic, type: .autoRenewableSubscription, basePrice: 990,
                        subscription: SubscriptionTerms(
                            groupID: "generic", level: 1, period: .month))
                ]), bundleID: World.bundleID)
        try await store.setGeneric(true, product: Self.generic, bundleID: World.bundleID)
        let request = AdvancedCommerceSubscriptionCreateRequest(
            requestInfo: Self.reference(1), currency: "USD", taxCode: "C003-00-1",
            descriptors: AdvancedCommerceDescriptors(
                displayName: "The paper", description: "News and more"),
            period: .oneMonth, previousTransactionId: nil, storefront: nil,
            items: items.map {
                AdvancedCommerceSubscriptionCreateItem(
                    sku: $0.sku, displayName: $0.name, description: "All of it", price: 9_990)
            })
        var purchase = PurchaseRequest(productID: Self.generic)
        purchase.advancedCommerce = SignedInAppRequest(
            nonce: "nonce", .createSubscription(request))
        let signed = try #require(
            try await store.buy(purchase, by: try await world.world.device("ada"))
                .signedTransaction)
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return (world, transaction.originalTransactionId)
    }

    private func change(
        _ number: Int, _ prices: [(String, Int64)], of id: String, in world: ConsoleWorld
    ) async throws {
        let request = AdvancedCommerceSubscriptionPriceChangeRequest(
            requestInfo: Self.reference(number), currency: "USD",
            items: prices.map {
                AdvancedCommerceSubscriptionPriceChangeItem(
                    sku: $0.0, price: $0.1, dependentSKUs: nil)
            })
        _ = try await world.world.store.changePrices(
            transaction: try #require(Int64(id)), request,
            for: Caller(bundleID: World.bundleID, environment: .production))
    }

    @Test(
        "A subscription's page says what the next bill has, what changes and what was requested",
        arguments: Backend.available)
    func page(_ backend: Backend) async throws {
        let (world, id) = try await bundle(
            [("news", "The news"), ("chess", "Chess")], on: backend)
        try await change(2, [("news", 8_990), ("chess", 19_990)], of: id, in: world)
        try await world.signedIn { browser in
            let page = try await browser.get("/console/subscriptions/\(id)")
            #expect(page.status == 200)
            expectSafe(page)
            for words in [
                "Next bill", "$9.99 until then", "What is going to change",
                "news costs $8.99 instead of $9.99", "chess costs $19.99 instead of $9.99",
                "not asked yet", "Requests", "create subscription", "change price",
                "PRICE_CHANGE", "on a device", "by a server", "chess comes for $9.99",
                "perennial subscription next-bill \(id)", "perennial ac requests \(id)",
                "GET /connect/v1/subscriptions/\(id)/next-bill", "item delivered",
            ] { #expect(page.words.contains(words), "\(words)") }
            let list = try await browser.get("/console/subscriptions/\(id)/requests")
            #expect(list.status == 200 && list.words.contains("create subscription"))
            let none = try await browser.get("/console/subscriptions/7/requests")
            #expect(none.status == 404)
        }
    }

    @Test("An ordinary subscription has its next bill and no requests")
    func ordinary() async throws {
        let world = try await ConsoleWorld()
        let id = try await world.subscribe("ada", to: "silver.intro")
        let over = try await world.subscribe("bob")
        try await world.signedIn { browser in
            let page = try await browser.get("/console/subscriptions/\(id)")
            #expect(page.words.contains("Next bill") && page.words.contains("$1.99"))
            #expect(page.words.contains("by an offer, period by period, 1 more follow"))
            #expect(page.words.contains("Nothing, as things are."))
            #expect(!page.words.contains("create subscription"))
            let ended = try await browser.call(
                .post, "/connect/v1/subscriptions/\(over)/expire", nil)
            #expect(ended.status == 204)
            let after = try await browser.get("/console/subscriptions/\(over)")
            #expect(after.status == 200 && !after.words.contains("Nothing, as things are."))
        }
    }

    @Test(
        "No SKU and no name of an item becomes markup",
        arguments: [
            "<x-evil x-evil=1>", "\"x-evil=1 'x-evil=1 ><x-evil>", "</title></svg><x-evil>",
            "{{.title}}{{{.x-evil}}}", "&lt;x-evil&gt;", "\"\u{301} x-evil=\"\u{301}",
        ])
    func hostile(text: String) async throws {
        let (world, id) = try await bundle([(text, String(text.prefix(30))), ("plain", "Plain")])
        try await change(2, [(text, 19_990)], of: id, in: world)
        try await world.signedIn { browser in
            for path in ["", "/requests"] {
                let page = try await browser.get("/console/subscriptions/\(id)\(path)")
                #expect(page.status == 200)
                expectSafe(page)
                for tag in page.markup {
                    #expect(!tag.name.contains("x-evil"))
                    #expect(!tag.attributes.keys.contains { $0.contains("evil") })
                }
                #expect(page.words.unicodeScalars.contains(text.unicodeScalars), "\(path)")
            }
        }
    }

    @Test("Every item whose price rises is on the page, with its own reasons")
    func severalIncreases() async throws {
        let (world, id) = try await bundle([("news", "The news"), ("chess", "The chess")])
        try await change(2, [("news", 10_990), ("chess", 19_990)], of: id, in: world)
        try await world.signedIn { browser in
            let page = try await browser.get("/console/subscriptions/\(id)")
            #expect(page.words.contains("news: ") && page.words.contains("chess: "))
            let increases = try await browser.get("/console/subscriptions/\(id)/price-increase")
            #expect(increases.status == 200)
            for word in ["The news", "The chess", "$10.99", "$19.99"] {
                #expect(increases.words.contains(word), "\(word)")
            }
        }
    }

    @Test("A hundred items are a hundred lanes, and the page stays small")
    func hundred() async throws {
        let items = (1...100).map { ("item.number.\($0)", "Item \($0)") }
        let (world, id) = try await bundle(items)
        _ = try await world.world.store.advance(to: World.instant("2028-01-15"))
        try await world.signedIn { browser in
            let page = try await browser.get("/console/subscriptions/\(id)")
            #expect(page.status == 200)
            for number in [1, 50, 100] {
                #expect(page.text.contains(">item.number.\(number)</text>"))
            }
            #expect(page.words.contains("$999.00"))
            #expect(page.text.utf8.count < 110_000, "\(page.text.utf8.count)")
        }
    }
}

import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: the end of an offer in Korea")
struct KoreanStories {
    private static let catalogue: Catalogue = {
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices where catalogue.products[place].id == "silver.trial"
        {
            catalogue.products[place].subscription?.offers = [
                Offer(kind: .introductory, mode: .freeTrial, period: CalendarPeriod(2, .month))
            ]
        }
        return catalogue
    }()

    @Test(
        "The customer is asked in the last thirty days, and shown what it is about",
        arguments: Backend.available)
    func consent(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2025-03-01T00:00:00Z", catalogue: Self.catalogue)
        let (ada, bob) = (
            try await world.device(storefront: "KOR"),
            try await world.device("bob", storefront: "KOR")
        )
        let id = try await world.subscribe("silver.trial", by: ada)
        let other = try await world.subscribe("silver.trial", by: bob)
        let shown = "silver.trial 0.00 KRW FREE_TRIAL until 2025-05-01"
        try await world.advance(
            to: "2025-04-01",
            telling: [
                "2025-03-31 15:00 PRICE_INCREASE/PENDING 1 \(shown)",
                "2025-03-31 15:00 PRICE_INCREASE/PENDING 1 \(shown)",
            ])
        #expect(try await world.status("\(id)").renewal.priceIncreaseStatus == .pending)
        let messages = try await world.store.priceIncreaseMessages(for: ada)
        #expect(messages.map(\.isConversion) == [true])
        #expect(messages.map(\.renewal) == [World.instant("2025-05-01")])
        try await world.change(
            id, .priceIncrease(agrees: true), by: ada,
            telling: ["2025-04-01 PRICE_INCREASE/ACCEPTED 1 \(shown)"])
        #expect(try await world.store.priceIncreaseMessages(for: ada).isEmpty)
        try await world.advance(
            to: "2025-05-01",
            telling: [
                "2025-05-01 DID_RENEW 1 silver.trial 10.00 KRW until 2025-06-01",
                "2025-05-01 EXPIRED/PRICE_INCREASE 2 \(shown)",
            ])
        let renewal = try await world.status("\(other)").renewal
        #expect(renewal.expirationIntent?.rawValue == 3)
        try await world.check()
    }

    @Test(
        "The question goes away with the renewal, and behind another plan (KOR-5, INC-12)",
        arguments: Backend.available)
    func goesAway(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2025-03-01T00:00:00Z", catalogue: Self.catalogue)
        let changes: [(String, SubscriptionChange)] = [
            ("ada", .renewal(isOn: false)), ("bob", .priceIncrease(agrees: false)),
            ("cara", .product("bronze.monthly")),
        ]
        for (name, change) in changes {
            let device = try await world.device(name, storefront: "KOR")
            let id = try await world.subscribe("silver.trial", by: device)
            _ = try await world.store.advance(by: CalendarStep(iso8601: "P35D")!)
            #expect(try await world.store.priceIncreaseMessages(for: device).count == 1)
            try await world.store.change(subscription: id, [change], by: device)
            #expect(try await world.store.priceIncreaseMessages(for: device).isEmpty, "\(name)")
            let renewal = try await world.status("\(id)").renewal
            #expect(renewal.priceIncreaseStatus == nil, "\(name)")
            // It can be answered after all.
            guard name != "cara" else { continue }
            try await world.store.change(
                subscription: id, [.priceIncrease(agrees: true)], by: device)
            #expect(
                try await world.status("\(id)").renewal.priceIncreaseStatus == .accepted)
        }
        try await world.check()
    }
}

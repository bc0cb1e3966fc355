import Letters
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Silver, a month for 9.99 USD, bought on 15 January 2026, and a higher price: who is told when,
/// and by which way.
@Suite("Stories: letters about prices")
struct PriceLetterStories {
    private static let anna = "anna@example.com"

    private func world(
        _ backend: Backend, at start: String = "2026-01-15", isListening: Bool = false,
        catalogue: Catalogue = SampleCatalogue.all
    ) async throws -> World {
        try await World(
            backend, at: start, catalogue: catalogue, isListening: isListening,
            mailroom: .lines())
    }

    private func everyWay(_ day: String, _ who: String, _ what: String) -> [String] {
        ["mail", "inApp", "push"].map { "\(day) \(who) \($0) \(what)" }
    }

    @Test(
        "A notice is mailed and shown 27 days before, and pushed 7 days before (TAB-7.3)",
        arguments: Backend.available)
    func notice(_ backend: Backend) async throws {
        let world = try await world(backend)
        _ = try await world.subscribe("silver.monthly", by: world.device(Self.anna))
        try await world.schedule("silver.monthly", 10_990, live: "2026-03-10")
        let told = "increase silver.monthly 9990 to 10990 on 2026-04-15"
        _ = try await world.store.advance(to: World.instant("2026-03-18"))
        #expect(try await world.letters(.priceIncreaseNotice) == [])
        _ = try await world.store.advance(to: World.instant("2026-06-01"))
        #expect(
            try await world.letters(.priceIncreaseNotice, .priceIncreaseConsent) == [
                "2026-03-19 anna mail \(told)", "2026-03-19 anna inApp \(told)",
                "2026-04-08 anna push \(told)",
            ])
        try await world.check()
    }

    @Test(
        "A request comes every week by every way, until it is answered or renewal is off (ACC-1)",
        arguments: Backend.available, [true, false])
    func request(_ backend: Backend, _ isListening: Bool) async throws {
        let world = try await world(backend, isListening: isListening)
        var people: [String: (device: DeviceSession, id: Int64)] = [:]
        for name in ["anna", "bob", "cara"] {
            let device = try await world.device("\(name)@example.com")
            people[name] = (device, try await world.subscribe("silver.monthly", by: device))
        }
        let (bob, cara) = (try #require(people["bob"]), try #require(people["cara"]))
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        let asked = "agree? silver.monthly 9990 to 19990 on 2026-04-15"
        _ = try await world.store.advance(to: World.instant("2026-03-27"))
        try await world.store.change(
            subscription: bob.id, [.priceIncrease(agrees: true)], by: bob.device)
        _ = try await world.store.advance(to: World.instant("2026-04-03"))
        try await world.store.change(
            subscription: cara.id, [.renewal(isOn: false)], by: cara.device)
        _ = try await world.store.advance(to: World.instant("2026-06-01"))
        let letters = try await world.letters(.priceIncreaseConsent)
        for (name, days) in [
            ("anna", ["2026-03-19", "2026-03-26", "2026-04-02", "2026-04-09"]),
            ("bob", ["2026-03-19", "2026-03-26"]),
            ("cara", ["2026-03-19", "2026-03-26", "2026-04-02"]),
        ] {
            #expect(
                letters.filter { $0.contains(" \(name) ") }
                    == days.flatMap { everyWay($0, name, asked) })
        }
        #expect(letters == letters.sorted { $0.prefix(10) < $1.prefix(10) })
        try await world.check()
    }

    @Test(
        "A year's plan is asked from 60 days before on: nine times (ACC-12)",
        arguments: Backend.available)
    func yearly(_ backend: Backend) async throws {
        let world = try await world(backend)
        _ = try await world.subscribe("silver.yearly", by: world.device(Self.anna))
        try await world.schedule("silver.yearly", 199_990, live: "2026-03-10")
        _ = try await world.store.advance(to: World.instant("2027-02-01"))
        let asked = "agree? silver.yearly 99990 to 199990 on 2027-01-15"
        #expect(
            try await world.letters(.priceIncreaseConsent)
                == [
                    "2026-11-16", "2026-11-23", "2026-11-30", "2026-12-07", "2026-12-14",
                    "2026-12-21", "2026-12-28", "2027-01-04", "2027-01-11",
                ].flatMap { everyWay($0, "anna", asked) })
    }

    @Test(
        "An extension moves the push, and nothing is sent twice (ACC-11)",
        arguments: Backend.available)
    func extended(_ backend: Backend) async throws {
        let world = try await world(backend)
        let id = try await world.subscribe("silver.monthly", by: world.device(Self.anna))
        try await world.schedule("silver.monthly", 10_990, live: "2026-03-10")
        _ = try await world.store.advance(to: World.instant("2026-04-09"))
        _ = try await world.store.extend(
            subscription: id, ExtensionRequest(days: 10, reasonCode: 1),
            requestIdentifier: "one", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-06-01"))
        #expect(
            try await world.letters(.priceIncreaseNotice) == [
                "2026-03-19 anna mail increase silver.monthly 9990 to 10990 on 2026-04-15",
                "2026-03-19 anna inApp increase silver.monthly 9990 to 10990 on 2026-04-15",
                "2026-04-08 anna push increase silver.monthly 9990 to 10990 on 2026-04-15",
            ])
    }

    @Test(
        "Before an offer ends in Korea the customer is asked in the last thirty days (KOR-3)",
        arguments: Backend.available)
    func korea(_ backend: Backend) async throws {
        var catalogue = SampleCatalogue.all
        for place in catalogue.products.indices where catalogue.products[place].id == "silver.trial"
        {
            catalogue.products[place].subscription?.offers = [
                Offer(kind: .introductory, mode: .freeTrial, period: CalendarPeriod(2, .month))
            ]
        }
        let world = try await world(
            backend, at: "2025-03-01T00:00:00Z", catalogue: catalogue)
        let (ann, bob) = (
            try await world.device(Self.anna, storefront: "KOR"),
            try await world.device("bob@example.com", storefront: "KOR")
        )
        _ = try await world.subscribe("silver.trial", by: ann)
        let id = try await world.subscribe("silver.trial", by: bob)
        // Midnight in Seoul is 15:00 of the day before.
        _ = try await world.store.advance(to: World.instant("2025-04-10"))
        try await world.store.change(
            subscription: id, [.priceIncrease(agrees: true)], by: bob)
        _ = try await world.store.advance(to: World.instant("2025-06-01"))
        let letters = try await world.letters(.koreanConversion)
        let asked = "agree? silver.trial 9990 on 2025-05-01"
        let expected: [String] = ["03-31", "04-07", "04-14", "04-21", "04-28"].flatMap { day in
            everyWay("2025-\(day) 15:00", "anna", asked)
        }
        let annas = letters.filter { $0.contains(" anna ") }
        #expect(annas.map { $0.replacing("10000", with: "9990") } == expected)
        #expect(letters.count { $0.contains(" bob ") } == 6)
        try await world.check()
    }
}

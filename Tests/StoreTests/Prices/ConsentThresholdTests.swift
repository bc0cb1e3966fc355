import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Silver, a month for 9.99 USD, bought on 15 January 2026, and thresholds that the operator sets.
@Suite("Thresholds for consent that the operator sets")
struct ConsentThresholdTests {
    private static func change(
        in storefront: Storefront = .usa, _ fill: (inout ConsentThresholdChange) -> Void
    ) -> ConsentThresholdChange {
        var change = ConsentThresholdChange(in: storefront)
        fill(&change)
        return change
    }

    private static func told(_ how: String) -> String {
        "2026-03-19 PRICE_INCREASE/\(how) 1 silver.monthly 9.99 until 2026-04-15"
    }

    private static func sizeTest(_ world: World, _ id: Int64) async throws -> SizeTest? {
        let explanation = try await world.store.explainPriceIncrease(
            subscription: id, in: .production)
        for case .size(let test) in explanation?.decision.reasons ?? [] { return test }
        return nil
    }

    @Test("An amount that is set decides about increases", arguments: Backend.available)
    func amount(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        // Twice the price, and 10.00 more: exactly reached is not exceeded.
        let row = try await world.store.setConsentThreshold(
            Self.change { $0.nonAnnualAmount = 10_000 })
        #expect(row.nonAnnualAmount == 10_000)
        #expect(row.annualAmount == 50_000)
        #expect(row.origin == .operator)
        #expect(row.asOf == CivilDate(year: 2026, month: 1, day: 15))
        try await world.schedule("silver.monthly", 19_990, live: "2026-03-10")
        try await world.advance(
            to: "2026-03-19", telling: PriceIncreaseStories.untilApril + [Self.told("ACCEPTED")])
        let test = try #require(try await Self.sizeTest(world, id))
        #expect(test.amount == 10_000)
        #expect(test.origin == .operator)
        try await world.advance(
            to: "2026-04-15",
            telling: ["2026-04-15 DID_RENEW 1 silver.monthly 19.99 until 2026-05-15"])
    }

    @Test("What was planned keeps what was decided", arguments: Backend.available)
    func planned(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 10_990, live: "2026-03-10")
        try await world.advance(to: "2026-03-12", telling: [PriceIncreaseStories.untilApril[0]])
        try await world.store.setConsentThreshold(
            Self.change {
                $0.alwaysConsent = true
                $0.nonAnnualAmount = 0
            })
        try await world.advance(
            to: "2026-03-19",
            telling: [PriceIncreaseStories.untilApril[1], Self.told("ACCEPTED")])
        let test = try #require(try await Self.sizeTest(world, id))
        #expect(test.amount == 5_000)
        #expect(test.origin == .appleTable)
    }

    @Test(
        "What goes live later goes by what is set by then, also where it was scheduled before",
        arguments: Backend.available)
    func scheduledBefore(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule("silver.monthly", 10_990, live: "2026-03-10")
        try await world.advance(to: "2026-03-09", telling: [PriceIncreaseStories.untilApril[0]])
        try await world.store.setConsentThreshold(Self.change { $0.alwaysConsent = true })
        try await world.advance(
            to: "2026-03-19",
            telling: [PriceIncreaseStories.untilApril[1], Self.told("PENDING")])
        // What decided is kept, whatever is set afterwards.
        try await world.store.setConsentThreshold(Self.change { $0.isReset = true })
        let explanation = try #require(
            try await world.store.explainPriceIncrease(subscription: id, in: .production))
        #expect(explanation.decision.path == .consent)
        #expect(
            explanation.decision.decidingReasons
                == [.region(storefront: "USA", .alwaysConsent)])
    }

    @Test("A region where consent was always needed can be set free", arguments: Backend.available)
    func region(_ backend: Backend) async throws {
        let germany = try #require(Storefront(code: "DEU"))
        let world = try await World(backend, at: "2026-01-15")
        #expect(try await world.store.consentThresholds()["DEU"]?.alwaysConsent == true)
        try await world.store.setConsentThreshold(
            Self.change(in: germany) { $0.alwaysConsent = false })
        let id = try await world.subscribe(
            "silver.monthly", by: world.device(storefront: "DEU"))
        try await world.store.schedule(
            PriceOrder(
                productID: "silver.monthly", storefront: germany, price: 10_990,
                start: World.instant("2026-03-10"), existing: .apply),
            bundleID: World.bundleID)
        _ = try await world.store.advance(to: World.instant("2026-03-20"))
        let explanation = try #require(
            try await world.store.explainPriceIncrease(subscription: id, in: .production))
        #expect(explanation.decision.path == .notice)
    }

    @Test("It holds in a store that is opened again", arguments: Backend.available)
    func reopened(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let set = try await world.store.setConsentThreshold(
            Self.change {
                $0.alwaysConsent = true
                $0.annualAmount = 42_000
                $0.currency = "USD"
            })
        let again = try await World(database: world.database, isListening: false)
        #expect(try await again.store.consentThresholds()["USA"] == set)
        let before = try await Tables(world.database)
        // What is so already is not written.
        try await again.store.setConsentThreshold(
            Self.change {
                $0.alwaysConsent = true
                $0.annualAmount = 42_000
            })
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
        try await again.store.setConsentThreshold(Self.change { $0.isReset = true })
        #expect(try await again.store.consentThresholds() == .standard)
        #expect(try await Tables(world.database).counts["consent_threshold"] == 0)
    }

    @Test("What cannot be is refused and changes nothing", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await World(backend, isListening: false)
        let before = try await Tables(world.database)
        let japan = try #require(Storefront(code: "JPN"))
        let refused: [(String, ConsentThresholdChange)] = [
            ("nonAnnualAmount", Self.change { $0.nonAnnualAmount = -10 }),
            ("annualAmount", Self.change { $0.annualAmount = -10 }),
            ("annualAmount", Self.change { $0.annualAmount = 1_000_000_000_010 }),
            ("nonAnnualAmount", Self.change { $0.nonAnnualAmount = .max }),
            ("nonAnnualAmount", Self.change { $0.nonAnnualAmount = 4_995 }),
            ("annualAmount", Self.change(in: japan) { $0.annualAmount = 750_500 }),
            ("currency", Self.change { $0.currency = "EUR" }),
            ("currency", Self.change { $0.currency = "ZZZ" }),
            (
                "annualAmount",
                Self.change {
                    $0.alwaysConsent = true
                    $0.annualAmount = -1
                }
            ),
        ]
        for (field, change) in refused {
            let error = await #expect(throws: StoreError.self) {
                try await world.store.setConsentThreshold(change)
            }
            guard case .setting(.invalid(field, _))? = error else {
                Issue.record("\(field): \(String(describing: error))")
                continue
            }
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
        #expect(try await world.store.consentThresholds() == .standard)
    }
}

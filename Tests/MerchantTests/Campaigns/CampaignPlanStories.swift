import AppStoreWire
import Merchant
import MerchantRules
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Whom a campaign reaches, at which price, and what stands in the way.
@Suite("Merchant: plans of campaigns", .timeLimit(.minutes(15)))
struct CampaignPlanStories {
    @Test(
        "Everybody who has the product now is in a plan, with what they pay and why",
        arguments: Backend.available)
    func ordinary(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await world.subscribe("ada", "silver.monthly")
        try await world.subscribe("bea", "silver.monthly", storefront: "DEU", claims: false)
        try await world.subscribe("cem", "gold.monthly")
        try await world.subscribe("dan", "silver.monthly")
        let (plan, all) = try await world.plan(
            MerchantWorld.prices(
                ["silver.monthly": ["USA": 11_990]], live: "2026-03-01",
                exclusions: PriceCampaign.Exclusions(accounts: ["dan"])))
        #expect(
            all.map(\.line) == [
                "ada included notice 9990 11990", "nobody leftOut otherStorefront 9990 9990",
                "dan leftOut excludedAccount 9990 9990",
            ])
        #expect(all.map(\.storefront) == ["USA", "DEU", "USA"])
        #expect(all.map(\.currency) == ["USD", "EUR", "USD"])
        #expect(all[0].renewal != nil)
        #expect(all[0].detail.reasons.contains { $0.rule == "THR-1 b" && !$0.demandsConsent })
        #expect(!all[0].detail.messages.isEmpty)
        #expect(all[1].sentence == "The campaign has no price for the storefront.")
        let money = try #require(plan.totals.money.first)
        #expect(plan.totals.money.count == 1)
        #expect(money.currency == "USD")
        #expect([money.subscribers, money.oldPrice, money.newPrice] == [1, 9_990, 11_990])
        #expect(money.stake == 2_000 * 12)
    }

    @Test(
        "In a trial the standard price is what comes after it, and a lapsed one is left out",
        arguments: Backend.available)
    func offers(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await world.subscribe("ada", "silver.trial")
        let prices = MerchantWorld.prices(
            ["silver.trial": ["USA": 10_990]], live: "2026-03-01")
        let (_, trial) = try await world.plan(prices)
        #expect(trial.map(\.oldPrice) == [9_990])
        // The week for nothing ends, and months are paid.
        try await world.advance(to: "2026-02-10")
        let (_, paid) = try await world.plan(prices)
        #expect(paid.map(\.line) == ["ada included notice 9990 10990"])
        // The end of the trial was no increase.
        #expect(!paid[0].detail.warnings.contains { $0.code == "secondIncreaseWithin12Months" })
        let device = try await world.world.device("ada")
        let id = try #require(Int64(paid[0].originalTransactionID))
        try await world.world.store.change(
            subscription: id, [.renewal(isOn: false)], by: device)
        try await world.deliver()
        let (_, off) = try await world.plan(prices)
        #expect(off.map(\.line) == ["ada blocked renewalOff 9990 9990"])
        try await world.advance(to: "2026-04-10")
        let (_, over) = try await world.plan(prices)
        #expect(over.map(\.line) == ["ada leftOut ended 9990 9990"])
    }

    @Test(
        "A second increase within a year needs consent, and the plan warns of it",
        arguments: Backend.available)
    func secondIncrease(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await world.subscribe("ada", "silver.monthly")
        try await world.world.store.schedule(
            PriceOrder(
                productID: "silver.monthly", storefront: .usa, price: 10_990, existing: .apply),
            bundleID: World.bundleID)
        try await world.advance(to: "2026-05-10")
        let (plan, all) = try await world.plan(
            MerchantWorld.prices(["silver.monthly": ["USA": 11_990]], live: "2026-06-15"))
        #expect(all.map(\.line) == ["ada included consent 10990 11990"])
        #expect(all[0].detail.reasons.contains { $0.rule == "THR-1 c" && $0.demandsConsent })
        #expect(plan.totals.warnings.map(\.name).contains("secondIncreaseWithin12Months"))
    }

    @Test(
        "Items of Advanced Commerce are found inside their generic product",
        arguments: Backend.available)
    func items(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await world.addGeneric()
        try await world.subscribe("ada", to: ["news": 9_990, "chess": 2_990], number: 1)
        try await world.subscribe("bea", to: ["news": 9_990], number: 2)
        try await world.subscribe("cem", to: ["chess": 2_990], number: 3)
        try await world.subscribe("dan", "silver.monthly")
        try await world.reach("ada")
        let (plan, all) = try await world.plan(
            MerchantWorld.prices(
                ["news": ["USA": 10_990]], route: .merchantManaged, live: "2026-01-02"))
        #expect(
            all.map(\.line) == [
                "ada included notice 12980 13980", "bea blocked noMailAddress 9990 9990",
            ])
        let detail = all[0].detail
        #expect(Set(detail.messages.map(\.channel)) == ["mail", "sheet", "push"])
        #expect(detail.messages.allSatisfy { $0.skus == ["news"] })
        #expect(detail.calls.map(\.skus) == [["news"]])
        #expect(Set(detail.reasons.map(\.sku)) == ["news", "chess"])
        #expect(plan.totals.unreachable.map(\.name) == ["mail", "push"])
        // One SKU may be sold by the month and by the year.
        var yearly = MerchantWorld.prices(
            ["news": ["USA": 10_990]], route: .merchantManaged, live: "2026-01-02")
        yearly = CampaignDefinition(yearly.work, periods: ["news": .year])
        let (_, others) = try await world.plan(yearly)
        #expect(others.map(\.reason) == ["otherProduct", "otherProduct"])
    }

    @Test(
        "An outage gives days to who paid, and says who gets none and why",
        arguments: Backend.available)
    func outage(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let ada = try await world.subscribe("ada", "silver.monthly")
        try await world.subscribe("bea", "silver.trial")
        try await world.subscribe("cem", "gold.monthly")
        let id = try #require(Int64(ada.originalTransactionId))
        _ = try await world.world.store.extend(
            originalTransaction: id, try ExtensionRequest(days: 2, reasonCode: 3),
            requestIdentifier: "first", for: world.world.caller())
        try await world.deliver()
        let definition = CampaignDefinition(
            .outage(
                OutageCampaign(
                    name: "outage", bundleID: World.bundleID, from: World.instant("2026-01-01"),
                    to: World.instant("2026-01-02T01:00:00Z"),
                    products: ["silver.monthly", "silver.trial"], days: .forEachBegunDay)))
        let (plan, all) = try await world.plan(definition)
        #expect(all.map(\.account) == ["ada", "bea"])
        #expect(all.map(\.reason) == ["extended", "inFreeOffer"])
        #expect(all.map(\.decision) == [.included, .notEligible])
        #expect(all[0].days == 2)
        #expect(all[0].renewal == World.instant("2026-02-05"))
        #expect(all[0].detail.warnings.map(\.code) == ["extensionLimit"])
        #expect(all[1].sentence == "The running period is free.")
        #expect(plan.totals.days == 2)
        #expect(plan.totals.money.map(\.stake) == [-9_990 * 2 / 30])
    }

    @Test(
        "A plan keeps its prices, and a later one of the same name takes its place",
        arguments: Backend.available)
    func kept(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await world.subscribe("ada", "silver.monthly")
        func definition(_ name: String) -> CampaignDefinition {
            MerchantWorld.prices(
                ["silver.monthly": ["USA": 11_990]], live: "2026-09-01", name: name)
        }
        let (first, _) = try await world.plan(definition("spring"))
        let (other, _) = try await world.plan(definition("autumn"))
        try await world.world.store.schedule(
            PriceOrder(
                productID: "silver.monthly", storefront: .usa, price: 10_990, existing: .apply),
            bundleID: World.bundleID)
        try await world.advance(to: "2026-05-10")
        let before = try await world.merchant.subscribers(of: first.id, limit: 10)
        #expect(before.map(\.oldPrice) == [9_990])
        let (second, now) = try await world.plan(definition("spring"))
        #expect(now.map(\.oldPrice) == [10_990])
        #expect(second.id > other.id)
        #expect(try await refusal { try await world.merchant.campaignPlan(first.id) })
        #expect(
            try await refusal { try await world.merchant.subscribers(of: first.id, limit: 1) })
        #expect(try await world.merchant.campaignPlan(other.id) == other)
    }

    /// Whether a plan is unknown.
    private func refusal<Found: Sendable>(
        _ body: () async throws -> Found
    ) async throws -> Bool {
        do {
            _ = try await body()
            return false
        } catch MerchantError.unknownPlan {
            return true
        }
    }

    @Test(
        "A plan is read in pages, by decision and by reason, and in samples that a seed repeats",
        arguments: Backend.available)
    func pages(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        for number in 1...7 {
            try await world.subscribe(
                "a\(number)", "silver.monthly", storefront: number == 4 ? "SWE" : "USA")
        }
        let (plan, all) = try await world.plan(
            MerchantWorld.prices(["silver.monthly": ["USA": 11_990]], live: "2026-03-01"))
        let merchant = world.merchant
        #expect(all.map(\.account) == (1...7).map { "a\($0)" })
        let first = try await merchant.subscribers(of: plan.id, limit: 3)
        let rest = try await merchant.subscribers(of: plan.id, after: first.last?.id, limit: 9)
        #expect(first + rest == all)
        let out = try await merchant.subscribers(
            of: plan.id, PlanFilter(decision: .leftOut), limit: 9)
        #expect(out.map(\.account) == ["a4"])
        let told = try await merchant.subscribers(
            of: plan.id, PlanFilter(decision: .included, reason: "notice"), limit: 9)
        #expect(told.count == 6)
        let drawn = try await merchant.sample(of: plan.id, count: 4, seed: 1)
        #expect(Set(drawn.map(\.id)).count == 4)
        #expect(try await merchant.sample(of: plan.id, count: 4, seed: 1) == drawn)
        let everybody = try await merchant.sample(of: plan.id, count: 50, seed: 2)
        #expect(Set(everybody) == Set(all))
        var orders: Set<[Int64]> = []
        for seed in 0..<20 {
            let some = try await merchant.sample(of: plan.id, count: 4, seed: Int64(seed))
            orders.insert(some.map(\.id))
        }
        #expect(orders.count > 1)
    }

    @Test(
        "A campaign of an app that is not served, or that nobody has, plans nothing",
        arguments: Backend.available)
    func nobody(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        try await world.subscribe("ada", "silver.monthly")
        let (plan, all) = try await world.plan(
            MerchantWorld.prices(["gold.monthly": ["USA": 29_990]], live: "2026-03-01"))
        #expect(all.isEmpty)
        #expect(plan.totals.counts.isEmpty)
        var other = PriceCampaign(
            name: "x", bundleID: "com.example.other", route: .appStoreConnect,
            targets: ["a": ["USA": 990]], live: World.instant("2026-03-01"))
        other.environments = [.production]
        do {
            _ = try await world.merchant.plan(
                CampaignDefinition(.price(other)), file: "", attachments: [:])
            Issue.record("It was planned.")
        } catch {
            #expect(error as? MerchantError == .unknownApp("com.example.other"))
        }
    }
}

import AppStoreWire
import Merchant
import MerchantRules
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Renewal dates extended after an outage (EXT-1).
@Suite("Merchant: outages", .timeLimit(.minutes(30)))
struct OutageStories {
    private static let storefronts = ["USA", "DEU", "FRA", "GBR", "JPN", "KOR"]

    /// 300 subscribers: of every ten one is in billing retry, one in a trial, one has another plan.
    private func crowd(_ world: OutageWorld) async throws {
        for number in 0..<300 where number % 10 != 2 {
            let account = "reader-\(number)"
            let product = number % 10 == 3 ? "bronze.monthly" : "silver.monthly"
            try await world.buy(
                product, account, storefront: Self.storefronts[number / 10 % 6])
            guard number % 10 == 1 else { continue }
            try await world.store.setPaymentMethod(
                .declines(until: nil, left: nil), account: account, in: .production)
        }
        try await world.base.advance(to: "2026-02-16T00:00:00Z")
        for number in stride(from: 2, to: 300, by: 10) {
            try await world.buy(
                "silver.trial", "reader-\(number)",
                storefront: Self.storefronts[number / 10 % 6])
        }
        try await world.base.deliver()
    }

    @Test(
        "Everybody in six storefronts is extended once, failures by a second call; counts add up",
        arguments: Backend.available)
    func crowd(_ backend: Backend) async throws {
        let world = try await OutageWorld(backend, failing: 30)
        try await crowd(world)
        try await GapStories.served(world.base) {
            let report = try await world.carryOut(
                OutageWorld.definition(["silver.monthly", "silver.trial"]))
            #expect(report.audience == 270)
            #expect(report.count(.extended) == 210)
            #expect(report.count(.notEligible) == 60)
            #expect(report.count(.failed) == 0)
            #expect(report.count(.waiting) == 0)
            #expect(report.lines.contains("notEligible inBillingRetry 30"))
            #expect(report.lines.contains("notEligible inFreeOffer 30"))
            #expect(report.retried > 0)
            #expect(report.retried < 210)
            #expect(report.calls.map(\.productID) == ["silver.monthly", "silver.trial"])
            #expect(report.calls.allSatisfy { $0.completed != nil && $0.problem == nil })
            #expect(try await OutageWorld.extended(world.base.world) == [210, 0])
            let some = try await world.merchant.outageSubscribers(
                "outage-2026-02", of: World.bundleID, .extended, limit: 1000)
            #expect(some.count == 210)
            #expect(some.allSatisfy { $0.end == World.instant("2026-03-18") && $0.days == 3 })
            // A second call had a failure before it.
            #expect(some.allSatisfy { ($0.calls == 1) == ($0.failure == "leftOutOfMany") })
        }
    }

    @Test("Who has an entitlement is extended one by one", arguments: Backend.available)
    func entitlement(_ backend: Backend) async throws {
        let world = try await OutageWorld(backend)
        for account in ["ada", "bea", "cleo"] { try await world.buy("silver.monthly", account) }
        try await world.buy("news.monthly", "dora")
        try await world.base.deliver()
        try await world.base.advance(to: "2026-02-16T00:00:00Z")
        try await GapStories.served(world.base) {
            let report = try await world.carryOut(
                OutageWorld.definition(["silver.monthly", "news.monthly"], entitlement: "club"))
            #expect(report.lines == ["extended single 3", "leftOut otherEntitlement 1"])
            #expect(report.calls.isEmpty)
            #expect(report.state == .done)
            #expect(try await OutageWorld.extended(world.base.world) == [3, 0])
        }
    }

    @Test(
        "Who could not be extended is looked at daily, and extended once that is possible",
        arguments: Backend.available)
    func recovery(_ backend: Backend) async throws {
        let world = try await OutageWorld(backend)
        try await world.buy("silver.monthly", "ada")
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        try await world.base.deliver()
        try await world.base.advance(to: "2026-02-16T00:00:00Z")
        try await GapStories.served(world.base) {
            let report = try await world.carryOut(OutageWorld.definition(["silver.monthly"]))
            #expect(report.lines == ["notEligible inBillingRetry 1"])
            #expect(report.state == .running)
            #expect(report.next == World.instant("2026-02-17"))
            try await world.store.setPaymentMethod(
                .approves, account: "ada", in: .production)
            try await world.base.advance(to: "2026-03-01T00:00:00Z")
            try await world.merchant.settleOutages(waiting: { _ in })
            let later = try await world.report()
            #expect(later.lines == ["extended retry 1"])
            #expect(later.state == .done)
            #expect(try await OutageWorld.extended(world.base.world) == [1, 0])
        }
    }

    @Test(
        "Who recovers while the call for all goes on is left to it, so nobody is extended twice",
        arguments: Backend.available)
    func recoversMeanwhile(_ backend: Backend) async throws {
        let world = try await OutageWorld(backend)
        try await world.buy("silver.monthly", "ada")
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: "ada", in: .production)
        try await world.base.deliver()
        try await world.base.advance(to: "2026-02-16T00:00:00Z")
        try await GapStories.served(world.base) {
            _ = try await world.carryOut(OutageWorld.definition(["silver.monthly"]))
            // As if the store were at it still.
            let later = World.instant("2026-12-31")
            try await world.base.database.write { session in
                try session.execute(
                    """
                    UPDATE outage_call SET completed_at = NULL, is_reconciled = 0,
                        next_look = \(later)
                    """)
            }
            try await world.store.setPaymentMethod(
                .approves, account: "ada", in: .production)
            try await world.base.advance(to: "2026-03-01T00:00:00Z")
            try await world.merchant.workOnCampaigns()
            #expect(try await world.report().lines == ["notEligible inBillingRetry 1"])
            #expect(try await OutageWorld.extended(world.base.world) == [0, 0])
            try await world.merchant.settleOutages(waiting: { _ in })
            try await world.base.advance(to: "2026-03-03T00:00:00Z")
            try await world.merchant.settleOutages(waiting: { _ in })
            #expect(try await world.report().lines == ["extended retry 1"])
            #expect(try await OutageWorld.extended(world.base.world) == [1, 0])
        }
    }

    @Test(
        "Of whom no notification came, the store's history tells, or the subscription itself",
        arguments: Backend.available, [true, false])
    func silence(_ backend: Backend, isInHistory: Bool) async throws {
        let world = try await OutageWorld(backend)
        for account in ["ada", "bea"] { try await world.buy("silver.monthly", account) }
        try await world.base.advance(to: "2026-02-16T00:00:00Z")
        if !isInHistory {
            try await world.store.configure(bundleID: World.bundleID) { settings in
                settings.notificationURL = nil
            }
        }
        try await GapStories.served(world.base) {
            _ = try await world.merchant.startOutage(
                OutageWorld.definition(["silver.monthly"]), file: "outage", attachments: [:])
            try await world.merchant.settleOutages(waiting: { _ in })
            try await world.store.settle()
            // Nothing of it arrives.
            _ = world.base.world.listener.takeArrivals()
            try await world.merchant.settleOutages(waiting: { _ in })
            let report = try await world.report()
            #expect(report.lines == ["extended mass 2"])
            #expect(report.state == .done)
            #expect(try await OutageWorld.extended(world.base.world) == [2, 0])
        }
    }

    @Test(
        "A product that the store does not know fails with its code", arguments: Backend.available)
    func unknownProduct(_ backend: Backend) async throws {
        let world = try await OutageWorld(backend)
        try await GapStories.served(world.base) {
            let report = try await world.carryOut(OutageWorld.definition(["none.monthly"]))
            #expect(report.audience == 0)
            #expect(report.calls.first?.problem?.contains("4000023") == true)
            #expect(report.state == .done)
        }
    }

    @Test(
        "Customers are told by mail where there is a relay, and else it is said that they are not",
        arguments: Backend.available, [true, false])
    func mails(_ backend: Backend, hasRelay: Bool) async throws {
        let world = try await OutageWorld(backend)
        let device = try await world.base.world.device("ada")
        let signed = try #require(
            try await world.store.purchase(
                PurchaseRequest(productID: "silver.monthly"), by: device))
        _ = try await world.merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        _ = try await world.merchant.setContact(
            AccountContact(email: "ada@example.com", locale: "de-AT"), of: "ada",
            in: World.bundleID)
        try await world.buy("silver.monthly", "bea")
        try await world.base.advance(to: "2026-02-16T00:00:00Z")
        let relay = KeptMails()
        if hasRelay { world.merchant.use(CampaignMeans(mail: relay)) }
        let texts = CampaignTexts(
            mail: CampaignTexts.Mail(
                from: "news@example.com",
                subject: CampaignText("Days for free", translations: ["de": "Freie Tage"]),
                text: CampaignText(
                    "{days} days, until {date}.",
                    translations: ["de": "{days} Tage, bis {date}."])))
        try await GapStories.served(world.base) {
            let report = try await world.carryOut(
                OutageWorld.definition(["silver.monthly"], texts: texts))
            #expect(report.count(.extended) == 2)
            #expect(report.state == .done)
            let mails = report.mails.map { "\($0.state) \($0.count)" }
            guard hasRelay else {
                #expect(mails == ["noRelay 2"])
                return
            }
            #expect(mails == ["noAddress 1", "sent 1"])
            #expect(await relay.recipients == ["ada@example.com"])
            let message = try #require(await relay.messages.first)
            #expect(message.contains("Subject: Freie Tage"))
            #expect(message.contains("3 Tage, bis 2026-03-18."))
        }
    }

    @Test("An erased account stands in no list of a campaign", arguments: Backend.available)
    func erased(_ backend: Backend) async throws {
        let world = try await OutageWorld(backend)
        let device = try await world.base.world.device("ada")
        let signed = try #require(
            try await world.store.purchase(
                PurchaseRequest(productID: "silver.monthly"), by: device))
        _ = try await world.merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        let definition = OutageWorld.definition(["silver.monthly"])
        let files = ["hit.txt": "ada\n adam\nbea\n ada \n"]
        try await GapStories.served(world.base) {
            _ = try await world.merchant.startOutage(
                definition, file: "outage", attachments: files)
            _ = try await world.merchant.plan(definition, file: "outage", attachments: files)
            _ = try await world.merchant.erase("ada", of: World.bundleID)
            let kept = try await world.base.database.read { session in
                try session.rows(
                    """
                    SELECT attachments FROM campaign
                    UNION ALL SELECT attachments FROM campaign_plan
                    """
                ).map { row throws(StorageError) in try row.text(0) }
            }
            let left = #"{"hit.txt":"<null>\n adam\nbea\n<null>\n"}"#
            #expect(kept == [left, left])
        }
    }

    @Test("The same file starts it once, and another one of its name is refused")
    func twice() async throws {
        let world = try await OutageWorld(.sqlite)
        try await world.buy("silver.monthly", "ada")
        try await world.base.advance(to: "2026-02-16T00:00:00Z")
        try await GapStories.served(world.base) {
            let definition = OutageWorld.definition(["silver.monthly"])
            let first = try await world.carryOut(definition)
            let again = try await world.merchant.startOutage(
                definition, file: "outage", attachments: [:])
            #expect(again == first)
            do {
                _ = try await world.merchant.startOutage(
                    definition, file: "another", attachments: [:])
                Issue.record("it was started twice")
            } catch let error as MerchantError {
                #expect(error == .campaignExists("outage-2026-02"))
            }
            #expect(try await OutageWorld.extended(world.base.world) == [1, 0])
        }
    }

    @Test("Without an address of the App Store Server API nothing starts")
    func noAPI() async throws {
        let world = try await OutageWorld(.sqlite)
        do {
            _ = try await world.merchant.startOutage(
                OutageWorld.definition(["silver.monthly"]), file: "outage", attachments: [:])
            Issue.record("it was started")
        } catch let error as MerchantError {
            #expect(error == .noServerAPI(World.bundleID, .production))
        }
        do {
            _ = try await world.report()
            Issue.record("it is there")
        } catch let error as MerchantError {
            #expect(error == .unknownCampaign("outage-2026-02"))
        }
    }
}

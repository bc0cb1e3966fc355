import AppStoreWire
import Merchant
import MerchantRules
import Push
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

/// A push service that takes nothing.
private final class UnwillingPushes: PushService {
    private let outcome: PushOutcome
    private let count = Mutex(0)

    init(_ outcome: PushOutcome) { self.outcome = outcome }

    /// How often it was given something.
    var asked: Int { count.withLock { $0 } }

    func send(_ push: Push) async -> PushOutcome {
        count.withLock { $0 += 1 }
        return outcome
    }
}

/// What a customer sees of a price campaign, and how often.
@Suite("Merchant: sheets and requests of price campaigns", .timeLimit(.minutes(15)))
struct PriceSheetStories {
    @Test(
        "A weekly plan is asked as its period begins, and who agrees pays (INC-2, ACC-12)",
        arguments: Backend.available)
    func weekly(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            let ada = try await world.subscribe("ada", to: "chess", .oneWeek, number: 1)
            try await world.start()
            try await world.advance(to: "2026-01-25")
            let sent = try await world.sent(ada)
            #expect(
                Set(sent) == ["2026-01-22 mail", "2026-01-22 sheet", "2026-01-22 push"])
            try await world.tap(.agree, "ada")
            try await world.advance(to: "2026-02-03")
            let done = try await world.subscriber(ada)
            #expect(done.outcome == .increased)
            #expect(done.priceNow == 19_990)
        }
    }

    @Test(
        "A request that was closed comes back after a week, and can be answered before (ACC-1)",
        arguments: Backend.available)
    func closed(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            let merchant = world.merchant
            let ada = try await world.subscribe("ada", to: "chess", number: 1)
            try await world.start()
            try await world.advance(to: "2026-01-20")
            #expect(try await merchant.sheets(of: "ada", in: World.bundleID).count == 1)
            try await world.tap(.shown, "ada")
            #expect(try await merchant.sheets(of: "ada", in: World.bundleID).isEmpty)
            // The next request goes out meanwhile, and does not shorten the week.
            try await world.advance(to: "2026-01-26")
            #expect(try await merchant.sheets(of: "ada", in: World.bundleID).isEmpty)
            let open = try await merchant.sheets(
                of: "ada", in: World.bundleID, withSeen: true)
            #expect(open.count == 1)
            try await world.advance(to: "2026-01-28")
            #expect(try await merchant.sheets(of: "ada", in: World.bundleID).count == 1)
            try await world.tap(.shown, "ada")
            try await world.tap(.decline, "ada")
            #expect(try await world.subscriber(ada).outcome == .declined)
        }
    }

    @Test(
        "A sheet says what silence leads to, and silence leads to it (ACP-10)",
        arguments: Backend.available)
    func silence(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            let told = try await world.subscribe("ada", to: "news", number: 1)
            let asked = try await world.subscribe("bea", to: "chess", number: 2)
            try await world.start()
            try await world.advance(to: "2026-01-20")
            for (account, silence) in [("ada", Silence.newPrice), ("bea", Silence.oldPrice)] {
                let sheet = try #require(
                    try await world.merchant.sheets(of: account, in: World.bundleID).first)
                #expect(sheet.withoutAnswer == silence, "\(account)")
            }
            try await world.advance(to: "2026-03-20")
            #expect(try await world.subscriber(told).priceNow == 10_990)
            #expect(try await world.subscriber(asked).priceNow == 9_990)
        }
    }

    @Test("A notice that was seen does not come back, and its button still works (ACC-3)")
    func seenNotice() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let merchant = world.merchant
            let ada = try await world.subscribe("ada", to: "news", number: 1)
            try await world.start()
            try await world.advance(to: "2026-01-20")
            try await world.tap(.shown, "ada")
            try await world.advance(to: "2026-02-05")
            #expect(try await merchant.sheets(of: "ada", in: World.bundleID).isEmpty)
            try await world.tap(.acknowledged, "ada")
            #expect(try await world.subscriber(ada).state == "acknowledged")
        }
    }

    @Test("A date that moves gets another sheet, and the old one is answered no more (ACC-7)")
    func movedDate() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let merchant = world.merchant
            try await world.subscribe("ada", to: "news", number: 1)
            world.relay.isAway = true
            try await world.start()
            try await world.advance(to: "2026-02-01")
            let before = try #require(
                try await merchant.sheets(of: "ada", in: World.bundleID).first)
            #expect(before.body.contains("2026-02-15"))
            // The mail comes late, and names a later renewal.
            world.relay.isAway = false
            try await world.advance(to: "2026-02-03")
            let after = try await merchant.sheets(of: "ada", in: World.bundleID)
            #expect(after.count == 1)
            #expect(after.first?.body.contains("2026-03-15") == true)
            var refusal: MerchantError?
            do {
                _ = try await merchant.answer(
                    .acknowledged, sheet: before.id, of: "ada", in: World.bundleID)
            } catch {
                refusal = error as? MerchantError
            }
            #expect(refusal == .unknownSheet(before.id))
        }
    }

    @Test("A period that has ended by the clock alone ends no campaign: the news may be late")
    func lateNews() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let ada = try await world.subscribe("ada", to: "news", number: 1)
            _ = try await world.merchant.setContact(
                AccountContact(), of: "ada", in: World.bundleID)
            try await world.start()
            try await world.advance(to: "2026-02-14")
            #expect(try await world.subscriber(ada).detail == "noMailAddress")
            // The period ends, and what the store says of the renewal has not come yet.
            _ = try await world.world.store.advance(to: World.instant("2026-02-16"))
            try await world.merchant.workOnCampaigns()
            #expect(try await world.subscriber(ada).state == "blocked")
            try await world.deliver()
            #expect(try await world.subscriber(ada).detail == "noMailAddress")
        }
    }

    @Test(
        "A push that is refused ends: at once where it is wrong, else after a week",
        arguments: [
            PushOutcome.refused(PushReply(status: 400, reason: "BadTopic")),
            .notConfigured(PushReply(status: 403, reason: "InvalidProviderToken")),
        ])
    func refusedPush(_ outcome: PushOutcome) async throws {
        try await PriceWorld.run(.sqlite) { world in
            let pushes = UnwillingPushes(outcome)
            world.merchant.use(
                CampaignMeans(
                    read: { _, _ in PriceWorld.definition }, mail: world.relay,
                    push: [.production: pushes]))
            try await world.subscribe("ada", to: "chess", number: 1)
            try await world.start()
            try await world.advance(to: "2026-01-29")
            let ended = try await world.merchant.campaignMessages(
                "spring", of: World.bundleID, channel: "push", limit: 10)
            #expect(ended.map(\.state) == [.unreachable])
            #expect(ended.first?.problem?.hasPrefix("APNs ") == true)
            let asked = pushes.asked
            if case .refused = outcome { #expect(asked == 1) }
            try await world.advance(to: "2026-02-05")
            #expect(pushes.asked == asked)
        }
    }
}

import AppStoreWire
import Merchant
import MerchantRules
import Storage
import TestFloor
import TestSupport
import Testing

/// What holds price campaigns up, and what is asked of the database meanwhile.
@Suite("Merchant: price campaigns that are held up", .timeLimit(.minutes(15)))
struct PriceHoldStories {
    @Test(
        "An answer to a sheet is kept while the campaign is paused, and acted on afterwards",
        arguments: Backend.available)
    func answeredWhilePaused(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            let merchant = world.merchant
            let ada = try await world.subscribe("ada", to: "chess", number: 1)
            try await world.start()
            try await world.advance(to: "2026-01-20")
            _ = try await merchant.move("spring", of: World.bundleID, to: .paused)
            try await world.tap(.agree, "ada")
            let held = try await merchant.consents(
                "spring", of: World.bundleID, originalTransactionID: ada)
            #expect(held.answers.count == 1)
            #expect(held.calls.isEmpty)
            _ = try await merchant.move("spring", of: World.bundleID, to: .running)
            let kept = try await merchant.consents(
                "spring", of: World.bundleID, originalTransactionID: ada)
            #expect(kept.calls.map(\.state) == [.accepted])
        }
    }

    @Test(
        "Of more calls than a second takes, those with the least time are made first",
        arguments: Backend.available)
    func leastTimeFirst(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            var monthly: [String] = []
            for number in 1...10 {
                monthly.append(
                    try await world.subscribe("ada\(number)", to: "chess", number: number))
            }
            let weekly = try await world.subscribe("bob", to: "chess", .oneWeek, number: 11)
            try await world.start()
            try await world.advance(to: "2026-01-23")
            _ = try await world.merchant.move("spring", of: World.bundleID, to: .paused)
            for number in 1...10 { try await world.tap(.agree, "ada\(number)") }
            try await world.tap(.agree, "bob")
            _ = try await world.merchant.move("spring", of: World.bundleID, to: .running)
            var accepted: [String] = []
            for original in monthly + [weekly] {
                let kept = try await world.merchant.consents(
                    "spring", of: World.bundleID, originalTransactionID: original)
                if kept.calls.map(\.state) == [.accepted] { accepted.append(original) }
            }
            // Ten a second, and the clock stands still.
            #expect(accepted == monthly.dropLast() + [weekly])
        }
    }

    @Test("A campaign can be stopped while its audience is written down")
    func stoppedAtOnce() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let ada = try await world.subscribe("ada", to: "chess", number: 1)
            try await world.start()
            // As if others were to be written down still.
            try await world.database.write { session in
                try session.execute("UPDATE campaign SET state = 'planned', last_purchase = 0")
            }
            let stopped = try await world.merchant.move(
                "spring", of: World.bundleID, to: .stopped)
            #expect(stopped.state == .stopped)
            #expect(try await world.subscriber(ada).outcome == .withdrawn)
        }
    }

    @Test("Whoever starts a campaign beside a keeper gets an answer before anything is done")
    func startsAtOnce() async throws {
        try await PriceWorld.run(.sqlite) { world in
            try await world.subscribe("ada", to: "chess", number: 1)
            let begun = try await world.merchant.start(
                PriceWorld.definition, file: "spring", attachments: [:], works: false)
            #expect(begun.state == .planned)
            #expect(begun.audience == 0)
            try await world.merchant.workOnCampaigns()
            let run = try await world.merchant.campaignRun("spring", of: World.bundleID)
            #expect(run.audience == 1)
        }
    }

    @Test(
        "A campaign whose audience is still to be written down is due, so that no day is lost",
        arguments: Backend.available)
    func isDueFromTheStart(_ backend: Backend) async throws {
        // The campaign begins on the 16th, exactly 27 days before the renewal (INC-3).
        try await PriceWorld.run(backend, at: "2026-01-12") { world in
            let ada = try await world.subscribe("ada", to: "news", number: 1)
            try await world.advance(to: "2026-01-15T12:00:00Z")
            #expect(try await world.merchant.nextCampaignMoment() == nil)
            _ = try await world.merchant.start(
                PriceWorld.definition, file: "spring", attachments: [:], works: false)
            let due = try await world.merchant.nextCampaignMoment()
            #expect(due == World.instant("2026-01-15T12:00:00Z"))
            try await world.advance(to: "2026-02-20")
            #expect(try await world.sent(ada).contains("2026-01-16 mail"))
            #expect(try await world.subscriber(ada).priceNow == 10_990)
        }
    }

    @Test("An outage whose audience is still to be written down is due at once")
    func isOutageDueFromTheStart() async throws {
        let world = try await OutageWorld(.sqlite)
        try await GapStories.served(world.base) {
            let now = try await world.merchant.now()
            _ = try await world.merchant.startOutage(
                OutageWorld.definition(["silver.monthly"], entitlement: "club"), file: "outage",
                attachments: [:])
            #expect(try await world.merchant.nextCampaignMoment() == now)
        }
    }

    @Test("A campaign whose file cannot be read is not waited for")
    func isNotDueWithoutAFile() async throws {
        try await PriceWorld.run(.sqlite) { world in
            try await world.subscribe("ada", to: "news", number: 1)
            try await world.start()
            try await world.database.write { session in
                try session.execute(
                    "UPDATE campaign SET state = 'planned', problem = 'its file cannot be read: x'")
                try session.execute("DELETE FROM price_subscriber")
            }
            #expect(try await world.merchant.nextCampaignMoment() == nil)
        }
    }

    @Test("The status counts by indexes alone")
    func indexes() async throws {
        let database = try await Backend.sqlite.borrowDatabase(for: .merchant)
        _ = try await MerchantWorld.merchant(in: database, of: try await World(.sqlite))
        let plans = try await database.read { session -> [String] in
            var plans: [String] = []
            for columns in ["outcome", "state, detail"] {
                let query = """
                    EXPLAIN QUERY PLAN SELECT \(columns), COUNT(*) FROM price_subscriber
                    WHERE campaign = 1 GROUP BY \(columns)
                    """
                for row in try session.rows(SQL(text: query)) { plans.append(try row.text(3)) }
            }
            return plans
        }
        #expect(plans.count == 2)
        #expect(plans.allSatisfy { $0.contains("COVERING INDEX") })
    }
}

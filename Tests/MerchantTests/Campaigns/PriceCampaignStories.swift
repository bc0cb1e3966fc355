import AppStoreWire
import Crypto
import Mail
import Merchant
import MerchantRules
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing
import TimeAndChance

/// Price campaigns from their start to the renewal, beside a store that takes the calls.
@Suite("Merchant: price campaigns", .timeLimit(.minutes(30)))
struct PriceCampaignStories {
    @Test(
        "A monthly subscriber is told on all channels, and the store is asked 24 hours before",
        arguments: Backend.available)
    func notice(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            let ada = try await world.subscribe("ada", to: "news", number: 1)
            let begun = try await world.start()
            #expect(begun.audience == 1)
            try await world.advance(to: "2026-01-20")
            let sent = try await world.sent(ada)
            #expect(Set(sent.map { $0.suffix(4) }).contains("mail"))
            try await world.advance(to: "2026-03-20")
            let done = try await world.subscriber(ada)
            #expect(done.outcome == .increased)
            #expect(done.priceNow == 10_990)
            let run = try await world.merchant.campaignRun("spring", of: World.bundleID)
            #expect(run.calls.map(\.name) == ["accepted"])
            #expect(run.state == .done)
            // Once on each channel: a notice is never repeated.
            let all = try await world.sent(ada)
            #expect(all.count { $0.hasSuffix("mail") } == 1)
            // The push leads to the sheet.
            #expect(!world.relay.pushed.isEmpty)
            #expect(world.relay.pushed.allSatisfy { $0.contains("example:price") })
        }
    }

    @Test(
        "Consent is kept with the words that were shown, and anybody can verify it",
        arguments: Backend.available)
    func consent(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            let ada = try await world.subscribe("ada", to: "chess", number: 1)
            try await world.start()
            try await world.advance(to: "2026-01-20")
            let sheet = try #require(
                try await world.merchant.sheets(of: "ada", in: World.bundleID).first)
            #expect(sheet.buttons == [.agree, .decline])
            #expect(sheet.body.contains("19.99 USD"))
            try await world.tap(.shown, "ada")
            try await world.tap(.decline, "ada")
            #expect(try await world.subscriber(ada).outcome == .declined)
            let kept = try await world.merchant.consents(
                "spring", of: World.bundleID, originalTransactionID: ada)
            #expect(kept.answers.count == 1)
            for answer in kept.answers {
                let digest = SHA256.hash(data: Array(answer.evidence.utf8)).hexadecimal
                #expect(digest == answer.digest)
                #expect(answer.evidence.contains("19.99 USD"))
                #expect(!answer.evidence.contains("\"ada\""))
                #expect(answer.evidence.contains("\"publishedAt\":\"2026-01-"))
                #expect(answer.evidence.contains("\"shownAt\":\"2026-01-20"))
            }
            try await world.advance(to: "2026-03-20")
            #expect(try await world.subscriber(ada).priceNow == 9_990)
        }
    }

    @Test("Who agrees pays the new price at the renewal", arguments: Backend.available)
    func agrees(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            let ada = try await world.subscribe("ada", to: "chess", number: 1)
            try await world.start()
            try await world.advance(to: "2026-01-20")
            try await world.tap(.agree, "ada")
            #expect(try await world.merchant.sheets(of: "ada", in: World.bundleID).isEmpty)
            try await world.advance(to: "2026-03-20")
            let done = try await world.subscriber(ada)
            #expect(done.outcome == .increased)
            #expect(done.priceNow == 19_990)
            let kept = try await world.merchant.consents(
                "spring", of: World.bundleID, originalTransactionID: ada)
            #expect(kept.calls.map(\.state) == [.accepted])
            // The app never said that it had shown the sheet, so nothing says when.
            #expect(kept.answers.first?.evidence.contains("\"shownAt\":\"") == false)
        }
    }

    @Test(
        "Weekly and yearly plans have calendars of their own", arguments: Backend.available)
    func periods(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            let weekly = try await world.subscribe("week", to: "news", .oneWeek, number: 1)
            let asked = try await world.subscribe("asked", to: "chess", .oneWeek, number: 2)
            let yearly = try await world.subscribe("year", to: "chess", .oneYear, number: 3)
            try await world.start()
            try await world.advance(to: "2026-03-20")
            #expect(try await world.subscriber(weekly).outcome == .increased)
            let silent = try await world.subscriber(asked)
            #expect(silent.outcome == .silent)
            #expect(silent.priceNow == 9_990)
            // The year's renewal is far away: nobody is asked yet.
            #expect(try await world.subscriber(yearly).outcome == .waiting)
            let status = try await world.merchant.campaignRun("spring", of: World.bundleID)
            #expect(status.outcomes.reduce(0) { $0 + $1.count } == status.audience)
            #expect(status.states.reduce(0) { $0 + $1.count } == status.audience)
        }
    }

    @Test(
        "Who turns renewal off hears no more, and hears it all again once it is on",
        arguments: Backend.available)
    func turnedOff(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            let ada = try await world.subscribe("ada", to: "chess", number: 1)
            let id = try #require(Int64(ada))
            try await world.start()
            try await world.advance(to: "2026-01-20")
            let device = try await world.world.device("ada")
            try await world.world.store.change(
                subscription: id, [.renewal(isOn: false)], by: device)
            try await world.deliver()
            #expect(try await world.subscriber(ada).outcome == .cancelled)
            #expect(try await world.merchant.sheets(of: "ada", in: World.bundleID).isEmpty)
            let before = try await world.sent(ada).count
            try await world.advance(to: "2026-02-01")
            #expect(try await world.sent(ada).count == before)
            try await world.world.store.change(
                subscription: id, [.renewal(isOn: true)], by: device)
            try await world.deliver()
            #expect(try await world.subscriber(ada).state != "withdrawn")
        }
    }

    @Test(
        "A failed renewal holds the campaign up, which begins with full notice once it is paid",
        arguments: Backend.available)
    func retry(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            let ada = try await world.subscribe("ada", to: "chess", number: 1)
            try await world.start()
            try await world.advance(to: "2026-02-10")
            try await world.world.store.setPaymentMethod(
                .declines(until: nil, left: nil), account: "ada", in: .production)
            try await world.advance(to: "2026-02-18")
            let held = try await world.subscriber(ada)
            #expect(held.state == "blocked")
            #expect(held.detail == "inBillingRetry")
            #expect(try await world.merchant.sheets(of: "ada", in: World.bundleID).isEmpty)
            let before = try await world.sent(ada).count
            try await world.world.store.setPaymentMethod(
                .approves, account: "ada", in: .production)
            try await world.advance(to: "2026-03-10")
            #expect(try await world.subscriber(ada).state != "blocked")
            #expect(try await world.sent(ada).count > before)
            #expect(try await world.subscriber(ada).priceNow == 9_990)
        }
    }

    @Test("A relay that is away moves the date, and nobody pays more untold")
    func relayAway() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let ada = try await world.subscribe("ada", to: "news", number: 1)
            world.relay.isAway = true
            try await world.start()
            try await world.advance(to: "2026-02-20")
            #expect(try await world.subscriber(ada).priceNow == 9_990)
            #expect(
                try await world.merchant.consents(
                    "spring", of: World.bundleID, originalTransactionID: ada
                ).calls.isEmpty)
            world.relay.isAway = false
            try await world.advance(to: "2026-05-20")
            #expect(try await world.subscriber(ada).outcome == .increased)
            // One mail has come, and it names the renewal that charged the new price.
            let mails = try await world.merchant.campaignMessages(
                "spring", of: World.bundleID, channel: "mail", state: .sent, limit: 10)
            #expect(mails.count == 1)
            #expect(mails.first?.body.contains("from 2026-04-15") == true)
        }
    }

    @Test(
        "A mail that waits for the relay is not sent once the subscriber has answered",
        arguments: Backend.available)
    func answeredMeanwhile(_ backend: Backend) async throws {
        try await PriceWorld.run(backend) { world in
            try await world.subscribe("ada", to: "chess", number: 1)
            world.relay.isAway = true
            try await world.start()
            try await world.advance(to: "2026-01-20")
            // As if a process had died with the mail on its way.
            try await world.database.write { session in
                try session.execute(
                    """
                    UPDATE campaign_message SET state = 'sending', next_attempt = 0
                    WHERE channel <> 'sheet'
                    """)
            }
            try await world.tap(.decline, "ada")
            world.relay.isAway = false
            try await world.advance(to: "2026-01-25")
            #expect(world.relay.taken.isEmpty)
        }
    }

    @Test("A campaign whose file cannot be read any more says so, and holds up no other")
    func unreadable() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let outage = CampaignDefinition(
                .outage(
                    OutageCampaign(
                        name: "outage", bundleID: World.bundleID,
                        from: World.instant("2026-01-10"), to: World.instant("2026-01-11"),
                        products: ["none.monthly"], days: .fixed(3))))
            _ = try await world.merchant.startOutage(outage, file: "outage", attachments: [:])
            let means: @Sendable (String, [String: String]) throws -> CampaignDefinition = {
                file, _ in
                if file == "outage" { throw MerchantError.unknownCampaign(file) }
                return PriceWorld.definition
            }
            // The next process reads the files anew.
            world.merchant.use(
                CampaignMeans(read: means, mail: world.relay, push: [.production: world.relay]))
            let ada = try await world.subscribe("ada", to: "news", number: 1)
            try await world.start()
            try await world.advance(to: "2026-01-21")
            #expect(try await world.sent(ada).contains { $0.hasSuffix("mail") })
            let held = try await world.merchant.campaignRun("outage", of: World.bundleID)
            #expect(held.problem?.hasPrefix("its file cannot be read") == true)
        }
    }

    @Test("A relay that takes nothing is not given everything that waits at once")
    func relayIsSpared() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let ada = try await world.subscribe("ada", to: "news", number: 1)
            world.relay.isAway = true
            try await world.start()
            try await world.advance(to: "2026-01-20")
            // As if there were many of them.
            try await world.database.write { session in
                for step in 2...200 {
                    try session.execute(
                        """
                        INSERT INTO campaign_message (campaign, purchase, occasion, channel, step,
                            due_at, state, attempts, next_attempt, message_id, title, body, digest)
                        SELECT campaign, purchase, occasion, channel, \(step), due_at, 'waiting', 0,
                            0, 'id-' || \(String(step)), title, body, digest
                        FROM campaign_message WHERE channel = 'mail' AND step = 1
                        """)
                }
            }
            let before = world.relay.asked
            try await world.merchant.workOnCampaigns()
            let asked = world.relay.asked - before
            #expect(asked >= 1)
            #expect(asked <= 100)
            #expect(try await world.sent(ada).allSatisfy { !$0.hasSuffix("mail") })
        }
    }

    @Test("Who moves to another storefront is withdrawn: no price of the one is asked in the other")
    func storefront() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let ada = try await world.subscribe("ada", to: "news", number: 1)
            try await world.start()
            try await world.advance(to: "2026-01-20")
            // As if the campaign had begun elsewhere.
            try await world.database.write { session in
                try session.execute(
                    "UPDATE price_subscriber SET storefront = 'DEU', due_at = 0")
            }
            try await world.merchant.workOnCampaigns()
            let moved = try await world.subscriber(ada)
            #expect(moved.state == "withdrawn")
            #expect(moved.detail == "productChanged")
            try await world.advance(to: "2026-03-20")
            #expect(try await world.subscriber(ada).priceNow == 9_990)
        }
    }

    @Test("What a relay says of an address is not kept, and a device's locale stops no mail")
    func addresses() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let ada = try await world.subscribe("ada", to: "news", number: 1)
            _ = try await world.merchant.setContact(
                AccountContact(email: "ada@example.com", locale: "de_DE@calendar=gregorian"),
                of: "ada", in: World.bundleID)
            world.relay.complaint = RelayReply(code: 450, text: "<ada@example.com> waits")
            world.relay.isAway = true
            try await world.start()
            try await world.advance(to: "2026-01-20")
            let waiting = try await world.merchant.campaignMessages(
                "spring", of: World.bundleID, channel: "mail", limit: 10)
            #expect(waiting.map(\.problem) == ["the relay has not taken it: 450"])
            world.relay.isAway = false
            try await world.advance(to: "2026-01-21")
            #expect(try await world.sent(ada).contains { $0.hasSuffix("mail") })
        }
    }

    @Test("A campaign that is paused sends nothing, and one that is stopped never again")
    func pauses() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let ada = try await world.subscribe("ada", to: "chess", number: 1)
            try await world.start()
            _ = try await world.merchant.move("spring", of: World.bundleID, to: .paused)
            try await world.advance(to: "2026-01-25")
            #expect(world.relay.taken.isEmpty)
            _ = try await world.merchant.move("spring", of: World.bundleID, to: .running)
            try await world.deliver()
            let stopped = try await world.merchant.move(
                "spring", of: World.bundleID, to: .stopped)
            #expect(stopped.state == .stopped)
            #expect(try await world.subscriber(ada).outcome == .withdrawn)
            let count = world.relay.taken.count
            try await world.advance(to: "2026-03-20")
            #expect(world.relay.taken.count == count)
            #expect(try await world.subscriber(ada).priceNow == 9_990)
        }
    }

    @Test("What is refused: names, states, sheets and buttons")
    func refusals() async throws {
        try await PriceWorld.run(.sqlite) { world in
            let ada = try await world.subscribe("ada", to: "chess", number: 1)
            let merchant = world.merchant
            #expect(
                await refusal { try await merchant.campaignRun("spring", of: World.bundleID) }
                    == .unknownCampaign("spring"))
            try await world.start()
            #expect(
                await refusal { try await world.start() } == .campaignExists("spring"))
            #expect(
                await refusal {
                    try await merchant.move("spring", of: World.bundleID, to: .done)
                } == .campaignState("spring", .running))
            try await world.advance(to: "2026-01-20")
            let sheet = try #require(
                try await merchant.sheets(of: "ada", in: World.bundleID).first)
            #expect(
                await refusal {
                    try await merchant.answer(
                        .acknowledged, sheet: sheet.id, of: "ada", in: World.bundleID)
                } == .actionNotOffered(["shown", "agree", "decline"]))
            #expect(
                await refusal {
                    try await merchant.answer(
                        .agree, sheet: sheet.id, of: "bea", in: World.bundleID)
                } == .unknownSheet(sheet.id))
            #expect(
                await refusal {
                    try await merchant.consents(
                        "spring", of: World.bundleID, originalTransactionID: ada + "0")
                } == .unknownPurchase(ada + "0"))
        }
    }

    @Test("A rehearsal has the form of the report, and changes nothing")
    func rehearsal() async throws {
        try await PriceWorld.run(.sqlite) { world in
            for number in 1...8 {
                try await world.subscribe("c\(number)", to: "chess", number: number)
            }
            let answers = try #require(RehearsedAnswers(seed: "1", agreeing: 1000))
            let report = try await world.merchant.rehearse(PriceWorld.definition, answers: answers)
            #expect(report.isRehearsed)
            #expect(report.audience == 8)
            #expect(report.outcomes.map(\.name) == ["increased"])
            #expect(report.money.map(\.after) == [8 * 19_990])
            #expect(world.relay.taken.isEmpty)
            #expect(
                await refusal {
                    try await world.merchant.campaignRun("spring", of: World.bundleID)
                } == .unknownCampaign("spring"))
        }
    }

    /// What is refused; nil where nothing is.
    private func refusal<T>(_ body: () async throws -> T) async -> MerchantError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? MerchantError
        }
    }
}

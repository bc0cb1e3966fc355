import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: introductory offers")
struct OfferStories {
    @Test("A free trial becomes paid when it ends", arguments: Backend.available)
    func trial(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let first = try #require(
            try await world.buy(
                "silver.trial", by: ada,
                telling: [
                    """
                    2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.trial 0.00 FREE_TRIAL \
                    until 2026-01-08
                    """
                ]))
        let id = Int64(first.transactionId)!
        #expect(try await world.shows(id) == ["1 silver.trial on 2026-01-08 9.99"])
        try await world.advance(
            to: "2026-02-08",
            telling: [
                "2026-01-08 DID_RENEW 1 silver.trial 9.99 until 2026-02-08",
                "2026-02-08 DID_RENEW 1 silver.trial 9.99 until 2026-03-08",
            ])
        #expect(
            try await world.ledger() == [
                "2026-01-01 +0.00", "2026-01-08 +9.99", "2026-02-08 +9.99",
            ])
    }

    @Test("Pay as you go costs less for three periods", arguments: Backend.available)
    func payAsYouGo(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let first = try #require(
            try await world.buy(
                "silver.intro", by: ada,
                telling: [
                    """
                    2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.intro 1.99 PAY_AS_YOU_GO \
                    until 2026-02-01
                    """
                ]))
        let id = Int64(first.transactionId)!
        #expect(try await world.shows(id) == ["1 silver.intro on 2026-02-01 1.99 PAY_AS_YOU_GO"])
        try await world.advance(
            to: "2026-03-01",
            telling: [
                "2026-02-01 DID_RENEW 1 silver.intro 1.99 PAY_AS_YOU_GO until 2026-03-01",
                "2026-03-01 DID_RENEW 1 silver.intro 1.99 PAY_AS_YOU_GO until 2026-04-01",
            ])
        // The offer fields of renewal info describe the next period (OFF-2).
        #expect(try await world.shows(id) == ["1 silver.intro on 2026-04-01 9.99"])
        try await world.advance(
            to: "2026-04-01", telling: ["2026-04-01 DID_RENEW 1 silver.intro 9.99 until 2026-05-01"]
        )
    }

    @Test("Pay up front is one payment for the whole offer", arguments: Backend.available)
    func payUpFront(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        try await world.buy(
            "silver.upfront", by: ada,
            telling: [
                """
                2026-01-01 SUBSCRIBED/INITIAL_BUY 1 silver.upfront 29.99 PAY_UP_FRONT \
                until 2026-07-01
                """
            ])
        try await world.advance(
            to: "2026-08-01",
            telling: [
                "2026-07-01 DID_RENEW 1 silver.upfront 9.99 until 2026-08-01",
                "2026-08-01 DID_RENEW 1 silver.upfront 9.99 until 2026-09-01",
            ])
    }

    @Test("A customer has one introductory offer a group, ever", arguments: Backend.available)
    func oncePerGroup(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.trial", by: ada)
        try await world.change(
            id, .renewal(isOn: false), by: ada,
            telling: [
                """
                2026-01-01 DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 1 silver.trial 0.00 \
                FREE_TRIAL until 2026-01-08
                """
            ])
        try await world.advance(
            to: "2026-02-01",
            telling: [
                "2026-01-08 EXPIRED/VOLUNTARY 2 silver.trial 0.00 FREE_TRIAL until 2026-01-08"
            ])
        let offered = try await world.store.products([], for: ada).products
        #expect(offered.filter { $0.offers.introductory != nil }.isEmpty)
        try await world.buy(
            "silver.intro", by: ada,
            telling: ["2026-02-01 SUBSCRIBED/RESUBSCRIBE 1 silver.intro 9.99 until 2026-03-01"])
    }

    @Test(
        "Who comes back without ever having had an introductory offer may still have one",
        arguments: Backend.available)
    func lateTrial(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        #expect(
            try await world.store.products(["silver.trial"], for: ada).products
                .allSatisfy { $0.offers.introductory == nil })
        try await world.store.end(subscription: id)
        try await world.advance(
            to: "2026-01-02",
            telling: ["2026-01-01 EXPIRED 2 silver.monthly 9.99 until 2026-01-01"])
        #expect(
            try await world.store.products(["silver.trial"], for: ada).products
                .allSatisfy { $0.offers.introductory != nil })
        try await world.buy(
            "silver.trial", by: ada,
            telling: [
                "2026-01-02 SUBSCRIBED/RESUBSCRIBE 1 silver.trial 0.00 FREE_TRIAL until 2026-01-09"
            ])
    }

    @Test(
        "A plan change inside a group brings no introductory offer", arguments: Backend.available)
    func notOnPlanChange(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("bronze.monthly", by: ada)
        try await world.buy(
            "silver.trial", by: ada,
            telling: [
                "2026-01-01 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 silver.trial 9.99 until 2026-02-01"
            ])
    }

    @Test(
        "An upgrade ends a free trial with nothing to give back", arguments: Backend.available)
    func upgradeEndsTrial(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.trial", by: ada)
        try await world.advance(to: "2026-01-03", telling: [])
        try await world.buy(
            "gold.monthly", by: ada,
            telling: [
                "2026-01-03 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 gold.monthly 19.99 until 2026-02-03"
            ])
        #expect(try await world.ledger() == ["2026-01-01 +0.00", "2026-01-03 +19.99"])
        #expect(try await world.shows(id) == ["1 gold.monthly on 2026-02-03 19.99"])
    }

    @Test(
        "An upgrade takes over a running trial where the app is set up so",
        arguments: Backend.available)
    func upgradeKeepsTrial(_ backend: Backend) async throws {
        let world = try await World(backend) { $0.upgradeInTrial = .keepsTrial }
        let ada = try await world.device()
        _ = try await world.subscribe("silver.trial", by: ada)
        try await world.advance(to: "2026-01-03", telling: [])
        try await world.buy(
            "gold.monthly", by: ada,
            telling: [
                """
                2026-01-03 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 gold.monthly 0.00 FREE_TRIAL \
                until 2026-01-08
                """
            ])
        try await world.advance(
            to: "2026-01-08",
            telling: ["2026-01-08 DID_RENEW 1 gold.monthly 19.99 until 2026-02-08"])
    }

    @Test(
        "An upgrade ends an introductory price and gives back the share of what was paid (CHG-4)",
        arguments: Backend.available)
    func upgradeEndsIntroductoryPrice(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        _ = try await world.subscribe("silver.intro", by: ada)
        try await world.advance(to: "2026-01-11", telling: [])
        try await world.buy(
            "gold.monthly", by: ada,
            telling: [
                "2026-01-11 DID_CHANGE_RENEWAL_PREF/UPGRADE 1 gold.monthly 19.99 until 2026-02-11"
            ])
        // 1.99 × 21 ÷ 31.
        #expect(try await world.ledger() == ["2026-01-01 +1.99", "2026-01-11 +19.99 -1.35"])
    }
}

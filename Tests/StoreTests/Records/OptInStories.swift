import AppStoreWire
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: sharing with the publisher")
struct OptInStories {
    private static let ada = SharedDetails(
        name: "Ada Example", email: "ada@example.com", postalCode: "10115")

    private func terms(_ bonus: CalendarPeriod? = nil) -> OptInTerms {
        OptInTerms(
            names: [
                .init(locale: "en_US", name: "House & Garden"),
                .init(locale: "de_DE", name: "Haus & Garten"),
            ], bonus: bonus)
    }

    private func world(
        _ backend: Backend, at start: String = "2026-01-31", bonus: CalendarPeriod? = nil
    ) async throws -> World {
        let world = try await World(backend, at: start + "T00:00:00Z")
        try await world.store.setOptIn(terms(bonus), bundleID: World.bundleID)
        return world
    }

    private func report(_ world: World) async throws -> [String] {
        try await world.store.optInReport(
            bundleID: World.bundleID, in: .production, limit: 100
        ).map { one in
            let details = one.details
            return [
                World.text(one.answered), one.productID, details?.name, details?.email,
                details?.postalCode, one.bonus?.iso8601,
            ].compactMap(\.self).joined(separator: " ")
        }
    }

    @Test(
        "Who has subscribed is asked once, in the customer's language (S308-95, S308-96)",
        arguments: Backend.available)
    func asked(_ backend: Backend) async throws {
        let world = try await World(backend)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        // The app asks nobody until it has a name.
        #expect(try await world.store.optIns(for: ada).isEmpty)
        await #expect(throws: StoreError.subscription(.notAsked)) {
            _ = try await world.store.answerOptIn(subscription: id, sharing: Self.ada, by: ada)
        }
        try await world.store.setOptIn(terms(), bundleID: World.bundleID)
        let question = try #require(try await world.store.optIns(for: ada).first)
        #expect(question.asks && !question.isShared && question.publication == "House & Garden")
        #expect(question.originalTransactionID == id && question.bonus == nil)
        let kim = try await world.store.signIn(
            SignInRequest(bundleID: World.bundleID, account: "kim", locale: "de_AT"),
            in: .production, token: "kim")
        #expect(try await world.store.optIns(for: kim).isEmpty)
        _ = try await world.subscribe("gold.monthly", by: kim)
        #expect(try await world.store.optIns(for: kim).map(\.publication) == ["Haus & Garten"])
        // A no is an answer: nothing is kept, and nobody asks again.
        _ = try await world.store.answerOptIn(subscription: id, sharing: nil, by: ada)
        #expect(try await world.store.optIns(for: ada).map(\.asks) == [false])
        #expect(try await report(world).isEmpty)
        try await world.store.setOptIn(OptInTerms(), bundleID: World.bundleID)
        #expect(try await world.store.optIns(for: kim).isEmpty)
        try await world.check()
    }

    @Test(
        "The report has what is shared, until it is revoked (S308-97)",
        arguments: Backend.available)
    func shared(_ backend: Backend) async throws {
        let world = try await world(backend)
        let (ada, bob) = (try await world.device(), try await world.device("bob"))
        let id = try await world.subscribe("silver.monthly", by: ada)
        let other = try await world.subscribe("news.monthly", by: bob)
        try await world.advance(to: "2026-02-05", telling: [])
        _ = try await world.store.answerOptIn(subscription: id, sharing: Self.ada, by: ada)
        let moved = SharedDetails(name: "Bob", email: "bob@example.com")
        _ = try await world.store.answerOptIn(subscription: other, sharing: moved, by: bob)
        let line = "2026-02-05 silver.monthly Ada Example ada@example.com 10115"
        #expect(
            try await report(world) == [line, "2026-02-05 news.monthly Bob bob@example.com"])
        // Another app, environment or time has none of it.
        #expect(
            try await world.store.optInReport(
                bundleID: World.bundleID, in: .sandbox, limit: 9
            ).isEmpty)
        for (from, to) in [("2026-02-06", nil), (nil, "2026-02-05")] as [(String?, String?)] {
            #expect(
                try await world.store.optInReport(
                    bundleID: World.bundleID, in: .production, from: from.map(World.instant),
                    to: to.map(World.instant), limit: 9
                ).isEmpty)
        }
        // Said again it is the same; another's is none of Bob's business.
        let before = try await Tables(world.database)
        _ = try await world.store.answerOptIn(subscription: id, sharing: Self.ada, by: ada)
        await #expect(throws: StoreError.unknown(.originalTransaction, "\(id)")) {
            try await world.store.revokeOptIn(subscription: id, by: bob)
        }
        #expect(try await Tables(world.database) == before)
        try await world.store.revokeOptIn(subscription: id, by: ada)
        try await world.store.revokeOptIn(subscription: id, by: ada)
        #expect(try await report(world) == ["2026-02-05 news.monthly Bob bob@example.com"])
        #expect(try await holds("Ada Example", world) == false)
        #expect(try await holds("bob@example.com", world))
        #expect(try await world.store.optIns(for: ada).map(\.asks) == [false])
        // Who changes her mind may.
        _ = try await world.store.answerOptIn(subscription: id, sharing: Self.ada, by: ada)
        #expect(try await report(world).last == line)
        try await world.check()
    }

    /// Whether a text stands in any table.
    private func holds(_ text: String, _ world: World) async throws -> Bool {
        try await "\(Tables(world.database))".contains(text)
    }

    @Test(
        "A yes is rewarded once, and the dates stay on the anchor (S308-98)",
        arguments: Backend.available)
    func bonus(_ backend: Backend) async throws {
        let world = try await world(backend, bonus: .month)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        #expect(try await world.store.optIns(for: ada).first?.bonus == .month)
        _ = try await world.store.answerOptIn(subscription: id, sharing: Self.ada, by: ada)
        // 31 January, a month and the bonus: 31 March, and the 30th after it.
        try await world.settle(
            telling: ["2026-01-31 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-03-31"])
        #expect(try await report(world).first?.hasSuffix("P1M") == true)
        try await world.store.revokeOptIn(subscription: id, by: ada)
        _ = try await world.store.answerOptIn(subscription: id, sharing: Self.ada, by: ada)
        try await world.settle(telling: [])
        #expect(try await world.store.optIns(for: ada).first?.bonus == nil)
        try await world.advance(
            to: "2026-05-01",
            telling: [
                "2026-03-31 DID_RENEW 1 silver.monthly 9.99 until 2026-04-30",
                "2026-04-30 DID_RENEW 1 silver.monthly 9.99 until 2026-05-31",
            ])
        // The developer's two extensions in a year are still there.
        for days in [1, 2] {
            _ = try await world.store.extend(
                subscription: id, try ExtensionRequest(days: days, reasonCode: 1),
                requestIdentifier: "\(days)", in: .production)
        }
        try await world.check()
    }

    @Test(
        "Without a running period there is no bonus, and after the end no yes",
        arguments: Backend.available)
    func late(_ backend: Backend) async throws {
        let world = try await world(backend, at: "2026-01-01", bonus: .week)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.declines(until: nil, left: nil))
        _ = try await world.store.advance(to: World.instant("2026-02-02"))
        _ = world.listener.takeArrivals()
        let answer = try await world.store.answerOptIn(
            subscription: id, sharing: Self.ada, by: ada)
        #expect(answer.bonus == nil && answer.state == .shared)
        try await world.settle(telling: [])
        _ = try await world.store.advance(to: World.instant("2026-06-01"))
        await #expect(throws: StoreError.refused(.notActive)) {
            _ = try await world.store.answerOptIn(
                subscription: id,
                sharing: SharedDetails(name: "Ada", email: "ada@example.com"), by: ada)
        }
        // What ended is shared on, and can be revoked.
        #expect(try await report(world).count == 1)
        try await world.store.revokeOptIn(subscription: id, by: ada)
        #expect(try await report(world).isEmpty)
    }

    @Test(
        "A bonus that could not be given comes with the same yes later",
        arguments: Backend.available)
    func bonusLater(_ backend: Backend) async throws {
        let world = try await world(backend, at: "2026-01-01", bonus: .month)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        try await world.pays(.declines(until: nil, left: nil))
        _ = try await world.store.advance(to: World.instant("2026-02-02"))
        _ = world.listener.takeArrivals()
        _ = try await world.store.answerOptIn(subscription: id, sharing: Self.ada, by: ada)
        try await world.pays(
            .approves,
            telling: [
                "2026-02-02 DID_RENEW/BILLING_RECOVERY 1 silver.monthly 9.99 until 2026-03-02"
            ])
        for telling in [
            ["2026-02-02 RENEWAL_EXTENDED 1 silver.monthly 9.99 until 2026-04-02"], [],
        ] {
            _ = try await world.store.answerOptIn(subscription: id, sharing: Self.ada, by: ada)
            try await world.settle(telling: telling)
        }
        #expect(try await report(world).count == 1)
    }

    @Test("A week for nothing lengthens a free trial too", arguments: Backend.available)
    func trial(_ backend: Backend) async throws {
        let world = try await world(backend, at: "2026-01-01", bonus: .week)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.trial", by: ada)
        _ = try await world.store.answerOptIn(subscription: id, sharing: Self.ada, by: ada)
        try await world.settle(
            telling: [
                """
                2026-01-01 RENEWAL_EXTENDED 1 silver.trial 0.00 FREE_TRIAL until 2026-01-15
                """
            ])
        try await world.advance(
            to: "2026-01-15",
            telling: ["2026-01-15 DID_RENEW 1 silver.trial 9.99 until 2026-02-15"])
    }

    @Test(
        "What a customer shares goes with the account's history, and comes back with no rewind",
        arguments: Backend.available)
    func erased(_ backend: Backend) async throws {
        let world = try await world(backend)
        let (ada, tim) = (
            try await world.device(), try await world.device("tim", in: .sandbox)
        )
        let id = try await world.subscribe("silver.monthly", by: ada)
        let test = try await world.subscribe("silver.monthly", by: tim)
        _ = try await world.store.answerOptIn(subscription: id, sharing: Self.ada, by: ada)
        _ = try await world.store.answerOptIn(
            subscription: test, sharing: SharedDetails(name: "Tim", email: "tim@example.com"),
            by: tim)
        _ = try await world.store.snapshot("here")
        try await world.store.revokeOptIn(subscription: id, by: ada)
        try await world.store.clearHistory(account: "tim")
        #expect(try await holds("tim@example.com", world) == false)
        try await world.store.rewind(to: "here")
        #expect(try await holds("Ada Example", world) == false)
        #expect(try await holds("tim@example.com", world) == false)
        #expect(try await report(world).isEmpty)
    }

    @Test("What cannot be asked or shared is refused, is not repeated, and changes nothing")
    func refused() async throws {
        let world = try await world(.sqlite)
        let ada = try await world.device()
        let id = try await world.subscribe("silver.monthly", by: ada)
        let before = try await Tables(world.database)
        for details in [
            SharedDetails(name: "", email: "a@example.com"),
            SharedDetails(name: "  ", email: "a@example.com"),
            SharedDetails(name: "A\nB", email: "a@example.com"),
            SharedDetails(name: "A\u{202E}B", email: "a@example.com"),
            SharedDetails(name: String(repeating: "x", count: 201), email: "a@example.com"),
            SharedDetails(name: "Ada", email: ""), SharedDetails(name: "Ada", email: "ada"),
            SharedDetails(name: "Ada", email: "a@example.com\r\nBcc: b@example.com"),
            SharedDetails(name: "Ada", email: "a@example.com", postalCode: ""),
            SharedDetails(name: "Ada", email: "a@example.com", postalCode: " 1"),
            SharedDetails(name: "Ada", email: "a@example.com", postalCode: "=1+1"),
            SharedDetails(
                name: "Ada", email: "a@example.com",
                postalCode: String(repeating: "1", count: 17)),
        ] {
            #expect("\(details)" == "SharedDetails")
            await #expect(throws: StoreError.self) {
                _ = try await world.store.answerOptIn(
                    subscription: id, sharing: details, by: ada)
            }
        }
        for terms in [
            OptInTerms(names: [.init(locale: "en_US", name: "")]),
            OptInTerms(names: [.init(locale: "en_US", name: "A\u{200B}")]),
            OptInTerms(
                names: [.init(locale: "en_US", name: "A"), .init(locale: "en_US", name: "B")]),
            OptInTerms(names: [], bonus: .week),
            OptInTerms(
                names: [.init(locale: "en_US", name: "A")], bonus: CalendarPeriod(5, .month)),
        ] {
            await #expect(throws: StoreError.self) {
                try await world.store.setOptIn(terms, bundleID: World.bundleID)
            }
        }
        #expect(try await Tables(world.database) == before)
    }
}

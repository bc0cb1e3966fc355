import Letters
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: mails")
struct MailStories {
    private static let anna = "anna@example.com"

    private func world(
        _ backend: Backend, at start: String = "2026-01-15",
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws -> World {
        try await World(
            backend, at: start, isListening: false, mailroom: .lines(), configure: configure)
    }

    @Test(
        "The welcome comes once, a receipt with each charge (TAB-13)", arguments: Backend.available)
    func charges(_ backend: Backend) async throws {
        let world = try await world(backend)
        let anna = try await world.device(Self.anna)
        let id = try await world.subscribe("silver.monthly", by: anna)
        try await world.store.settle()
        var expected = [
            "2026-01-15 welcome silver.monthly 9990 renews 2026-02-15 kept",
            "2026-01-15 receipt 1 silver.monthly 9990 until 2026-02-15 kept",
        ]
        #expect(try await world.mails() == expected)
        _ = try await world.store.advance(to: World.instant("2026-03-20"))
        expected += [
            "2026-02-15 receipt 1 silver.monthly 9990 until 2026-03-15 kept",
            "2026-03-15 receipt 1 silver.monthly 9990 until 2026-04-15 kept",
        ]
        #expect(try await world.mails() == expected)
        // An upgrade is charged, and nobody is welcomed again.
        _ = try await world.subscribe("gold.monthly", by: anna)
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "coins", quantity: 3), by: anna)
        try await world.store.settle()
        expected += [
            "2026-03-20 receipt 1 gold.monthly 19990 until 2026-04-20 kept",
            "2026-03-20 receipt 3 coins 2970 kept",
        ]
        #expect(try await world.mails() == expected)
        #expect(id > 0)
    }

    @Test("Who comes back is not welcomed again", arguments: Backend.available)
    func back(_ backend: Backend) async throws {
        let world = try await world(backend)
        let anna = try await world.device(Self.anna)
        let id = try await world.subscribe("silver.monthly", by: anna)
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: anna)
        _ = try await world.store.advance(to: World.instant("2026-03-01"))
        #expect(try await world.subscribe("silver.monthly", by: anna) == id)
        #expect(
            try await world.mails() == [
                "2026-01-15 welcome silver.monthly 9990 renews 2026-02-15 kept",
                "2026-01-15 receipt 1 silver.monthly 9990 until 2026-02-15 kept",
                "2026-03-01 receipt 1 silver.monthly 9990 until 2026-04-01 kept",
            ])
    }

    @Test(
        "What was bought has its display name, in the customer's language",
        arguments: Backend.available)
    func names(_ backend: Backend) async throws {
        var catalogue = SampleCatalogue.all
        let place = try #require(
            catalogue.products.firstIndex { $0.id == "silver.monthly" })
        catalogue.products[place].localizations = [
            Localization(locale: "en_US", displayName: "Silver", description: ""),
            Localization(locale: "de_DE", displayName: "Silber", description: ""),
        ]
        let world = try await World(
            backend, at: "2026-01-15", catalogue: catalogue, isListening: false,
            mailroom: .lines())
        let anna = try await world.store.signIn(
            SignInRequest(
                bundleID: World.bundleID, account: Self.anna, storefront: .usa, locale: "de_AT"),
            in: .production, token: "test_anna")
        _ = try await world.subscribe("silver.monthly", by: anna)
        #expect(
            try await world.mails() == [
                "2026-01-15 welcome Silber 9990 renews 2026-02-15 kept",
                "2026-01-15 receipt 1 Silber 9990 until 2026-02-15 kept",
            ])
    }

    @Test(
        "What begins with an offer is welcomed with it, and has a receipt where it costs",
        arguments: Backend.available)
    func offers(_ backend: Backend) async throws {
        let world = try await world(backend)
        _ = try await world.subscribe("silver.trial", by: world.device("free@example.com"))
        _ = try await world.subscribe("silver.intro", by: world.device("low@example.com"))
        try await world.store.settle()
        #expect(
            try await world.mails() == [
                "2026-01-15 welcome silver.trial 9990 for 0 until 2026-01-22 renews 2026-01-22 "
                    + "kept",
                "2026-01-15 welcome silver.intro 9990 for 1990 until 2026-04-15 renews 2026-02-15 "
                    + "kept", "2026-01-15 receipt 1 silver.intro 1990 until 2026-02-15 kept",
            ])
        _ = try await world.store.advance(to: World.instant("2026-01-23"))
        #expect(
            try await world.mails().last
                == "2026-01-22 receipt 1 silver.trial 9990 until 2026-02-22 kept")
    }

    @Test(
        "A renewal that fails is told, with grace or without, and so is the end",
        arguments: Backend.available, [true, false])
    func billing(_ backend: Backend, _ hasGrace: Bool) async throws {
        let world = try await world(backend) { $0.gracePeriod = hasGrace ? .sixteenDays : nil }
        let anna = try await world.device(Self.anna)
        _ = try await world.subscribe("silver.monthly", by: anna)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: Self.anna, in: .production)
        _ = try await world.store.advance(to: World.instant("2026-02-16"))
        let told =
            hasGrace
            ? "2026-02-15 not paid silver.monthly 9990 until 2026-03-03 kept"
            : "2026-02-15 not paid silver.monthly 9990 interrupted kept"
        #expect(try await world.mails().dropFirst(2) == [told])
        _ = try await world.store.advance(to: World.instant("2026-05-01"))
        #expect(
            try await world.mails().dropFirst(2) == [
                told, "2026-04-16 ended silver.monthly 9990 kept",
            ])
    }

    @Test(
        "What is paid before the mail goes out is not complained of, and the mail says why",
        arguments: Backend.available)
    func recovered(_ backend: Backend) async throws {
        let relay = ScriptedRelay()
        let world = try await World(
            backend, at: "2026-01-15", isListening: false, mailroom: .lines(relay))
        let anna = try await world.device(Self.anna)
        _ = try await world.subscribe("silver.monthly", by: anna)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: Self.anna, in: .production)
        // A relay is given its time: moving the clock does not wait for it.
        _ = try await world.store.advance(to: World.instant("2026-02-16"))
        #expect(relay.taken.isEmpty)
        try await world.store.setPaymentMethod(
            .approves, account: Self.anna, in: .production)
        try await world.store.deliverMails()
        #expect(
            try await world.mails() == [
                "2026-01-15 welcome silver.monthly 9990 renews 2026-02-15 delivered",
                "2026-01-15 receipt 1 silver.monthly 9990 until 2026-02-15 delivered",
                "2026-02-15 not paid silver.monthly 9990 interrupted dropped",
                "2026-02-16 receipt 1 silver.monthly 9990 until 2026-03-16 delivered",
            ])
        let dropped = try await world.store.mailbox(
            kind: .billingProblem, channel: .mail, in: .production)
        #expect(dropped.map(\.reason) == ["it was paid meanwhile"])
        #expect(relay.taken.count == 3)
    }

    @Test(
        "An extension and what is decided of a refund are told", arguments: Backend.available)
    func decisions(_ backend: Backend) async throws {
        let world = try await world(backend) { $0.refundPolicy = .operatorDecides }
        let anna = try await world.device(Self.anna)
        let id = try await world.subscribe("silver.monthly", by: anna)
        _ = try await world.store.advance(to: World.instant("2026-01-20"))
        _ = try await world.store.extend(
            subscription: id, ExtensionRequest(days: 10, reasonCode: 1),
            requestIdentifier: "one", in: .production)
        let first = try await world.store.requestRefund(transaction: id, .other, by: anna)
        try await world.store.decide(refundRequest: first.id, granting: nil, in: .production)
        _ = try await world.store.refund(
            transaction: id, .full, reason: .other, in: .production)
        try await world.store.settle()
        #expect(
            try await world.mails().dropFirst(2) == [
                "2026-01-20 extended silver.monthly 2026-02-15 to 2026-02-25 kept",
                "2026-01-20 refund silver.monthly declined kept",
                "2026-01-20 refund silver.monthly 9990 unasked kept",
            ])
    }

    @Test(
        "Who has no address gets none, unless everybody is written to; nobody is nobody",
        arguments: Backend.available)
    func policies(_ backend: Backend) async throws {
        let world = try await world(backend)
        let ada = try await world.device("ada")
        _ = try await world.subscribe("silver.monthly", by: ada)
        #expect(try await world.mails().isEmpty)
        await #expect(throws: StoreError.self) {
            try await world.store.setEmail("ada", account: "ada", in: .production)
        }
        try await world.store.setEmail("ada@example.com", account: "ada", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-02-16"))
        #expect(try await world.mails().count == 1)
        try await world.store.setEmail(nil, account: "ada", in: .production)
        _ = try await world.store.advance(to: World.instant("2026-03-16"))
        #expect(try await world.mails().count == 1)
        try await world.store.configure(bundleID: World.bundleID) { $0.mails = .everybody }
        _ = try await world.store.advance(to: World.instant("2026-04-16"))
        #expect(try await world.mails().count == 2)
        try await world.store.setEmail("ada@example.com", account: "ada", in: .production)
        try await world.store.configure(bundleID: World.bundleID) { $0.mails = .nobody }
        _ = try await world.store.advance(to: World.instant("2026-05-16"))
        #expect(try await world.mails().count == 2)
    }

    @Test(
        "Sandbox gets none unless the app wants them (SBX-6)", arguments: Backend.available)
    func sandbox(_ backend: Backend) async throws {
        let world = try await world(backend)
        _ = try await world.subscribe(
            "silver.monthly", by: world.device(Self.anna, in: .sandbox))
        #expect(try await world.mails(in: .sandbox).isEmpty)
        try await world.store.configure(bundleID: World.bundleID) { $0.sandboxMails = true }
        _ = try await world.subscribe(
            "silver.monthly", by: world.device("eve@example.com", in: .sandbox))
        try await world.store.settle()
        #expect(try await world.mails(in: .sandbox).count == 2)
        #expect(try await world.mails().isEmpty)
    }
}

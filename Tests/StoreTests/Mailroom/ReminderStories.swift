import Letters
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: reminders and warnings")
struct ReminderStories {
    private static let anna = "anna@example.com"

    /// Beside those of the sample one every three months, in a group of its own.
    static let catalogue: Catalogue = {
        var catalogue = SampleCatalogue.all
        catalogue.groups.append(SubscriptionGroup(id: "sport", referenceName: "Sport"))
        catalogue.products.append(
            Product(
                id: "sport.quarterly", type: .autoRenewableSubscription, basePrice: 14_990,
                subscription: SubscriptionTerms(
                    groupID: "sport", level: 1, period: CalendarPeriod(3, .month), offers: [])))
        let place = catalogue.products.firstIndex { $0.id == "news.monthly" }!
        catalogue.products[place].localizations = [
            Localization(locale: "en_US", displayName: "Daily News", description: "")
        ]
        return catalogue
    }()

    private static let year = [
        "2026-02-05 anna mail willRenew Daily News 2990 2026-02-15",
        "2026-03-05 anna mail willRenew Daily News 2990 2026-03-15",
        "2026-04-05 anna mail willRenew Daily News 2990 2026-04-15, "
            + "sport.quarterly 14990 2026-05-01",
        "2026-05-05 anna mail willRenew Daily News 2990 2026-05-15",
        "2026-06-05 anna mail willRenew Daily News 2990 2026-06-15",
        "2026-07-05 anna mail willRenew Daily News 2990 2026-07-15, "
            + "sport.quarterly 14990 2026-08-01",
        // Sport was turned off on 20 July: that month has had its reminder.
        "2026-08-05 anna mail willRenew Daily News 2990 2026-08-15",
        "2026-09-05 anna mail willRenew Daily News 2990 2026-09-15",
        "2026-10-05 anna mail willRenew Daily News 2990 2026-10-15",
        "2026-11-05 anna mail willRenew Daily News 2990 2026-11-15",
        "2026-12-05 anna mail willRenew Daily News 2990 2026-12-15",
        "2027-01-05 anna mail willRenew silver.yearly 99990 2027-01-10",
        "2027-01-05 anna mail willExpire Daily News 2027-01-15",
    ]

    @Test(
        "Three subscriptions in a year: at most two reminders a month, a yearly plan in one",
        arguments: Backend.available, [1, 1000])
    func year(_ backend: Backend, _ batchSize: Int) async throws {
        let world = try await World(
            backend, at: "2026-01-10", catalogue: Self.catalogue, isListening: false,
            batchSize: batchSize, mailroom: .lines())
        let anna = try await world.device(Self.anna)
        // Somebody else, so that there is always more that is due.
        for name in ["bob", "cara"] {
            _ = try await world.subscribe(
                "bronze.weekly", by: world.device("\(name)@example.com"))
        }
        _ = try await world.subscribe("silver.yearly", by: anna)
        _ = try await world.store.advance(to: World.instant("2026-01-15"))
        let news = try await world.subscribe("news.monthly", by: anna)
        _ = try await world.store.advance(to: World.instant("2026-02-01"))
        let sport = try await world.subscribe("sport.quarterly", by: anna)
        _ = try await world.store.advance(to: World.instant("2026-07-20"))
        try await world.store.change(subscription: sport, [.renewal(isOn: false)], by: anna)
        _ = try await world.store.advance(to: World.instant("2026-12-20"))
        try await world.store.change(subscription: news, [.renewal(isOn: false)], by: anna)
        _ = try await world.store.advance(to: World.instant("2027-01-31"))
        #expect(
            try await world.letters(.willRenew, .willExpire).filter { $0.contains(" anna ") }
                == Self.year)
        // Weekly ones are in each month's reminder, once.
        let bob = try await world.letters(.willRenew).filter { $0.contains(" bob ") }
        #expect(
            bob.prefix(2) == [
                "2026-01-13 12:00 bob mail willRenew bronze.weekly 990 2026-01-17",
                "2026-02-13 12:00 bob mail willRenew bronze.weekly 990 2026-02-14",
            ])
        #expect(bob.count == 13)
        let all = try await world.store.mailbox(in: .production, limit: 1000).map(\.created)
        #expect(all == all.sorted(by: >))
        try await world.check()
    }

    @Test(
        "From ten days before a renewal that cannot be paid is warned of, once (S308-21)",
        arguments: Backend.available)
    func warnings(_ backend: Backend) async throws {
        let world = try await World(
            backend, at: "2026-01-15", isListening: false, mailroom: .lines())
        for name in ["anna", "bob", "cara", "dora", "eve"] {
            _ = try await world.subscribe(
                "silver.monthly", by: world.device("\(name)@example.com"))
        }
        func set(_ method: PaymentMethod, _ name: String, on day: String) async throws {
            _ = try await world.store.advance(to: World.instant(day))
            try await world.store.setPaymentMethod(
                method, account: "\(name)@example.com", in: .production)
        }
        let never = PaymentMethod.declines(until: nil, left: nil)
        try await set(never, "anna", on: "2026-01-20")
        try await set(never, "dora", on: "2026-01-20")
        // Before the renewal it pays again, as far as is known.
        try await set(
            .declines(until: World.instant("2026-02-14"), left: nil), "cara", on: "2026-01-21")
        try await set(.approves, "dora", on: "2026-02-04")
        try await set(never, "bob", on: "2026-02-10")
        try await set(.declines(until: nil, left: 1), "bob", on: "2026-02-12")
        _ = try await world.store.advance(to: World.instant("2026-03-10"))
        #expect(
            try await world.letters(.cannotPay) == [
                "2026-02-05 anna mail cannot pay silver.monthly 9990 2026-02-15",
                "2026-02-10 bob mail cannot pay silver.monthly 9990 2026-02-15",
            ])
        try await world.check()
    }

    @Test("A reminder says why something ends", arguments: Backend.available)
    func reasons(_ backend: Backend) async throws {
        let world = try await World(
            backend, at: "2026-01-15", isListening: false, mailroom: .lines()
        ) { $0.sandboxMails = true }
        let (anna, bob, cara) = (
            try await world.device(Self.anna), try await world.device("bob@example.com"),
            try await world.device("cara@example.com")
        )
        let off = try await world.subscribe("silver.monthly", by: anna)
        try await world.store.change(subscription: off, [.renewal(isOn: false)], by: anna)
        _ = try await world.subscribe("bronze.monthly", by: bob)
        let changing = try await world.subscribe("silver.monthly", by: cara)
        try await world.store.change(
            subscription: changing, [.product("bronze.monthly")], by: cara)
        // In Sandbox the thirteenth renewal does not come (SBX-1).
        _ = try await world.subscribe(
            "silver.monthly", by: world.device("eve@example.com", in: .sandbox))
        try await world.store.setAvailability(
            false, product: "bronze.monthly", storefront: nil, bundleID: World.bundleID)
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        #expect(
            try await world.letters(.willRenew, .willExpire) == [
                "2026-02-05 anna mail willExpire silver.monthly 2026-02-15",
                "2026-02-05 bob mail willExpire bronze.monthly 2026-02-15 notForSale",
                "2026-02-05 cara mail willExpire silver.monthly 2026-02-15 notForSale",
            ])
        #expect(
            try await world.letters(.willExpire, in: .sandbox).allSatisfy {
                $0.hasSuffix("renewalLimit")
            })
        #expect(try await world.letters(.willExpire, in: .sandbox).count == 1)
        try await world.check()
    }

    @Test(
        "A month that is owed is no end, whatever was cancelled or is sold (CMT-1)",
        arguments: Backend.available)
    func commitment(_ backend: Backend) async throws {
        let world = try await World(
            backend, at: "2026-01-01", catalogue: CommitmentStories.catalogue, isListening: false,
            mailroom: .lines())
        let anna = try await world.device(Self.anna, storefront: "DEU")
        _ = try await world.store.purchase(
            PurchaseRequest(productID: "silver.year", billing: .monthly), by: anna)
        let id = try #require(try await world.store.subscriptions(for: anna).first)
            .originalTransactionID
        try await world.store.change(subscription: id, [.renewal(isOn: false)], by: anna)
        _ = try await world.store.advance(to: World.instant("2026-03-10"))
        try await world.store.setAvailability(
            false, product: "silver.year", storefront: nil, bundleID: World.bundleID)
        try await world.store.deleteProduct("silver.year", bundleID: World.bundleID)
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: Self.anna, in: .production)
        _ = try await world.store.advance(to: World.instant("2026-03-23"))
        try await world.store.setPaymentMethod(.approves, account: Self.anna, in: .production)
        _ = try await world.store.advance(to: World.instant("2027-01-02"))
        let renews = (2...12).map { month in
            let (before, after) = (World.month(month - 1), World.month(month))
            return "2026-\(before)-22 anna mail willRenew silver.year 9000 2026-\(after)-01"
        }
        #expect(
            try await world.letters(.willRenew, .willExpire)
                == renews + ["2026-12-22 anna mail willExpire silver.year 2027-01-01"])
        let told = try await world.letters(.cannotPay, .discontinued)
        #expect(told.count == 2)
        #expect(told[0].hasPrefix("2026-03-10 anna mail discontinued silver.year ends 2027-01-01"))
        #expect(told[1] == "2026-03-22 anna mail cannot pay silver.year 9000 2026-04-01")
        try await world.check()
    }

    @Test(
        "With a relay a reminder is judged again when it goes out, each line of it",
        arguments: Backend.available)
    func judged(_ backend: Backend) async throws {
        let relay = ScriptedRelay()
        let world = try await World(
            backend, at: "2026-01-15", catalogue: Self.catalogue, isListening: false,
            mailroom: .lines(relay))
        let (anna, bob) = (
            try await world.device(Self.anna), try await world.device("bob@example.com")
        )
        let silver = try await world.subscribe("silver.monthly", by: anna)
        _ = try await world.subscribe("news.monthly", by: anna)
        let other = try await world.subscribe("news.monthly", by: bob)
        _ = try await world.store.advance(to: World.instant("2026-02-06"))
        try await world.store.change(subscription: silver, [.renewal(isOn: false)], by: anna)
        try await world.store.change(subscription: other, [.renewal(isOn: false)], by: bob)
        try await world.store.deliverMails()
        #expect(
            try await world.letters(.willRenew, .willExpire) == [
                "2026-02-05 anna mail willRenew Daily News 2990 2026-02-15 delivered",
                "2026-02-05 bob mail willRenew Daily News 2990 2026-02-15 dropped",
            ])
    }
}

extension World {
    /// The month in two digits.
    fileprivate static func month(_ number: Int) -> String {
        (number < 10 ? "0" : "") + "\(number)"
    }
}

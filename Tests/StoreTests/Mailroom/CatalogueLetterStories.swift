import Letters
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Stories: letters about products and families")
struct CatalogueLetterStories {
    private static let (anna, bea) = ("anna@example.com", "bea@example.com")

    @Test(
        "Of a discontinued product its subscribers hear once, with other durations (S308-122)",
        arguments: Backend.available)
    func discontinued(_ backend: Backend) async throws {
        let world = try await World(
            backend, at: "2026-01-15", isListening: false, batchSize: 2, mailroom: .lines())
        for name in ["anna@example.com", "bob@example.com", "cara@example.com", "nobody"] {
            _ = try await world.subscribe("silver.monthly", by: world.device(name))
        }
        // Who is about to change to another product loses nothing.
        let dora = try await world.device("dora@example.com")
        let changing = try await world.subscribe("silver.monthly", by: dora)
        try await world.store.change(
            subscription: changing, [.product("bronze.monthly")], by: dora)
        for off in ["silver.monthly", "silver.other"] {
            try await world.store.setAvailability(
                false, product: off, storefront: nil, bundleID: World.bundleID)
        }
        _ = try await world.store.advance(to: World.instant("2026-01-20"))
        #expect(try await world.letters(.discontinued).isEmpty)
        try await world.store.deleteProduct("silver.monthly", bundleID: World.bundleID)
        try await world.store.settle()
        let words =
            "discontinued silver.monthly ends 2026-02-15, silver.yearly 99990, "
            + "silver.trial 9990, silver.intro 9990, silver.upfront 9990"
        let expected = ["anna", "bob", "cara"].map { "2026-01-20 \($0) mail \(words)" }
        #expect(try await world.letters(.discontinued) == expected)
        _ = try await world.store.advance(to: World.instant("2026-04-01"))
        #expect(try await world.letters(.discontinued) == expected)
        try await world.check()
    }

    @Test(
        "Who subscribes to what becomes shareable is invited, members hear of what they get",
        arguments: Backend.available)
    func sharing(_ backend: Backend) async throws {
        let world = try await World(
            backend, at: "2026-01-01", catalogue: FamilyCatalogue.all, isListening: false,
            mailroom: .lines())
        let anna = try await world.device(Self.anna)
        _ = try await world.device(Self.bea)
        _ = try await world.device("carl")
        try await world.store.createFamily(
            organiser: "carl", with: [Self.anna, Self.bea], in: .production)
        let id = try await world.subscribe("single.monthly", by: anna)
        // Dora wants to hear of no such thing.
        let dora = try await world.device("dora@example.com")
        _ = try await world.subscribe("single.monthly", by: dora)
        try await world.store.setHearsOfSharing(false, by: dora)
        var catalogue = FamilyCatalogue.all
        let place = try #require(
            catalogue.products.firstIndex { $0.id == "single.monthly" })
        catalogue.products[place].isFamilyShareable = true
        _ = try await world.store.advance(to: World.instant("2026-01-10"))
        try await world.store.importCatalogue(catalogue, bundleID: World.bundleID)
        try await world.store.settle()
        var expected = [
            "2026-01-10 anna mail share single.monthly?",
            "2026-01-10 anna push share single.monthly?",
        ]
        #expect(try await world.letters(.sharing) == expected)
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        #expect(try await world.letters(.sharing) == expected)
        try await world.store.setSharing(.on, originalTransaction: id, by: anna)
        _ = try await world.store.advance(to: World.instant("2026-03-10"))
        expected += [
            // Carl has no address for a mail.
            "2026-02-10 carl push anna@example.com shares single.monthly",
            "2026-02-10 bea mail anna@example.com shares single.monthly",
            "2026-02-10 bea push anna@example.com shares single.monthly",
        ]
        #expect(try await world.letters(.sharing) == expected)
        try await world.check()
    }

    @Test(
        "In the app stands what is true and unseen; a notice that was seen is not pushed (ACC-3)",
        arguments: Backend.available)
    func inApp(_ backend: Backend) async throws {
        let world = try await World(
            backend, at: "2026-01-15", isListening: false, mailroom: .lines())
        let (anna, bob) = (
            try await world.device(Self.anna), try await world.device("bob@example.com")
        )
        let id = try await world.subscribe("silver.monthly", by: anna)
        _ = try await world.subscribe("bronze.monthly", by: bob)
        try await world.schedule("silver.monthly", 19_990, live: "2026-02-20")
        try await world.schedule("bronze.monthly", 5_490, live: "2026-02-20")
        func shown(_ device: DeviceSession) async throws -> [String] {
            try await world.store.inAppMessages(for: device).map {
                "\(World.text($0.created.milliseconds)) \($0.title) \($0.buttons)"
            }
        }
        _ = try await world.store.advance(to: World.instant("2026-04-03"))
        let asked = "agree? silver.monthly 9990 to 19990 on 2026-04-15"
        #expect(try await shown(anna) == ["2026-04-02 \(asked) [\"OK\"]"])
        let first = try #require(try await world.store.inAppMessages(for: anna).first)
        await #expect(throws: StoreError.unknown(.mail, "\(first.id)")) {
            try await world.store.seeInAppMessage(first.id, by: bob)
        }
        // Not now: it is asked again a week later.
        try await world.store.seeInAppMessage(first.id, by: anna)
        try await world.store.seeInAppMessage(first.id, by: anna)
        #expect(try await shown(anna).isEmpty)
        let notice = try #require(try await world.store.inAppMessages(for: bob).first)
        try await world.store.seeInAppMessage(notice.id, by: bob)
        _ = try await world.store.advance(to: World.instant("2026-04-10"))
        #expect(try await shown(anna) == ["2026-04-09 \(asked) [\"OK\"]"])
        try await world.store.change(
            subscription: id, [.priceIncrease(agrees: true)], by: anna)
        #expect(try await shown(anna).isEmpty)
        #expect(
            try await world.letters(.priceIncreaseNotice).map { $0.split(separator: " ")[2] }
                == ["mail", "inApp"])
        // A renewal that is not paid is shown until it is.
        try await world.store.setPaymentMethod(
            .declines(until: nil, left: nil), account: Self.anna, in: .production)
        _ = try await world.store.advance(to: World.instant("2026-04-16"))
        #expect(try await shown(anna).count == 1)
        try await world.store.setPaymentMethod(.approves, account: Self.anna, in: .production)
        #expect(try await shown(anna).isEmpty)
        try await world.check()
    }
}

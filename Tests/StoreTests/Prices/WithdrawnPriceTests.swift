import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

private typealias World = TestSupport.World

@Suite("Prices that were taken back before they were live")
struct WithdrawnPriceTests {
    private static let silver = "silver.monthly"

    private static func withdraw(_ world: World) async throws -> ScheduledPrice {
        try await world.store.withdrawScheduledPrice(
            product: silver, storefront: Storefront(code: "USA")!, bundleID: World.bundleID)
    }

    /// What is listed, such as `8.99 done withdrawn 2026-01-15`, newest first.
    private static func list(_ world: World) async throws -> [String] {
        try await world.store.scheduledPrices(
            product: silver, limit: 10, bundleID: World.bundleID
        ).map { change in
            let withdrawn = change.withdrawn.map { " withdrawn \(World.text($0))" }
            let replaced = change.replaced.map { " replaced \(World.text($0))" }
            let superseded = change.superseded.map { " superseded \(World.text($0))" }
            return "\(World.units(change.price)) \(change.state)\(withdrawn ?? "")"
                + (replaced ?? "") + (superseded ?? "")
        }
    }

    @Test("It stays in the list, and never goes live", arguments: Backend.available)
    func stays(_ backend: Backend) async throws {
        let (world, _, id) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule(Self.silver, 8_990, live: "2026-02-10")
        try await world.advance(to: "2026-01-20", telling: [])
        let withdrawn = try await Self.withdraw(world)
        #expect(withdrawn.price == 8_990)
        #expect(withdrawn.withdrawn == World.instant("2026-01-20"))
        let due = try await world.database.read { session in
            try session.nextDue(passingOver: world.store.setAside)
        }
        #expect(due == World.instant("2026-02-15"))
        try await world.advance(
            to: "2026-03-15", telling: Array(PriceIncreaseStories.untilApril.prefix(2)))
        #expect(try await Self.list(world) == ["8.99 done withdrawn 2026-01-20"])
        #expect(try await world.shows(id) == ["1 silver.monthly on 2026-04-15 9.99"])
        try await world.check()
    }

    @Test("One that another took the place of stays in the list too", arguments: Backend.available)
    func replaced(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule(Self.silver, 19_990, live: "2026-02-10")
        try await world.advance(to: "2026-01-20", telling: [])
        try await world.schedule(Self.silver, 8_990, live: "2026-02-12")
        #expect(
            try await Self.list(world) == ["8.99 scheduled", "19.99 done replaced 2026-01-20"])
        let all = try await world.store.scheduledPrices(
            product: Self.silver, limit: 10, bundleID: World.bundleID)
        #expect(all.map(\.replacedBy) == [nil, all.first?.id])
        #expect(
            all.map(\.scheduled)
                == [World.instant("2026-01-20"), World.instant("2026-01-15")])
        #expect(all.allSatisfy { $0.withdrawn == nil })
        // Where the other was refused it stays as it was.
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.self) {
            try await world.schedule(Self.silver, 7_990, live: "2026-01-19")
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
    }

    @Test("The same price can be scheduled again and goes live", arguments: Backend.available)
    func again(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        for day in ["2026-01-16", "2026-01-17"] {
            try await world.schedule(Self.silver, 8_990, live: "2026-02-10")
            try await world.advance(to: day, telling: [])
            _ = try await Self.withdraw(world)
        }
        try await world.schedule(Self.silver, 8_990, live: "2026-02-10")
        try await world.advance(
            to: "2026-02-15",
            telling: ["2026-02-15 DID_RENEW 1 silver.monthly 8.99 until 2026-03-15"])
        #expect(
            try await Self.list(world) == [
                "8.99 done", "8.99 done withdrawn 2026-01-17", "8.99 done withdrawn 2026-01-16",
            ])
        try await world.check()
    }

    @Test("It takes the place of none, and none takes its place", arguments: Backend.available)
    func supersedesNothing(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule(Self.silver, 8_990, live: "2026-01-16")
        try await world.advance(to: "2026-01-17", telling: [])
        try await world.schedule(Self.silver, 7_990, live: "2026-01-18")
        _ = try await Self.withdraw(world)
        try await world.advance(to: "2026-01-19", telling: [])
        #expect(
            try await Self.list(world) == ["7.99 done withdrawn 2026-01-17", "8.99 done"])
        try await world.schedule(Self.silver, 6_990, live: "2026-01-20")
        try await world.advance(to: "2026-01-21", telling: [])
        #expect(
            try await Self.list(world) == [
                "6.99 done", "7.99 done withdrawn 2026-01-17",
                "8.99 done superseded 2026-01-20",
            ])
    }

    @Test(
        "What is paid after the day of a price that was taken back costs what was chosen",
        arguments: Backend.available)
    func paidLater(_ backend: Backend) async throws {
        let world = try await World(backend, at: "2026-01-15")
        let ada = try await world.device()
        try await world.pays(.answersLater(after: .hours(12), isPaid: true))
        _ = try await world.store.buy(PurchaseRequest(productID: Self.silver), by: ada)
        try await world.schedule(Self.silver, 11_990, live: "2026-01-15T06:00:00Z")
        _ = try await Self.withdraw(world)
        try await world.advance(
            to: "2026-01-15T20:00:00Z",
            telling: [
                """
                2026-01-15 12:00 SUBSCRIBED/INITIAL_BUY 1 silver.monthly 9.99 \
                until 2026-02-15 12:00
                """
            ])
        try await world.pays(.approves)
        _ = try await world.store.advance(to: World.instant("2026-05-01"))
        let cohorts = try await world.store.priceCohorts(
            product: Self.silver, bundleID: World.bundleID)
        #expect(cohorts.map { [$0.price, $0.subscribers, $0.moving] } == [[9_990, 1, 0]])
    }

    @Test("What is live or was taken back already is refused", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule(Self.silver, 8_990, live: "2026-01-16")
        try await world.advance(to: "2026-01-16", telling: [])
        try await Self.expectRefusal(world)
        try await world.schedule(Self.silver, 7_990, live: "2026-01-18")
        _ = try await Self.withdraw(world)
        try await Self.expectRefusal(world)
    }

    private static func expectRefusal(_ world: World) async throws {
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.unknown(.scheduledPrice, silver)) {
            _ = try await withdraw(world)
        }
        #expect(try await Tables(world.database).differences(from: before).isEmpty)
    }

    @Test(
        "Only what is done can be withdrawn, and only that be replaced, says the database",
        arguments: Backend.available, ["withdrawn_at = 1", "replaced_by = 99"])
    func constraint(_ backend: Backend, _ change: String) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule(Self.silver, 8_990, live: "2026-02-10")
        await #expect(throws: StorageError.self) {
            try await world.database.write { session in
                _ = try session.execute("UPDATE price_change SET \(raw: change)")
            }
        }
    }

    @Test("What earlier versions took back says what they knew", arguments: Backend.available)
    func earlier(_ backend: Backend) async throws {
        let (world, _, _) = try await PriceIncreaseStories.subscribed(backend)
        try await world.schedule(Self.silver, 19_990, live: "2026-02-10")
        try await world.schedule(Self.silver, 8_990, live: "2026-02-12")
        try await world.database.write { session in
            _ = try session.execute(
                "UPDATE price_change SET replaced_by = NULL, scheduled_at = NULL")
        }
        #expect(
            try await Self.list(world) == ["8.99 scheduled", "19.99 done withdrawn 2026-01-15"])
        let all = try await world.store.scheduledPrices(
            product: Self.silver, limit: 10, bundleID: World.bundleID)
        #expect(all.map(\.scheduled) == [nil, nil])
    }
}

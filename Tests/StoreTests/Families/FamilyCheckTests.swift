import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

private typealias World = TestSupport.World

/// What `check` says of a world whose families were damaged.
@Suite("Checking families")
struct FamilyCheckTests {
    private static func life(_ backend: Backend) async throws -> World {
        let world = try await World.shareable(backend)
        let ada = try await world.device("ada")
        _ = try await world.device("bea")
        try await world.store.createFamily(organiser: "ada", with: ["bea"], in: .production)
        _ = try await world.subscribe("family.monthly", by: ada)
        _ = try await world.buyOnce("lifetime", by: ada)
        _ = try await world.store.advance(to: World.instant("2026-02-10"))
        return world
    }

    @Test(
        "What is damaged is found and named by table and row", arguments: Backend.available,
        [
            (
                "family_share", "source = 5, subscription = 5 WHERE subscription IS NOT NULL",
                "store_transaction that is not there"
            ),
            ("family_share", "newest = source", "its transaction not its own"),
            ("family_share", "since = -1", "column since"),
            ("family_share", "ended_at = 1, ending = 'eaten'", "column ending"),
            ("customer", "organiser = NULL", "in no family together"),
            ("customer", "organiser = NULL", "not that of its family"),
            ("family_member", "place = place + 2", "it has no organiser"),
            ("family_member", "joined_at = -1", "column joined_at"),
            ("family", "environment = 1", "in another environment"),
            (
                "store_transaction", "product_id = 'coins' WHERE source IS NOT NULL",
                "another product than what it was shared from"
            ),
            (
                "store_transaction", "price = 10 WHERE source IS NOT NULL",
                "somebody paid for it"
            ),
            (
                "store_transaction",
                "expires_at = expires_at + 1 WHERE source IS NOT NULL",
                "ends at another moment"
            ),
        ])
    func finds(
        _ backend: Backend, _ damage: (table: String, change: String, what: String)
    ) async throws {
        let world = try await Self.life(backend)
        let sound = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
        #expect(sound.findings.isEmpty)
        try await world.database.write { session in
            _ = try session.execute("UPDATE \(raw: damage.table) SET \(raw: damage.change)")
        }
        let report = try await WorldCheck(world.database, ownership: nil) { _, _ in }.run()
        #expect(
            report.findings.contains { $0.what.contains(damage.what) }, "\(report.findings)")
    }

    @Test("The database refuses a seventh, and a second family", arguments: Backend.available)
    func constraints(_ backend: Backend) async throws {
        let world = try await Self.life(backend)
        let family = try #require(
            try await world.store.families(in: .production, after: 0, limit: 1).first)
        let carl = try await world.device("carl")
        for values: SQL in [
            "(\(carl.customer), \(family.id), 6, 0)", "(\(carl.customer), \(family.id), 1, 0)",
            "(\(family.members[1].customer), \(family.id), 2, 0)",
        ] {
            await #expect(throws: StorageError.self) {
                try await world.database.write { session in
                    _ = try session.execute(
                        "INSERT INTO family_member (customer, family, place, joined_at) VALUES "
                            + values)
                }
            }
        }
        try await world.check()
    }
}

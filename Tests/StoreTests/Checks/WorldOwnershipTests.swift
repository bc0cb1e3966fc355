import Store
import TestFloor
import TestSupport
import Testing

@Suite("Whose world it is")
struct WorldOwnershipTests {
    private static func owner(
        _ root: UInt8, mustExist: Bool = false, adopts: Bool = false
    ) -> WorldOwnership {
        WorldOwnership(rootDER: [root], mustExist: mustExist, adopts: adopts)
    }

    @Test("A world goes on under its own certificates only", arguments: Backend.available)
    func foreign(_ backend: Backend) async throws {
        let database = try await backend.borrowDatabase()
        _ = try await World(database: database, ownership: Self.owner(1))
        _ = try await World(database: database, ownership: Self.owner(1, mustExist: true))
        let before = try await Tables(database)
        await #expect(throws: WorldIsForeign.self) {
            try await World(database: database, ownership: Self.owner(2))
        }
        #expect(try await Tables(database) == before)
        _ = try await World(database: database, ownership: Self.owner(2, adopts: true))
        await #expect(throws: WorldIsForeign.self) {
            try await World(database: database, ownership: Self.owner(1))
        }
    }

    @Test(
        "A world that has no owner yet belongs to who opens it first",
        arguments: Backend.available)
    func first(_ backend: Backend) async throws {
        let database = try await backend.borrowDatabase()
        _ = try await World(database: database)
        _ = try await World(database: database, ownership: Self.owner(1))
        await #expect(throws: WorldIsForeign.self) {
            try await World(database: database, ownership: Self.owner(2))
        }
    }

    @Test("Where a world was lost no new one is begun", arguments: Backend.available)
    func missing(_ backend: Backend) async throws {
        let database = try await backend.borrowDatabase()
        await #expect(throws: WorldIsMissing.self) {
            try await World(database: database, ownership: Self.owner(1, mustExist: true))
        }
        #expect(try await Tables(database).counts["world"] == 0)
    }
}

import AppStoreWire
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Copies on a full disk")
struct FullDiskTests {
    /// Lets a database say that the disk is full as soon as a copy of it is written.
    private static func fill(_ session: any Session) throws {
        switch session.dialect {
        case .sqlite:
            // A table that has given out all its numbers has no room, in SQLite's words.
            try session.execute(
                "CREATE TABLE room (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)")
            try session.execute("INSERT INTO room (id) VALUES (\(Int64.max))")
            try session.execute(
                """
                CREATE TRIGGER no_room BEFORE UPDATE ON world BEGIN
                    INSERT INTO room (text) VALUES ('more'); END
                """)
        case .postgres:
            try session.execute(
                """
                CREATE FUNCTION no_room() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
                    RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full';
                END $$
                """)
            // What is there stays; the copy's rows come to a table that is smaller than others.
            try session.execute(
                "ALTER TABLE customer ADD CONSTRAINT no_room CHECK (no_room()) NOT VALID")
        }
    }

    private static func makeRoom(_ session: any Session) throws {
        switch session.dialect {
        case .sqlite: try session.execute("DROP TRIGGER no_room")
        case .postgres: try session.execute("ALTER TABLE customer DROP CONSTRAINT no_room")
        }
    }

    /// The schemas beside a world's own, on PostgreSQL.
    private func schemas(_ world: World) async throws -> [String] {
        guard world.database.dialect == .postgres else { return [] }
        return try await world.database.read { session in
            try session.rows(
                """
                SELECT nspname::text FROM pg_namespace
                WHERE starts_with(nspname::text, current_schema() || '.') ORDER BY 1
                """
            ).map { try $0.text(0) }
        }
    }

    @Test(
        "A copy that has no room is refused, and nothing of it stays", arguments: Backend.available)
    func making(_ backend: Backend) async throws {
        let world = try await World(backend)
        let device = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: device)
        try await world.database.write { try Self.fill($0) }
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.copy(.noRoom)) { try await world.store.snapshot("one") }
        await #expect(throws: StoreError.copy(.noRoom)) { try await world.store.fork("one") }
        #expect(try await world.store.snapshots().isEmpty)
        #expect(try await world.store.forks().isEmpty)
        #expect(try await schemas(world).isEmpty)
        #expect(world.store.copyUnderWay == nil)
        #expect(try await Tables(world.database) == before)

        try await world.database.write { try Self.makeRoom($0) }
        try await world.buy("coins", by: device, expecting: ["ONE_TIME_CHARGE"])
        try await world.advance(to: "2026-02-15", expecting: ["DID_RENEW"])
        // The name was not used up.
        try await world.store.snapshot("one")
        try await world.store.fork("one")
        try await world.check()
    }

    @Test(
        "A snapshot that has no room to come back is refused, and the world goes on as it is",
        arguments: Backend.available)
    func rewinding(_ backend: Backend) async throws {
        let world = try await World(backend)
        let device = try await world.device()
        _ = try await world.subscribe("silver.monthly", by: device)
        try await world.store.snapshot("before")
        let schemas = try await schemas(world)
        let snapshot = CopyPlace(.snapshot, "before")!
        var copy = try await world.database.copies.open(snapshot)
        try await copy.write { try Self.fill($0) }
        await copy.close()
        try await world.advance(to: "2026-02-15", expecting: ["DID_RENEW"])
        let before = try await Tables(world.database)
        await #expect(throws: StoreError.copy(.noRoom)) {
            try await world.store.rewind(to: "before")
        }
        #expect(try await Tables(world.database) == before)
        #expect(try await self.schemas(world) == schemas)
        try await world.buy("coins", by: device, expecting: ["ONE_TIME_CHARGE"])
        try await world.advance(to: "2026-03-15", expecting: ["DID_RENEW"])
        try await world.check()

        copy = try await world.database.copies.open(snapshot)
        try await copy.write { try Self.makeRoom($0) }
        await copy.close()
        try await world.store.rewind(to: "before")
        #expect(try await world.store.now() == World.instant("2026-01-01"))
        try await world.advance(to: "2026-02-15", expecting: ["DID_RENEW"])
    }
}

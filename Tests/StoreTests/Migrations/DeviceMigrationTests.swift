import Storage
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import Store

@Suite("Sign-ins of earlier versions")
struct DeviceMigrationTests {
    /// The database before devices had queues of their own, made of today's.
    private static func undo(_ database: any Database) async throws {
        try await database.write { session in
            for statement: SQL in [
                """
                CREATE TABLE old_sign_in (token_digest TEXT PRIMARY KEY,
                    customer \(raw: session.dialect.integer) NOT NULL,
                    app \(raw: session.dialect.integer) NOT NULL, device TEXT NOT NULL,
                    created_at \(raw: session.dialect.integer) NOT NULL)
                """,
                """
                INSERT INTO old_sign_in SELECT i.token_digest, d.customer, d.app, d.name,
                    i.created_at
                FROM sign_in i JOIN device d ON d.id = i.device
                """,
                "DROP TABLE sign_in", "DROP TABLE device_mark", "DROP TABLE device",
                "ALTER TABLE old_sign_in RENAME TO sign_in",
                "ALTER TABLE store_transaction DROP COLUMN queued",
                "ALTER TABLE store_transaction DROP COLUMN finish_number",
                "ALTER TABLE subscription DROP COLUMN modification",
                "DELETE FROM journal WHERE kind = 'registeredDevice'",
                "UPDATE journal SET detail = NULL WHERE kind = 'finished'",
            ] { try session.execute(statement) }
            try session.execute("ALTER TABLE app DROP COLUMN era")
            try session.execute("ALTER TABLE app DROP COLUMN unsent_notifications")
            try session.execute("DROP TABLE shared_secret")
            try session.execute("ALTER TABLE family_share DROP COLUMN expiration_reason")
            let later = Schema.migrations.drop { $0.name != Schema.devices.name }.map(\.name)
            try session.execute("DELETE FROM migration WHERE name IN (\(list: later))")
        }
    }

    @Test(
        "Who was signed in is a device, and what was finished is finished",
        arguments: Backend.available)
    func goesOn(_ backend: Backend) async throws {
        let database = try await backend.makeDatabase()
        let world = try await World(database: database, isListening: false)
        func signIn(_ name: String, _ token: String) async throws -> DeviceSession {
            try await world.store.signIn(
                SignInRequest(bundleID: World.bundleID, account: "ada", device: name),
                in: .production, token: token)
        }
        let phone = try await signIn("phone", "first")
        _ = try await signIn("phone", "second")
        _ = try await signIn("O'Brien's \"tablet\"", "third")
        let lifetime = try await world.buyOnce("lifetime", by: phone)
        _ = try await world.subscribe("silver.monthly", by: phone)
        let coins = try await world.buyOnce("coins", by: phone)
        for id in [lifetime, coins] { try await world.store.finish(transaction: id, by: phone) }
        try await Self.undo(database)

        let later = try await World(database: database, isListening: false)
        let devices = try await later.store.devices(of: "ada", bundleID: nil, in: .production)
        #expect(Set(devices.map(\.name)) == ["phone", "O'Brien's \"tablet\""])
        #expect(devices.map(\.signIns).sorted() == [1, 2])
        for token in ["first", "second", "third"] {
            let device = try await later.store.device(token: token, in: .production)
            #expect(try await later.queue(device) == ["silver.monthly to 2026-02-01"])
        }
        try await later.check()
        let tablet = try await later.store.device(token: "third", in: .production)
        try await later.finishAll(tablet)
        #expect(try await later.store.restore(on: tablet) == 2)
        #expect(
            try await later.queue(tablet) == [
                "lifetime restored", "silver.monthly to 2026-02-01 restored",
            ])
        let again = try await later.store.device(token: "first", in: .production)
        #expect(try await later.queue(again) == ["silver.monthly to 2026-02-01"])
        #expect(try await later.queue(later.device(named: "watch")).isEmpty)
        _ = try await later.store.advance(to: World.instant("2026-02-02"))
        #expect(try await later.queue(again).count == 2)
        try await later.check()
    }
}

private typealias World = TestSupport.World

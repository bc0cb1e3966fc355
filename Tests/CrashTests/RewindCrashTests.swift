import AppStoreWire
import Storage
import StorageSQLite
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Crashes while a world is put back")
struct RewindCrashTests {
    private static let then = World.instant("2026-01-31")
    private static let later = World.instant("2026-02-28")

    /// Where a killed store left its world: as it was, or as the snapshot has it; nothing else.
    private func expectOneOfTwo(_ database: any Database) async throws -> Bool {
        let report = try await WorldCheck(database, ownership: nil) { _, _ in }.run()
        #expect(report.findings.isEmpty)
        let row = try await database.read { session in
            try session.row(
                """
                SELECT clock_value, (SELECT COUNT(*) FROM store_transaction),
                    (SELECT COUNT(*) FROM subscription) FROM world
                """)
        }
        let (clock, transactions, all) = (
            Instant(milliseconds: try row?.integer(0) ?? 0), try row?.int(1) ?? 0,
            try row?.int(2) ?? 0
        )
        if clock == Self.then {
            #expect(transactions == all)
            return true
        }
        #expect(clock == Self.later)
        #expect(transactions == 2 * all)
        return false
    }

    /// Kills the store at some moment of a rewind, again and again.
    private func kill(
        _ times: Int, upTo milliseconds: Int, serve: () async throws -> StoreProcess,
        look: () async throws -> Bool
    ) async throws {
        var random = SeededGenerator(seed: 20_260_228)
        var isBack = true
        var found: [Bool] = []
        for round in 0..<times {
            let store = try await serve()
            if isBack {
                try await store.connect(
                    "POST", "/connect/v1/clock/advance", #"{"to":"\#(Self.later.iso8601)"}"#)
            }
            let rewind = Task {
                _ = try? await store.connect("POST", "/connect/v1/snapshots/before/rewind")
            }
            // Early and late in turn, so that both ends are met.
            spin(milliseconds: Int(random.next() % UInt64(milliseconds)) * (round % 2 + 1))
            store.kill()
            await rewind.value
            isBack = try await look()
            found.append(isBack)
        }
        // In the end it is put back, and what was left of the others is in nobody's way.
        let store = try await serve()
        try await store.connect("POST", "/connect/v1/snapshots/before/rewind")
        store.kill()
        #expect(try await look())
        #expect(found.contains(false), "some kill must come before the end")
    }

    @Test("Killed twelve times, a file is the old world or the new one")
    func file() async throws {
        let folder = try Folder("rewind")
        try await folder.subscribe(300)
        let first = try await StoreProcess(folder: folder.url, catalogue: folder.catalogue)
        try await first.connect("POST", "/connect/v1/snapshots", #"{"name":"before"}"#)
        first.kill()
        try await kill(12, upTo: 60) {
            try await StoreProcess(folder: folder.url, catalogue: nil)
        } look: {
            let database = try SQLiteDatabase(path: folder.database)
            let isBack = try await expectOneOfTwo(database)
            await database.close()
            return isBack
        }
    }

    @Test("Killed twelve times, a schema is the old world or the new one")
    func schema() async throws {
        guard Backend.available.contains(.postgres) else { return }
        let (url, database) = try await Backend.makeServed()
        let folder = try Folder("rewind-schema")
        let options = ["--database-url", url]
        let first = try await StoreProcess(
            folder: folder.url, catalogue: folder.catalogue, options: options)
        for number in 0..<100 {
            let reply = try await first.send(
                "POST", "/storefront/v1/sign-in",
                #"{"bundleId":"com.example.app","account":"customer-\#(number)"}"#, token: nil)
            try await first.send(
                "POST", "/storefront/v1/purchases", #"{"productId":"club.monthly"}"#,
                token: reply["token"]?.string)
        }
        try await first.connect("POST", "/connect/v1/snapshots", #"{"name":"before"}"#)
        first.kill()
        try await kill(12, upTo: 200) {
            try await StoreProcess(folder: folder.url, catalogue: nil, options: options)
        } look: {
            // What a killed process had begun ends when the server has noticed.
            try await expectOneOfTwo(database)
        }
        await database.close()
    }
}

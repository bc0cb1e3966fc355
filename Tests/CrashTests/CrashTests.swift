import AppStoreWire
import Foundation
import Storage
import StorageSQLite
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Crashes", .serialized)
struct CrashTests {
    private static let customers = 300
    private static let start = Instant(iso8601: "2026-01-31T00:00:00Z")!

    @Test("Killed ten times during sweeps, the store charges each period exactly once")
    func killedDuringSweeps() async throws {
        let folder = try Folder()
        try await folder.subscribe(CrashTests.customers)
        var random = SeededGenerator(seed: 20_260_131)
        var last = CrashTests.start
        var end = last
        var midway = 0
        // A kill that comes too late is no kill during a sweep, and another one follows.
        for _ in 0..<40 where midway < 10 {
            let store = try await StoreProcess(folder: folder.url, catalogue: folder.catalogue)
            end = CalendarStep(iso8601: "P2Y")!.applied(to: end)
            let sweep = Task { [end] in
                _ = try? await store.connect(
                    "POST", "/connect/v1/clock/advance", #"{"to":"\#(end.iso8601)"}"#)
            }
            try await folder.waitUntilCharged(past: last)
            spin(milliseconds: Int(random.next() % 120))
            store.kill()
            await sweep.value
            let now = try await folder.reached()
            #expect(now.charged > last, "a sweep that was killed lost what it had done")
            if CalendarStep(iso8601: "P1M")!.applied(to: now.charged) <= now.clock { midway += 1 }
            last = now.charged
        }
        #expect(midway == 10, "ten kills must come during a sweep")

        let store = try await StoreProcess(folder: folder.url, catalogue: folder.catalogue)
        try await store.connect(
            "POST", "/connect/v1/clock/advance", #"{"to":"\#(end.iso8601)"}"#)
        store.kill()
        try await expectEachPeriodOnce(folder, until: end)
    }

    /// Every period from the anchor up to the end has one transaction, and there is no other.
    private func expectEachPeriodOnce(_ folder: Folder, until end: Instant) async throws {
        let database = try SQLiteDatabase(path: folder.database)
        let rows = try await database.read { session in
            try session.rows(
                """
                SELECT purchased_at, COUNT(*), COUNT(DISTINCT subscription), SUM(price)
                FROM store_transaction GROUP BY purchased_at ORDER BY purchased_at
                """)
        }
        let journal = try await database.read { session in
            try session.row("SELECT SUM(amount), COUNT(amount) FROM journal")
        }
        await database.close()
        var moments: [Instant] = []
        var month = 0
        let anchor = CivilDate(year: 2026, month: 1, day: 31)
        while true {
            let day = anchor.adding(months: month).daysSinceEpoch
            let moment = Instant(milliseconds: Int64(day) * 86_400_000)
            guard moment <= end else { break }
            moments.append(moment)
            month += 1
        }
        #expect(try rows.map { Instant(milliseconds: try $0.integer(0)) } == moments)
        for row in rows {
            #expect(try row.int(1) == CrashTests.customers)
            #expect(try row.int(2) == CrashTests.customers)
            #expect(try row.integer(3) == Int64(CrashTests.customers) * 9_990)
        }
        let charges = moments.count * CrashTests.customers
        #expect(try journal?.integer(0) == Int64(charges) * 9_990)
        #expect(try journal?.int(1) == charges)
    }
}

import AppStoreWire
import Foundation
import Storage
import StorageSQLite
import SubscriptionRules
import Testing

@Suite("Crashes", .serialized)
struct CrashTests {
    private static let customers = 1_000
    private static let start = Instant(iso8601: "2026-01-31T00:00:00Z")!

    @Test("Killed ten times during sweeps, the store charges each period exactly once")
    func killedDuringSweeps() async throws {
        let folder = try Folder()
        try await subscribe(in: folder)
        var random = Seeded(state: 20_260_131)
        var last = CrashTests.start
        var midway = 0
        for _ in 0..<10 {
            let store = try await StoreProcess(folder: folder.url, catalogue: folder.catalogue)
            let sweep = Task {
                _ = try? await store.connect(
                    "POST", "/connect/v1/clock/advance", #"{"to":"2090-01-31T00:00:00Z"}"#)
            }
            try await folder.waitUntilClock(isPast: last)
            spin(milliseconds: Int(random.next() % 120))
            store.kill()
            await sweep.value
            let now = try await folder.clock()
            #expect(now > last, "a sweep that was killed lost what it had done")
            if now < Instant(iso8601: "2090-01-31T00:00:00Z")! { midway += 1 }
            last = now
        }
        #expect(midway == 10, "each kill must come during a sweep")

        let store = try await StoreProcess(folder: folder.url, catalogue: folder.catalogue)
        let end = CalendarStep(iso8601: "P1M")!.applied(to: last)
        try await store.connect(
            "POST", "/connect/v1/clock/advance", #"{"to":"\#(end.iso8601)"}"#)
        store.kill()
        try await expectEachPeriodOnce(folder, until: end)
    }

    /// A thousand customers buy at the same moment, in the usual way.
    private func subscribe(in folder: Folder) async throws {
        let store = try await StoreProcess(folder: folder.url, catalogue: folder.catalogue)
        try await withThrowingTaskGroup { group in
            for lane in 0..<20 {
                group.addTask {
                    for index in stride(from: lane, to: CrashTests.customers, by: 20) {
                        let reply = try await store.send(
                            "POST", "/storefront/v1/sign-in",
                            #"{"bundleId":"com.example.app","account":"customer-\#(index)"}"#,
                            token: nil)
                        try await store.send(
                            "POST", "/storefront/v1/purchases", #"{"productId":"club.monthly"}"#,
                            token: reply["token"]?.string)
                    }
                }
            }
            try await group.waitForAll()
        }
        store.kill()
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
        #expect(rows.map { Instant(milliseconds: $0.integer(0)) } == moments)
        for row in rows {
            #expect(row.int(1) == CrashTests.customers)
            #expect(row.int(2) == CrashTests.customers)
            #expect(row.integer(3) == Int64(CrashTests.customers) * 9_990)
        }
        let charges = moments.count * CrashTests.customers
        #expect(journal?.integer(0) == Int64(charges) * 9_990)
        #expect(journal?.int(1) == charges)
    }

    /// Lets a little time pass without giving the thread away: the moment of the kill.
    private func spin(milliseconds: Int) {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < end {}
    }
}

/// A folder for one store, removed when the test is over.
private final class Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "perennial-crash-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.removeItem(at: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(Folder.plan.utf8).write(to: catalogue)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var catalogue: URL { url.appendingPathComponent("Club.storekit") }
    var database: String { url.appendingPathComponent("data/store.sqlite").path }

    /// What the clock shows, read beside the running store.
    func clock() async throws -> Instant {
        let database = try SQLiteDatabase(path: database)
        let row = try await database.read { session in
            try session.row("SELECT clock_value FROM world")
        }
        await database.close()
        return Instant(milliseconds: row?.integer(0) ?? 0)
    }

    /// Returns as soon as a sweep has committed something.
    func waitUntilClock(isPast moment: Instant) async throws {
        while try await clock() <= moment { await Task.yield() }
    }

    private static let plan = """
        {"identifier":"C1","nonRenewingSubscriptions":[],"products":[],"settings":{},
         "subscriptionGroups":[{"id":"club","localizations":[],"name":"Club","subscriptions":[
          {"adHocOffers":[],"codeOffers":[],"displayPrice":"9.99","familyShareable":false,
           "groupNumber":1,"internalID":"P1","introductoryOffer":null,"localizations":[],
           "productID":"club.monthly","recurringSubscriptionPeriod":"P1M","referenceName":"Club",
           "subscriptionGroupID":"club","type":"RecurringSubscription"}]}],
         "version":{"major":3,"minor":0}}
        """
}

/// A small generator whose numbers follow from its seed.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

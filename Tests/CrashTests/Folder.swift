import AppStoreWire
import Foundation
import Storage
import StorageSQLite
import SubscriptionRules
import TimeAndChance

/// A folder for one store, removed when the test is over.
final class Folder: Sendable {
    let url: URL

    init(_ name: String = "sweeps") throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "perennial-crash-\(name)-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.removeItem(at: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(Folder.plan.utf8).write(to: catalogue)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var catalogue: URL { url.appendingPathComponent("Club.storekit") }
    var database: String { url.appendingPathComponent("data/store.sqlite").path }

    /// What the clock shows, and up to which moment periods were charged.
    func reached() async throws -> (clock: Instant, charged: Instant) {
        let database = try SQLiteDatabase(path: database)
        let (clock, charged) = try await database.read { session in
            (
                try session.row("SELECT clock_value FROM world")?.integer(0) ?? 0,
                try session.row("SELECT MAX(purchased_at) FROM store_transaction")?.integer(0) ?? 0
            )
        }
        await database.close()
        return (Instant(milliseconds: clock), Instant(milliseconds: charged))
    }

    /// Returns as soon as a sweep has committed something.
    func waitUntilCharged(past moment: Instant) async throws {
        while try await reached().charged <= moment { await pause() }
    }

    /// Customers buy at the same moment, in the usual way.
    func subscribe(_ customers: Int) async throws {
        let store = try await StoreProcess(folder: url, catalogue: catalogue)
        try await buy(customers, at: store)
        store.kill()
    }

    /// Customers buy at a running store.
    func buy(_ customers: Int, at store: StoreProcess) async throws {
        try await withThrowingTaskGroup { group in
            for lane in 0..<20 {
                group.addTask {
                    for index in stride(from: lane, to: customers, by: 20) {
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
    }

    /// Copies every customer with its subscription under identifiers of their own, while no store
    /// runs.
    func multiply(by factor: Int) async throws {
        let tables: [(name: String, keys: [String])] = [
            ("customer", ["id"]), ("customer_app", ["customer", "app_transaction_id"]),
            ("subscription", ["id", "customer", "term_transaction"]),
            (
                "store_transaction",
                ["id", "original_id", "subscription", "customer", "modification"]
            ),
        ]
        let stride = 1_000_000
        let database = try SQLiteDatabase(path: database)
        try await database.write { session in
            for (table, keys) in tables {
                let names = try session.rows("PRAGMA table_info(\(raw: table))")
                    .map { try $0.text(1) }
                for copy in 1..<factor {
                    let values = names.map { name in
                        if keys.contains(name) { return "\(name) + \(copy * stride)" }
                        return name == "account" ? "account || '-\(copy)'" : name
                    }
                    try session.execute(
                        """
                        INSERT INTO \(raw: table) (\(raw: names.joined(separator: ", ")))
                        SELECT \(raw: values.joined(separator: ", ")) FROM \(raw: table)
                        WHERE \(raw: keys[0]) % 1000000000 < \(stride)
                        """)
                }
            }
            try session.execute("UPDATE world SET next_number = \((factor + 1) * stride)")
        }
        await database.close()
    }

    /// Reads a number beside the running store.
    func count(_ query: SQL) async throws -> Int {
        let database = try SQLiteDatabase(path: database)
        let row = try await database.read { try $0.row(query) }
        await database.close()
        return try row?.int(0) ?? 0
    }

    /// Three levels of one group, the best one first.
    private static let plan = """
        {"identifier":"C1","nonRenewingSubscriptions":[],"products":[],"settings":{},
         "subscriptionGroups":[{"id":"club","localizations":[],"name":"Club","subscriptions":[
          \(product("gold", price: "19.99", level: 1)),
          \(product("monthly", price: "9.99", level: 2)),
          \(product("bronze", price: "4.99", level: 3))]}],
         "version":{"major":3,"minor":0}}
        """

    private static func product(_ name: String, price: String, level: Int) -> String {
        """
        {"adHocOffers":[],"codeOffers":[],"displayPrice":"\(price)","familyShareable":false,
         "groupNumber":\(level),"internalID":"P\(level)","introductoryOffer":null,
         "localizations":[],"productID":"club.\(name)","recurringSubscriptionPeriod":"P1M",
         "referenceName":"Club","subscriptionGroupID":"club","type":"RecurringSubscription"}
        """
    }
}

/// Lets a little time pass without giving the thread away: the moment of the kill.
func spin(milliseconds: Int) {
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < end {}
}

/// Gives the store's process its turn, between two looks at what it has done.
func pause() async { await SystemTime.wait(.milliseconds(2)) }

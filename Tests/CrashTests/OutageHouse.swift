import AppStoreWire
import Foundation
import Storage
import StorageSQLite
import SubscriptionRules
import TestFloor
import TestSupport

/// A store and a merchant, each a process of its own, that know each other by HTTP alone. The
/// store's subscribers bought a month at the end of January and are in the middle of it.
final class OutageHouse {
    /// After so many is everything of a copy.
    private static let stride: Int64 = 1_000_000
    private static let product = "club.monthly"
    static let days = 3
    /// 31 January and a month is 28 February, and three days make it 3 March.
    static let extendedEnd = Instant(iso8601: "2026-03-03T00:00:00Z")!

    let folder: Folder
    private let databaseURL: String?
    private let log: FileHandle
    private let kept: any Database
    private(set) var store: StoreProcess
    private(set) var merchant: MerchantProcess
    private(set) var killed = 0

    /// Lets so many subscribers buy, and copies them at the store and at the merchant.
    init(_ plan: OutageKillPlan) async throws {
        let folder = try Folder("outage-\(plan.backend.rawValue)")
        self.folder = folder
        let file = folder.url.appendingPathComponent("log")
        try Data().write(to: file)
        log = try FileHandle(forWritingTo: file)
        try Data(
            """
            apps:
            - store: \(folder.url.appendingPathComponent("data/ready.json").path)
              environments: [production]

            """.utf8
        ).write(to: Self.configuration(folder))
        var served: (url: String, database: any Database)?
        if plan.backend == .postgres { served = try await Backend.makeServed() }
        let databaseURL = served?.url
        let store = try await StoreProcess(folder: folder.url, catalogue: folder.catalogue)
        let merchant = try await Self.serve(folder, databaseURL, port: 0, log)
        if let served {
            kept = served.database
        } else {
            let path = Self.home(folder).appendingPathComponent("merchant.sqlite").path
            kept = try SQLiteDatabase(path: path)
        }
        self.databaseURL = databaseURL
        self.store = store
        self.merchant = merchant
        try await tell(#"{"notificationUrl":"\#(merchant.notificationURL)"}"#)
        try await folder.buy(plan.buyers, at: store)
        while try await number("SELECT COUNT(*) FROM renewal_register") < plan.buyers {
            await pause()
        }
        try await advance(#"{"to":"2026-02-10T00:00:00Z"}"#)
        _ = merchant.end()
        _ = store.end()
        try await folder.multiply(by: plan.copies)
        try await multiply(by: plan.copies)
        self.store = try await StoreProcess(folder: folder.url, catalogue: nil)
        self.merchant = try await Self.serve(folder, databaseURL, port: merchant.port, log)
    }

    private static func configuration(_ folder: Folder) -> URL {
        folder.url.appendingPathComponent("merchant.yaml")
    }

    private static func home(_ folder: Folder) -> URL {
        folder.url.appendingPathComponent("merchant")
    }

    private static func serve(
        _ folder: Folder, _ databaseURL: String?, port: Int, _ log: FileHandle
    ) async throws -> MerchantProcess {
        try await MerchantProcess(
            home: home(folder), configuration: configuration(folder), databaseURL: databaseURL,
            complaint: log.fileDescriptor, port: port, options: ["--clock", "store"])
    }

    /// Copies what the merchant keeps of every purchase, as `Folder.multiply` does at the store.
    private func multiply(by factor: Int) async throws {
        let isShared = databaseURL != nil
        // Without the copy's number a column is copied as it is.
        let tables: [(name: String, key: String, numbers: [String], texts: [String])] = [
            ("purchase", "id", ["id"], ["original_transaction_id"]),
            ("transaction_register", "purchase", ["purchase"], ["transaction_id"]),
            ("renewal_register", "purchase", ["purchase"], []),
        ]
        let stride = Self.stride
        for (table, key, numbers, texts) in tables {
            try await kept.write { session in
                let names = try OutageHouse.columns(of: table, isShared, session)
                for copy in 1..<max(factor, 1) {
                    let shift = Int64(copy) * stride
                    let values = names.map { name in
                        if numbers.contains(name) { return "\(name) + \(shift)" }
                        guard texts.contains(name) else { return name }
                        return "CAST(CAST(\(name) AS BIGINT) + \(shift) AS TEXT)"
                    }
                    try session.execute(
                        """
                        INSERT INTO \(raw: table) (\(raw: names.joined(separator: ", ")))
                        SELECT \(raw: values.joined(separator: ", ")) FROM \(raw: table)
                        WHERE \(raw: key) < \(stride)
                        """)
                }
            }
        }
    }

    private static func columns(
        of table: String, _ isShared: Bool, _ session: any Session
    ) throws -> [String] {
        guard isShared else {
            return try session.rows("PRAGMA table_info(\(raw: table))").map { try $0.text(1) }
        }
        return try session.rows(
            """
            SELECT CAST(column_name AS TEXT) FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = \(table)
            """
        ).map { try $0.text(0) }
    }

    // MARK: What the processes are told

    /// Changes settings of the app at the store.
    func tell(_ settings: String) async throws {
        try await store.connect("PATCH", "/connect/v1/apps/\(World.bundleID)", settings)
    }

    func advance(_ step: String) async throws {
        try await store.connect("POST", "/connect/v1/clock/advance", step)
    }

    /// Starts the campaign.
    func start() async throws {
        var json = JSONWriter()
        json.object { json in
            json.field(
                "file",
                """
                campaign: outage
                app: \(World.bundleID)
                kind: outage
                outage: {from: "2026-02-09T08:00:00Z", to: "2026-02-09T20:00:00Z"}
                products: [\(Self.product)]
                days: \(Self.days)
                pace: {calls: 20}
                """)
        }
        _ = try await merchant.operate("POST", "/v1/operator/outages", json.bytes)
    }

    /// Kills the merchant and starts it again, where the store expects it.
    func kill() async throws {
        merchant.kill()
        killed += 1
        // The claim of a process that died ends by itself, after minutes that no test waits for.
        try await kept.write { session in try session.execute("DELETE FROM claim") }
        merchant = try await Self.serve(folder, databaseURL, port: merchant.port, log)
    }

    /// Ends both in order.
    ///
    /// - Returns: the codes with which they ended.
    func end() async -> [Int32] {
        let codes = [merchant.end(), store.end()]
        await kept.close()
        return codes
    }

    // MARK: What they have

    /// Reads a number of the merchant's database.
    func number(_ query: SQL) async throws -> Int {
        let row = try await kept.read { session in try session.row(query) }
        return try row?.int(0) ?? 0
    }

    /// How many were written down, extended, and extended by a call of their own.
    func progress() async throws -> (written: Int, extended: Int, retried: Int) {
        let row = try await kept.read { session in
            try session.row(
                """
                SELECT COUNT(*), COUNT(CASE WHEN state = 'extended' THEN 1 END),
                    COUNT(CASE WHEN extended_by = 'retry' THEN 1 END)
                FROM campaign_extension
                """)
        }
        guard let row else { return (0, 0, 0) }
        return (try row.int(0), try row.int(1), try row.int(2))
    }

    func isDone() async throws -> Bool {
        try await number("SELECT COUNT(*) FROM campaign WHERE state = 'done'") == 1
    }

    /// What the processes complained of, line by line.
    var complaints: [Substring] {
        let file = folder.url.appendingPathComponent("log")
        return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
    }
}

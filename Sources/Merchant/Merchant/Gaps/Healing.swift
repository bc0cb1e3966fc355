import AppStoreSigning
import AppStoreWire
import MerchantRules
import ServerAPIClient
import Storage
public import SubscriptionRules

/// What looking for gaps has found in one environment of an app.
public struct GapReport: Hashable, Sendable {
    public fileprivate(set) var bundleID: String
    public fileprivate(set) var environment: MerchantEnvironment
    /// From when notifications were looked at.
    public fileprivate(set) var since: Instant
    /// Up to when.
    public fileprivate(set) var until: Instant
    /// How many notifications the store has sent, or tried to send, in that time.
    public fileprivate(set) var seen: Int64 = 0
    /// How many of them were missing here and were taken.
    public fileprivate(set) var healed: Int64 = 0
    /// How many subscriptions were asked for since they should have changed and did not.
    public fileprivate(set) var asked: Int64 = 0
    /// How many of them had changed.
    public fileprivate(set) var changed: Int64 = 0
    /// What could not be taken, or why looking ended early: the last of it.
    public fileprivate(set) var problem: String?
}

extension Merchant {
    /// How far back notifications are kept by the App Store, in days.
    private static func depth(of environment: MerchantEnvironment) -> Span {
        switch environment {
        case .production: .days(180)
        case .sandbox: .days(30)
        }
    }

    /// How much earlier than the last look's end the next one begins: what was under way then is
    /// looked at once more.
    private static let overlap = Span.days(1)

    /// Asks the store what was missed, takes it, and returns when it is processed.
    ///
    /// Every app is asked about in each of its environments: the history of notifications first,
    /// then the subscriptions whose period has ended without a word. What is there already changes
    /// nothing, so that it can be done at any time, by any process.
    ///
    /// - Parameter since: from when notifications are looked at; nil for a day before the end of
    ///   the last look, and all that the store keeps the first time.
    /// - Throws: `StorageError`; what the store answers goes into the reports.
    @discardableResult
    public func heal(since: Instant? = nil) async throws -> [GapReport] {
        var reports: [GapReport] = []
        for (_, app) in apps.sorted(by: { $0.key < $1.key }) {
            guard let api = app.setup.serverAPI else { continue }
            for environment in app.setup.environments.sorted(by: { $0.rawValue < $1.rawValue }) {
                guard let url = api.urls[environment] else { continue }
                reports.append(
                    try await heal(app, environment, asking: url, with: api.key, since: since))
            }
        }
        return reports
    }

    private func heal(
        _ app: ServedApp, _ environment: MerchantEnvironment, asking url: String,
        with key: APIKey, since: Instant?
    ) async throws -> GapReport {
        let now = try await now()
        let earliest = now - Self.depth(of: environment) + .hours(1)
        let last = try await database.read { session in
            try GapRow.register.records(
                where: "app = \(app.id) AND environment = \(environment.rawValue)", session
            ).first?.report.until
        }
        let start = since ?? last.map { min($0, now) - Self.overlap } ?? earliest
        var report = GapReport(
            bundleID: app.setup.bundleID, environment: environment, since: max(start, earliest),
            until: now)
        do {
            let client = try ServerAPIClient(
                baseURL: url, bundleID: app.setup.bundleID, key: key)
            try await readHistory(app, client, &report)
            try await settle()
            try await askForSubscriptions(of: app, environment, client, &report)
        } catch let error as ServerAPIError {
            // The next look begins where this one did.
            report.problem = "the store did not answer all: \(error)"
            report.until = last ?? report.since
        }
        let row = GapRow(app: app.id, report: report)
        try await database.write { session in _ = try GapRow.register.take(row, session) }
        return report
    }

    /// What the last look has found in each environment, by app.
    public func gaps() async throws -> [GapReport] {
        let names = Dictionary(uniqueKeysWithValues: apps.map { ($0.value.id, $0.key) })
        let rows = try await database.read { session in
            try GapRow.register.records(where: "TRUE ORDER BY app, environment", session)
        }
        return rows.compactMap { row in
            names[row.app].map { name in
                var report = row.report
                report.bundleID = name
                return report
            }
        }
    }

    /// Takes each notification of the store's history: its own dates decide what it changes, so a
    /// late one overwrites nothing (ING-4).
    private func readHistory(
        _ app: ServedApp, _ client: ServerAPIClient, _ report: inout GapReport
    ) async throws {
        let request = NotificationHistoryRequest(
            startDate: report.since.milliseconds, endDate: report.until.milliseconds)
        for try await page in client.notificationHistoryPages(request) {
            for item in page.notificationHistory {
                report.seen += 1
                do {
                    if try await receive(item.signedPayload, for: app.setup.bundleID) == .kept {
                        report.healed += 1
                    }
                } catch let error as MerchantError {
                    report.problem = "a notification was not taken: \(error)"
                }
            }
        }
    }

    /// Asks for each subscription that should have renewed or ended, and of which nothing was
    /// heard since.
    private func askForSubscriptions(
        of app: ServedApp, _ environment: MerchantEnvironment, _ client: ServerAPIClient,
        _ report: inout GapReport
    ) async throws {
        let until = report.until
        let overdue = try await database.read { session in
            try OverduePurchase.all(of: app.id, environment, at: until, session)
        }
        for purchase in overdue {
            report.asked += 1
            do {
                let answer = try await client.statuses(of: purchase.transactionID)
                for item in answer.data.flatMap(\.lastTransactions) {
                    if try await take(item, of: app, environment) { report.changed += 1 }
                }
            } catch let error as ServerAPIError where error.isAboutOne {
                report.problem = "\(purchase.transactionID): \(error)"
            } catch let error as JWSVerificationError {
                report.problem = "\(purchase.transactionID): \(error)"
            }
            try await database.write(.together) { session in try purchase.noteAsked(until, session)
            }
        }
    }

    /// - Returns: whether it was news.
    private func take(
        _ item: LastTransactionsItem, of app: ServedApp, _ environment: MerchantEnvironment
    ) async throws -> Bool {
        let evidence = try await Evidence(
            transaction: item.signedTransactionInfo, renewal: item.signedRenewalInfo,
            in: environment, verifiedBy: app.setup)
        let now = try await now()
        return try await database.write(.together) { session in
            try evidence.keep(of: app.id, at: now, session)?.hasChanged ?? false
        }
    }
}

/// The row of a report: the last one of each environment of an app.
private struct GapRow: StoredRecord {
    var app: Int64
    var report: GapReport

    static let blank = GapRow(
        app: 0,
        report: GapReport(
            bundleID: "", environment: .production, since: Instant(milliseconds: 0),
            until: Instant(milliseconds: 0)))

    mutating func visit(_ columns: inout RecordColumns) throws(StorageError) {
        try columns.column("app", &app)
        try columns.column("environment", &report.environment)
        try columns.column("since", &report.since)
        try columns.column("read_until", &report.until)
        try columns.column("seen", &report.seen)
        try columns.column("healed", &report.healed)
        try columns.column("asked", &report.asked)
        try columns.column("changed", &report.changed)
        try columns.column("problem", &report.problem)
    }

    /// Each report takes the place of the one before.
    static let register = Register<Self>(
        table: "gap_report", key: ["app", "environment"])
}

/// A subscription whose newest known period is over, and of which nothing says that it has ended
/// for good.
private struct OverduePurchase: Sendable {
    let id: Int64
    /// Any transaction of it.
    let transactionID: String

    /// How long a renewal may come late: the store tries for 60 days.
    private static let patience = Span.days(61)

    /// Those that were not asked about in the last hour.
    static func all(
        of app: Int64, _ environment: MerchantEnvironment, at now: Instant,
        _ session: any Session
    ) throws(StorageError) -> [OverduePurchase] {
        try session.rows(
            """
            SELECT p.id, p.original_transaction_id FROM purchase p
            JOIN transaction_register t ON t.purchase = p.id AND t.expires_at IS NOT NULL
            LEFT JOIN renewal_register r ON r.purchase = p.id
            WHERE p.app = \(app) AND p.environment = \(environment.rawValue)
                AND (p.asked_at IS NULL OR p.asked_at <= \(now - .hours(1)))
                AND (r.purchase IS NULL OR r.is_in_billing_retry = 1
                    OR r.renews = 1 AND r.expiration_intent IS NULL)
            GROUP BY p.id, p.original_transaction_id
            HAVING MAX(t.expires_at) <= \(now) AND MAX(t.expires_at) > \(now - patience)
            ORDER BY p.id
            """
        ).map { row throws(StorageError) in
            OverduePurchase(id: try row.integer(0), transactionID: try row.text(1))
        }
    }

    func noteAsked(_ now: Instant, _ session: any Session) throws(StorageError) {
        try session.execute("UPDATE purchase SET asked_at = \(now) WHERE id = \(id)")
    }
}

extension ServerAPIError {
    /// Whether it is about the subscription that was asked for, and says nothing of the others.
    fileprivate var isAboutOne: Bool {
        kind == .unreadableReply || kind == .refused && status == 404
    }
}

import Storage
import TestSupport

/// What arrived, beside what was to be delivered: every sentence that is wrong is a finding.
struct Deliveries {
    private(set) var findings: [String] = []
    /// Notifications that came before an earlier one of their subscription.
    private(set) var overtakings: [String] = []
    /// How many notifications there are.
    private(set) var count = 0
    /// How many posts repeated an earlier one.
    private(set) var repeats = 0
    /// How many attempts came to nothing although the process lived to keep that.
    let failures: Int

    init(_ database: any Database, _ inbox: Inbox, _ takeovers: Takeovers) async throws {
        let arrivals = inbox.arrivals
        let (rows, failed) = try await database.read { session in
            (
                try session.rows(
                    """
                    SELECT id, uuid, subscription, delivered, attempts FROM notification
                    ORDER BY id
                    """),
                try session.rows(
                    """
                    SELECT notification, COUNT(*) FROM notification_attempt
                    WHERE outcome <> 'SUCCESS' GROUP BY notification
                    """)
            )
        }
        let failures = Dictionary(
            uniqueKeysWithValues: try failed.map { (try $0.integer(0), try $0.int(1)) })
        self.failures = failures.values.reduce(0, +)
        count = rows.count
        var latest: [Int64: Int] = [:]
        for row in rows {
            let (id, uuid) = (try row.integer(0), try row.text(1))
            guard let arrived = arrivals[uuid] else {
                findings.append("\(uuid) never arrived")
                continue
            }
            if try !row.bool(3) { findings.append("\(uuid) does not count as delivered") }
            repeats += arrived.count - 1
            let allowed = 1 + (takeovers.interrupted[id] ?? 0) + (failures[id] ?? 0)
            if arrived.count > allowed {
                findings.append("\(uuid) arrived \(arrived.count) times, not up to \(allowed)")
            }
            if Set(arrived.map(\.hash)).count != 1 {
                findings.append("\(uuid) arrived with other bytes")
            }
            // One that failed is overtaken while it waits for its next attempt.
            guard let subscription = try row.integerOrNil(2), failures[id] == nil else { continue }
            if arrived[0].place < latest[subscription] ?? 0 {
                overtakings.append("\(uuid) overtook one of subscription \(subscription)")
            }
            latest[subscription] = arrived[0].place
        }
        if inbox.unreadable > 0 { findings.append("\(inbox.unreadable) posts cannot be read") }
        let known = try Set(rows.map { try $0.text(1) })
        for uuid in arrivals.keys where !known.contains(uuid) {
            findings.append("\(uuid) arrived and is nowhere kept")
        }
    }
}

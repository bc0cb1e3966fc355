import Storage
import SubscriptionRules

/// The rows of plans.
extension CampaignPlan {
    /// Begins a plan, which nobody sees before it is complete.
    ///
    /// - Returns: its number.
    static func insert(
        _ definition: CampaignDefinition, of app: Int64, file: String, _ attachments: String,
        at now: Instant, _ session: any Session
    ) throws(StorageError) -> Int64 {
        let last = try session.row("SELECT MAX(id) FROM campaign_plan")?.integerOrNil(0)
        let id = (last ?? 0) + 1
        try session.execute(
            """
            INSERT INTO campaign_plan (id, app, name, kind, file, attachments, planned_at,
                is_complete, totals)
            VALUES (\(id), \(app), \(definition.name), \(definition.kind.rawValue), \(file),
                \(attachments), \(now), 0, '')
            """)
        return id
    }

    /// Lets a plan be seen, and removes those before it of the same name. What a process has
    /// not lived to complete goes after a day.
    static func complete(
        _ id: Int64, _ name: String, of app: Int64, totals: String, at now: Instant,
        _ session: any Session
    ) throws(StorageError) {
        try session.execute(
            "UPDATE campaign_plan SET is_complete = 1, totals = \(totals) WHERE id = \(id)")
        let old: SQL = """
            app = \(app) AND name = \(name) AND id < \(id)
                AND (is_complete = 1 OR planned_at < \(now - .days(1)))
            """
        try session.execute(
            """
            DELETE FROM campaign_subscriber
            WHERE plan IN (SELECT id FROM campaign_plan WHERE \(old))
            """)
        try session.execute("DELETE FROM campaign_plan WHERE \(old)")
    }

    /// A plan that is complete; nil where there is none.
    static func find(_ id: Int64, _ session: any Session) throws(StorageError) -> CampaignPlan? {
        let row = try session.row(
            """
            SELECT c.id, a.bundle_id, c.name, c.kind, c.planned_at, c.totals
            FROM campaign_plan c JOIN app a ON a.id = c.app
            WHERE c.id = \(id) AND c.is_complete = 1
            """)
        guard let row else { return nil }
        return CampaignPlan(
            id: try row.integer(0), bundleID: try row.text(1), name: try row.text(2),
            kind: try row.text(3), plannedAt: try row.instant(4),
            totals: try PlanTotals(kept: try row.text(5)))
    }
}

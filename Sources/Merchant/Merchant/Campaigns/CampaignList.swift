import Storage
public import SubscriptionRules

/// A campaign that was started, in a list.
public struct ListedCampaign: Hashable, Sendable {
    /// Its number, in the order of starting.
    public let id: Int64
    public let bundleID: String
    public let name: String
    /// A `CampaignDefinition.Kind`.
    public let kind: String
    public let state: String
    public let started: Instant
    /// When its state changed last.
    public let moved: Instant
    /// Why it stands still, where it does.
    public let problem: String?
}

/// A plan of a campaign, in a list.
public struct ListedPlan: Hashable, Sendable {
    public let id: Int64
    public let bundleID: String
    /// The campaign's name.
    public let name: String
    /// A `CampaignDefinition.Kind`.
    public let kind: String
    public let plannedAt: Instant
}

/// Which campaigns or plans are listed; all where nothing is said.
public struct CampaignListFilter: Hashable, Sendable {
    public var bundleID: String?
    public var name: String?
    /// A `CampaignDefinition.Kind`.
    public var kind: String?

    public init(bundleID: String? = nil, name: String? = nil, kind: String? = nil) {
        self.bundleID = bundleID
        self.name = name
        self.kind = kind
    }

    fileprivate func condition(of app: Int64?) -> SQL {
        var condition: SQL = ""
        if let app { condition += " AND c.app = \(app)" }
        if let name { condition += " AND c.name = \(name)" }
        if let kind { condition += " AND c.kind = \(kind)" }
        return condition
    }
}

extension Merchant {
    /// The campaigns that were started, the newest first: there are as many as operators start.
    ///
    /// - Throws: `MerchantError.unknownApp`.
    public func campaigns(
        where filter: CampaignListFilter, before: Int64? = nil, limit: Int
    ) async throws -> [ListedCampaign] {
        let condition = filter.condition(of: try filter.bundleID.map { try app($0).id })
        return try await database.read { session in
            try session.rows(
                """
                SELECT c.id, a.bundle_id, c.name, c.kind, c.state, c.started_at, c.moved_at,
                    c.problem
                FROM campaign c JOIN app a ON a.id = c.app
                WHERE c.id < \(before ?? Int64.max)\(condition)
                ORDER BY c.id DESC LIMIT \(limit)
                """
            ).map { row throws(StorageError) in
                ListedCampaign(
                    id: try row.integer(0), bundleID: try row.text(1), name: try row.text(2),
                    kind: try row.text(3), state: try row.text(4), started: try row.instant(5),
                    moved: try row.instant(6), problem: try row.textOrNil(7))
            }
        }
    }

    /// The plans that are kept, the newest first.
    ///
    /// - Throws: `MerchantError.unknownApp`.
    public func campaignPlans(
        where filter: CampaignListFilter, before: Int64? = nil, limit: Int
    ) async throws -> [ListedPlan] {
        let condition = filter.condition(of: try filter.bundleID.map { try app($0).id })
        return try await database.read { session in
            try session.rows(
                """
                SELECT c.id, a.bundle_id, c.name, c.kind, c.planned_at
                FROM campaign_plan c JOIN app a ON a.id = c.app
                WHERE c.is_complete = 1 AND c.id < \(before ?? Int64.max)\(condition)
                ORDER BY c.id DESC LIMIT \(limit)
                """
            ).map { row throws(StorageError) in
                ListedPlan(
                    id: try row.integer(0), bundleID: try row.text(1), name: try row.text(2),
                    kind: try row.text(3), plannedAt: try row.instant(4))
            }
        }
    }
}

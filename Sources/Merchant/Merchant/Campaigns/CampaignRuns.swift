import FoundationEssentials
import Storage
public import SubscriptionRules
import Synchronization

/// How far a campaign is that was started.
public struct CampaignRun: Hashable, Sendable {
    /// How many have something in common.
    public struct Count: Hashable, Sendable {
        public let name: String
        public let detail: String?
        public let count: Int64
    }

    public let bundleID: String
    public let name: String
    /// A `CampaignDefinition.Kind`.
    public let kind: String
    public let state: CampaignRunState
    public let started: Instant
    /// When its state changed last.
    public let moved: Instant
    /// Why it stands still, where it does.
    public let problem: String?
    /// How many subscribers it has: the outcomes add up to it, and so do the states.
    public let audience: Int64
    public let outcomes: [Count]
    public let states: [Count]
    /// By channel, with the state as the detail.
    public let messages: [Count]
    /// By state.
    public let calls: [Count]
}

extension Merchant {
    /// Starts a campaign: from then on it sends and calls by itself, what is due at once too.
    ///
    /// - Parameter works: whether what is due is done before the answer. Of a million subscribers
    ///   that takes hours: the keeper does it, where there is one.
    /// - Throws: `MerchantError.unknownApp`, `campaignExists`, `noServerAPI`.
    public func start(
        _ definition: CampaignDefinition, file: String, attachments: [String: String],
        works: Bool = true
    ) async throws -> CampaignRun {
        guard definition.kind == .price else {
            _ = try await startOutage(definition, file: file, attachments: attachments)
            if works { try await workOnCampaigns(patience: .seconds(10)) }
            return try await campaignRun(definition.name, of: definition.bundleID)
        }
        let app = try app(definition.bundleID)
        let now = try await now()
        let files = String(decoding: try JSONEncoder().encode(attachments), as: UTF8.self)
        let row = try await database.write { session in
            var row = CampaignRow.blank
            row.app = app.id
            row.name = definition.name
            row.kind = definition.kind
            row.file = file
            row.attachments = files
            (row.started, row.moved) = (now, now)
            guard let begun = try row.begin(session) else {
                throw MerchantError.campaignExists(definition.name)
            }
            return begun
        }
        campaignMeans.withLock { $0.known[row.id] = definition }
        if works { try await workOnCampaigns(patience: .seconds(10)) }
        return try await campaignRun(definition.name, of: definition.bundleID)
    }

    /// Holds a campaign up, lets it go on, or ends it.
    ///
    /// - Parameter works: whether what follows is done before the answer.
    /// - Throws: `MerchantError.unknownApp`, `unknownCampaign`, `campaignState`.
    public func move(
        _ name: String, of bundleID: String, to state: CampaignRunState, works: Bool = true
    ) async throws -> CampaignRun {
        let app = try app(bundleID)
        let now = try await now()
        try await database.write { session in
            guard var row = try CampaignRow.find(name, of: app.id, session) else {
                throw MerchantError.unknownCampaign(name)
            }
            guard row.state.leads(to: state) else {
                throw MerchantError.campaignState(name, row.state)
            }
            (row.state, row.moved) = (state, now)
            // A price campaign that is stopped goes through everybody once more.
            if row.kind == .price { row.cursor = nil }
            try row.save(session)
        }
        if works { try await workOnCampaigns(patience: .seconds(10)) }
        return try await campaignRun(name, of: bundleID)
    }

    /// How far a campaign is.
    ///
    /// - Throws: `MerchantError.unknownApp`, `unknownCampaign`.
    public func campaignRun(_ name: String, of bundleID: String) async throws -> CampaignRun {
        let app = try app(bundleID)
        return try await database.read { session in
            guard let row = try CampaignRow.find(name, of: app.id, session) else {
                throw MerchantError.unknownCampaign(name)
            }
            guard row.kind == .price else {
                return CampaignRun(try OutageReport(row, of: bundleID, session))
            }
            return try CampaignRun(row, of: bundleID, session)
        }
    }

    /// The campaign of a name and the number of one of its purchases.
    func campaignRow(
        _ name: String, of bundleID: String, _ kind: CampaignDefinition.Kind
    ) async throws -> CampaignRow {
        let app = try app(bundleID)
        let row = try await database.read { session in
            try CampaignRow.find(name, of: app.id, session)
        }
        guard let row else { throw MerchantError.unknownCampaign(name) }
        guard row.kind == kind else { throw MerchantError.otherCampaignKind(name) }
        return row
    }
}

extension CampaignRunState {
    /// Whether an operator may move a campaign from here to a state.
    fileprivate func leads(to next: CampaignRunState) -> Bool {
        switch (self, next) {
        case (.running, .paused), (.paused, .running), (.running, .stopped), (.paused, .stopped),
            (.planned, .stopped):
            true
        default: false
        }
    }
}

extension CampaignRun {
    fileprivate init(
        _ row: CampaignRow, of bundleID: String, _ session: any Session
    ) throws(StorageError) {
        func counts(_ query: SQL) throws(StorageError) -> [Count] {
            try session.rows(query).map { found throws(StorageError) in
                Count(
                    name: try found.text(0), detail: try found.textOrNil(1),
                    count: try found.integer(2))
            }
        }
        let outcomes = try counts(
            """
            SELECT outcome, NULL, COUNT(*) FROM price_subscriber WHERE campaign = \(row.id)
            GROUP BY outcome ORDER BY outcome
            """)
        self.init(
            bundleID: bundleID, name: row.name, kind: row.kind.rawValue, state: row.state,
            started: row.started, moved: row.moved, problem: row.problem,
            audience: outcomes.reduce(0) { $0 + $1.count }, outcomes: outcomes,
            states: try counts(
                """
                SELECT state, detail, COUNT(*) FROM price_subscriber WHERE campaign = \(row.id)
                GROUP BY state, detail ORDER BY state, detail
                """),
            messages: try counts(
                """
                SELECT channel, state, COUNT(*) FROM campaign_message WHERE campaign = \(row.id)
                GROUP BY channel, state ORDER BY channel, state
                """),
            calls: try counts(
                """
                SELECT state, NULL, COUNT(*) FROM campaign_call WHERE campaign = \(row.id)
                GROUP BY state ORDER BY state
                """))
    }
}

import Storage
public import SubscriptionRules

extension Merchant {
    /// Does what is due of all campaigns: writes down audiences, looks at subscribers, sends and
    /// calls. One process at a time does it, of those that share a database.
    ///
    /// - Parameter patience: how long another one is waited for.
    /// - Throws: `StorageError`; what a relay or the store answers is kept.
    public func workOnCampaigns(patience: Duration = .zero) async throws {
        let served = apps.values.map(\.id)
        let rows = try await database.read { session in
            try CampaignRow.all(of: served, in: [.planned, .running, .stopped], session)
        }
        guard !rows.isEmpty else { return }
        _ = try await alone("campaigns", patience: patience) { claim in
            for row in rows {
                do {
                    try await self.work(on: row, under: claim)
                } catch is WorkIsTaken {
                    return true
                } catch let error as StorageError where error.code == .corrupt {
                    // The others have nothing to do with it.
                    try await self.note("\(error)", of: row, under: claim)
                }
            }
            return true
        }
    }

    /// A campaign as its file describes it; nil where it cannot be read, which is noted then.
    func readDefinition(
        of row: CampaignRow, under claim: WorkClaim
    ) async throws -> CampaignDefinition? {
        let definition: CampaignDefinition
        do {
            definition = try self.definition(of: row)
        } catch {
            try await note(Self.unreadable + "\(error)", of: row, under: claim)
            return nil
        }
        if row.problem?.hasPrefix(Self.unreadable) == true {
            try await note(nil, of: row, under: claim)
        }
        return definition
    }

    private static let unreadable = "its file cannot be read: "

    /// Keeps why a campaign stands still.
    private func note(
        _ problem: String?, of row: CampaignRow, under claim: WorkClaim
    ) async throws {
        guard row.problem != problem else { return }
        try await database.write(.together) { session in
            try claim.renew(session)
            guard var current = try CampaignRow.locked(row.id, session) else { return }
            current.problem = problem
            try current.save(session)
        }
    }

    private func work(on row: CampaignRow, under claim: WorkClaim) async throws {
        guard let app = apps.values.first(where: { $0.id == row.app }) else {
            return
        }
        switch row.kind {
        case .price: try await workOnPrices(row, of: app, under: claim)
        case .outage: try await workOnOutage(row, of: app, under: claim)
        }
    }

    /// When the next thing is due of any campaign that runs; nil where nothing is. It may be past,
    /// as where an audience is still to be written down, from when days of notice count (CMP-38).
    public func nextCampaignMoment() async throws -> Instant? {
        let served = apps.values.map(\.id)
        return try await database.read { session in
            let rows = try CampaignRow.all(of: served, in: [.planned, .running], session)
            // A file that cannot be read is not waited for.
            var moments = rows.filter { $0.state == .planned && $0.problem == nil }.map(\.started)
            for row in rows where row.kind == .outage {
                if let first = try OutageExtension.nextMoment(of: row.id, session) {
                    moments.append(first)
                }
            }
            for row in rows where row.kind == .price {
                let due: [SQL] = [
                    """
                    SELECT MIN(due_at) FROM price_subscriber
                    WHERE campaign = \(row.id) AND due_at IS NOT NULL
                    """,
                    """
                    SELECT MIN(next_attempt) FROM campaign_message
                    WHERE campaign = \(row.id) AND state IN ('waiting', 'sending')
                    """,
                    """
                    SELECT MIN(next_attempt) FROM campaign_call
                    WHERE campaign = \(row.id) AND state IN ('waiting', 'sending')
                    """,
                ]
                for query in due {
                    if let first = try session.row(query)?.integerOrNil(0) {
                        moments.append(Instant(milliseconds: first))
                    }
                }
            }
            return moments.min()
        }
    }
}

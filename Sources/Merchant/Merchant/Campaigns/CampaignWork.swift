import Storage

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
                }
            }
            return true
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
}

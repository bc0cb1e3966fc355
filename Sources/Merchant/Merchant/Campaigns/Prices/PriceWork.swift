import MerchantRules
import Storage
import SubscriptionRules

extension Merchant {
    /// How many subscribers are looked at, or messages handed over, before the next look at what
    /// else is due.
    private static let priceBatch = 50

    /// Does what is due of a price campaign, until nothing is.
    func workOnPrices(
        _ row: CampaignRow, of app: ServedApp, under claim: WorkClaim
    ) async throws {
        guard let definition = try await readDefinition(of: row, under: claim) else { return }
        if row.state == .planned {
            guard try await beginPrices(row, of: app, definition, under: claim) else { return }
        }
        if row.state == .stopped {
            try await stopPrices(row, of: app, definition, under: claim)
        }
        while true {
            let looked = try await lookAtPrices(row, of: app, definition, under: claim)
            guard row.state != .stopped else {
                if looked == 0 { return }
                continue
            }
            guard try await isRunning(row) else { return }
            let sent = try await sendMessages(of: row, of: app, definition, under: claim)
            let called = try await makeCalls(of: row, of: app, definition, under: claim)
            if looked + sent + called == 0 { break }
        }
        try await finishPrices(row, under: claim)
    }

    /// A campaign may have been paused or stopped since it was read.
    private func isRunning(_ row: CampaignRow) async throws -> Bool {
        let found = try await database.read { session in
            try CampaignRow.find(row.name, of: row.app, session)
        }
        return found?.state == .running
    }

    /// Writes the audience down, page by page.
    ///
    /// - Returns: whether it is complete.
    private func beginPrices(
        _ row: CampaignRow, of app: ServedApp, _ definition: CampaignDefinition,
        under claim: WorkClaim
    ) async throws -> Bool {
        while true {
            let now = try await now()
            let isComplete: Bool? = try await database.write { session in
                try claim.renew(session)
                guard var current = try CampaignRow.locked(row.id, session),
                    current.state == .planned,
                    let run = PriceRun(current, of: app, definition, at: now)
                else { return nil }
                current.cursor = try run.begin(after: current.cursor ?? 0, session)
                let isComplete = current.cursor == nil
                if isComplete { current.state = .running }
                try current.save(session)
                return isComplete
            }
            guard let isComplete else { return false }
            if isComplete { return true }
        }
    }

    /// Looks at some subscribers that are due, each in a transaction of its own.
    ///
    /// - Returns: how many there were.
    private func lookAtPrices(
        _ row: CampaignRow, of app: ServedApp, _ definition: CampaignDefinition,
        under claim: WorkClaim
    ) async throws -> Int {
        let now = try await now()
        let due = try await database.read { session in
            try PriceSubscriberRow.due(in: row.id, at: now, limit: Self.priceBatch, session)
        }
        for purchase in due {
            try await look(at: purchase, [], of: row, of: app, definition, under: claim)
        }
        return due.count
    }

    /// Looks at a subscriber, and takes in what has happened besides.
    func look(
        at purchase: Int64, _ events: [CampaignEvent], of row: CampaignRow, of app: ServedApp,
        _ definition: CampaignDefinition, under claim: WorkClaim,
        also note: @escaping @Sendable (any Session, Instant) throws -> Void = { _, _ in }
    ) async throws {
        let now = try await now()
        try await database.write(.together) { session in
            try claim.renew(session)
            try note(session, now)
            guard let run = PriceRun(row, of: app, definition, at: now) else { return }
            try run.look(at: purchase, events, session)
        }
    }

    /// Ends a campaign for everybody for whom it was not done.
    private func stopPrices(
        _ row: CampaignRow, of app: ServedApp, _ definition: CampaignDefinition,
        under claim: WorkClaim
    ) async throws {
        var last: Int64 = 0
        // Once for each: whom the store has the price of already stays until the renewal.
        guard row.cursor == nil else { return }
        while true {
            let after = last
            let open = try await database.read { session in
                try PriceSubscriberRow.open(
                    in: row.id, after: after, limit: Self.priceBatch, session)
            }
            for purchase in open {
                try await look(at: purchase, [.stopped], of: row, of: app, definition, under: claim)
            }
            guard let end = open.last else { break }
            last = end
        }
        try await database.write(.together) { session in
            try claim.renew(session)
            guard var current = try CampaignRow.locked(row.id, session) else { return }
            current.cursor = Int64.max
            try current.save(session)
        }
    }

    /// It is done once nothing lies ahead for anybody.
    private func finishPrices(_ row: CampaignRow, under claim: WorkClaim) async throws {
        let now = try await now()
        let isOpen = try await database.read { session -> Bool in
            if try PriceCallRow.isCancelling(in: row.id, session) { return true }
            return try !PriceSubscriberRow.open(in: row.id, after: 0, limit: 1, session).isEmpty
        }
        guard !isOpen else { return }
        try await database.write(.together) { session in
            try claim.renew(session)
            guard var current = try CampaignRow.locked(row.id, session), current.state == .running
            else { return }
            (current.state, current.moved) = (.done, now)
            try current.save(session)
        }
    }
}

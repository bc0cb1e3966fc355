import Storage
import SubscriptionRules
import TimeAndChance

/// A notification that waits, with what it proves.
private struct ReadLetter: Sendable {
    let letter: WaitingLetter
    let app: Int64
    let evidence: Result<[Evidence], any Error>

    /// Changes its registers, its purchase and its own state.
    func keep(at now: Instant, _ session: any Session) throws(StorageError) {
        switch evidence {
        case .failure(let error):
            try letter.become(.dead, problem: "\(error)", session)
        case .success(let evidence):
            // Another process may have been faster.
            let newest = Evidence.newest(of: evidence)
            guard try letter.become(.processed, evidence: newest, session) else { return }
            try Evidence.keep(evidence, of: app, at: now, session)
            for one in evidence { try OutageResult.note(one, letter.uuid, of: app, session) }
        }
    }

    /// The purchases that it is about.
    var purchases: [PurchaseKey] {
        guard case .success(let all) = evidence else { return [] }
        return all.compactMap { $0.key(in: app) }
    }
}

// MARK: What waits

extension Merchant {
    /// How many notifications are changed in one transaction, at most.
    private static let batchSize = 100

    /// Processes what waits at the beginning, or lets another process do it.
    func processWaiting() async throws {
        let served = apps
        let numbers = served.values.map(\.id)
        let newest = try await database.read { session in
            try session.row(
                """
                SELECT id FROM inbox WHERE state = 0 AND app IN (\(list: numbers))
                ORDER BY id DESC LIMIT 1
                """
            )?.integer(0)
        }
        guard let newest else { return }
        let claim = WorkClaim.inbox(for: processName)
        var size = Self.batchSize
        while try await isWaiting(in: numbers, upTo: newest) {
            do {
                guard try await takes(claim) else {
                    await SystemTime.wait(.milliseconds(20))
                    try Task.checkCancellation()
                    continue
                }
                try await process(of: served, upTo: newest, by: size, under: claim)
            } catch is WorkIsTaken {
                // Verifying so many took longer than the claim lasts. Two processes would take it
                // from each other for ever.
                size = max(1, size / 2)
            } catch {
                // Others need not wait for it; where the database is away, the claim ends by
                // itself.
                await letGo(of: claim)
                throw error
            }
        }
    }

    /// - Returns: whether it is this process that works.
    private func takes(_ claim: WorkClaim) async throws -> Bool {
        guard database.dialect.isShared else { return true }
        return try await database.write(.together) { session in try claim.take(session) }
    }

    private func letGo(of claim: WorkClaim) async {
        guard database.dialect.isShared else { return }
        let database = self.database
        _ = await Task {
            try await database.write(.together) { session in try claim.release(session) }
        }.result
    }

    private func isWaiting(in apps: [Int64], upTo newest: Int64) async throws -> Bool {
        try await database.read { session in
            try session.exists(
                """
                SELECT 1 FROM inbox
                WHERE state = 0 AND id <= \(newest) AND app IN (\(list: apps)) LIMIT 1
                """)
        }
    }

    /// Processes batch after batch until one is not full.
    private func process(
        of served: [String: ServedApp], upTo newest: Int64, by size: Int, under claim: WorkClaim
    ) async throws {
        let numbers = served.values.map(\.id)
        while true {
            let now = try await now()
            let waiting = try await database.read { session in
                try session.rows(
                    """
                    SELECT i.id, a.bundle_id, i.environment, i.uuid, i.body
                    FROM inbox i JOIN app a ON a.id = i.app
                    WHERE i.state = 0 AND i.id <= \(newest) AND i.app IN (\(list: numbers))
                    ORDER BY i.id LIMIT \(size)
                    """
                ).map { row throws(StorageError) in try WaitingLetter(row) }
            }
            // Signatures need a processor and nothing else.
            let letters = try await Parallel.map(waiting, width: Parallel.width) { letter in
                await Self.read(letter, of: served, at: now)
            }
            let isLast = waiting.count < size
            try await keep(letters.compactMap(\.self), at: now, under: claim, isLast: isLast)
            if isLast { return }
        }
    }

    private static func read(
        _ letter: WaitingLetter, of served: [String: ServedApp], at now: Instant
    ) async -> ReadLetter? {
        guard let app = served[letter.bundleID] else { return nil }
        do {
            let evidence = try await Evidence.all(in: letter, at: now, verifiedBy: app.setup)
            return ReadLetter(letter: letter, app: app.id, evidence: .success(evidence))
        } catch {
            return ReadLetter(letter: letter, app: app.id, evidence: .failure(error))
        }
    }

    /// Changes everything of a batch together: one commit for all of it. Where the database does
    /// not take it, each by itself, so that one keeps none from being processed.
    private func keep(
        _ letters: [ReadLetter], at now: Instant, under claim: WorkClaim, isLast: Bool
    ) async throws {
        do {
            try await database.write(.together) { session in
                if letters.count > 1 {
                    try PurchaseRow.lock(letters.flatMap(\.purchases), session)
                }
                for letter in letters { try letter.keep(at: now, session) }
                // Last, so that who asks for it meanwhile is answered at once.
                try claim.renew(session)
                if isLast { try claim.release(session) }
            }
        } catch let error as StorageError where error.isOfTheLetter {
            for letter in letters { try await keep(letter, at: now, under: claim) }
            if isLast { await letGo(of: claim) }
        }
    }

    private func keep(
        _ letter: ReadLetter, at now: Instant, under claim: WorkClaim
    ) async throws {
        do {
            try await database.write(.together) { session in
                try letter.keep(at: now, session)
                try claim.renew(session)
            }
        } catch let error as StorageError where error.isOfTheLetter {
            // It would fail again, and hold up all behind it.
            try await database.write(.together) { session in
                try letter.letter.become(.dead, problem: "\(error)", session)
            }
        }
    }
}

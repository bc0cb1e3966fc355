import DueWork
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
        return all.compactMap { evidence in
            evidence.originalTransactionID.map { number in
                PurchaseKey(
                    app: app, environment: evidence.environment, originalTransactionID: number)
            }
        }
    }
}

/// By what a purchase is known.
private struct PurchaseKey: Hashable, Comparable {
    let app: Int64
    let environment: MerchantEnvironment
    let originalTransactionID: String

    static func < (left: PurchaseKey, right: PurchaseKey) -> Bool {
        (left.app, left.environment.rawValue, left.originalTransactionID)
            < (right.app, right.environment.rawValue, right.originalTransactionID)
    }
}

/// That one process at a time works on what waits, of those that share a database, so that what is
/// of one purchase is done in order. A database that is one process's own needs none.
private struct InboxClaim: Sendable {
    private static let claim = Claim("inbox")
    /// How long nobody works after whoever did has died.
    private static let time = Span.seconds(5)

    let holder: String

    func take(_ session: any Session) throws(StorageError) -> Bool {
        guard session.dialect.isShared else { return true }
        return try Self.claim.hold(for: holder, Self.time, in: session)
    }

    func release(_ session: any Session) throws(StorageError) {
        guard session.dialect.isShared else { return }
        try Self.claim.release(by: holder, in: session)
    }
}

/// Another process has taken over what was held up here.
private struct InboxIsTaken: Error {}

// MARK: What waits

extension Merchant {
    /// How many notifications are changed in one transaction.
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
        let claim = InboxClaim(holder: processName)
        while try await isWaiting(in: numbers, upTo: newest) {
            do {
                guard try await takes(claim) else {
                    await SystemTime.wait(.milliseconds(20))
                    try Task.checkCancellation()
                    continue
                }
                try await process(of: served, upTo: newest, under: claim)
            } catch is InboxIsTaken {
                continue
            } catch {
                // Others need not wait for it; where the database is away, the claim ends by
                // itself.
                await letGo(of: claim)
                throw error
            }
        }
    }

    /// - Returns: whether it is this process that works.
    private func takes(_ claim: InboxClaim) async throws -> Bool {
        guard database.dialect.isShared else { return true }
        return try await database.write(.together) { session in try claim.take(session) }
    }

    private func letGo(of claim: InboxClaim) async {
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
        of served: [String: ServedApp], upTo newest: Int64, under claim: InboxClaim
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
                    ORDER BY i.id LIMIT \(Self.batchSize)
                    """
                ).map { row throws(StorageError) in try WaitingLetter(row) }
            }
            // Signatures need a processor and nothing else.
            let letters = try await Parallel.map(waiting, width: Parallel.width) { letter in
                await Self.read(letter, of: served, at: now)
            }
            let isLast = waiting.count < Self.batchSize
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
        _ letters: [ReadLetter], at now: Instant, under claim: InboxClaim, isLast: Bool
    ) async throws {
        do {
            try await database.write(.together) { session in
                try Self.lockPurchases(of: letters, session)
                for letter in letters { try letter.keep(at: now, session) }
                // Last, so that who asks for it meanwhile is answered at once.
                guard try claim.take(session) else { throw InboxIsTaken() }
                if isLast { try claim.release(session) }
            }
        } catch let error as StorageError where error.isOfTheLetter {
            for letter in letters { try await keep(letter, at: now, under: claim) }
            if isLast { await letGo(of: claim) }
        }
    }

    private func keep(
        _ letter: ReadLetter, at now: Instant, under claim: InboxClaim
    ) async throws {
        do {
            try await database.write(.together) { session in
                try letter.keep(at: now, session)
                guard try claim.take(session) else { throw InboxIsTaken() }
            }
        } catch let error as StorageError where error.isOfTheLetter {
            // It would fail again, and hold up all behind it.
            try await database.write(.together) { session in
                try letter.letter.become(.dead, problem: "\(error)", session)
            }
        }
    }

    /// Who changes several purchases locks them all first, in one order, before any account: who
    /// changes one and its account beside that waits for nobody who waits for it.
    private static func lockPurchases(
        of letters: [ReadLetter], _ session: any Session
    ) throws(StorageError) {
        guard session.dialect.isShared, letters.count > 1 else { return }
        for key in Set(letters.flatMap(\.purchases)).sorted() {
            _ = try PurchaseRow.ensure(
                key.originalTransactionID, of: key.app, key.environment, session)
        }
    }
}

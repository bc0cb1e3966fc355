import AppStoreSigning
import AppStoreWire
import MerchantRules
import ServerAPIClient
import Storage
import SubscriptionRules

extension Merchant {
    /// How many lines a rebuild may have.
    public static let mostRebuildLines = 10_000

    /// Begins to ask the store for the customers of a list of transactions, and to take everything:
    /// their whole histories and the statuses of their subscriptions. What was asked for before is
    /// asked for what is newer. It is done by the keeper, of whichever process, and goes on after a
    /// crash.
    ///
    /// - Parameters:
    ///   - lines: at most `mostRebuildLines`. A purchase that nobody owns becomes the account's
    ///     that its line names.
    ///   - environment: whose store is asked; nil for Production, where that is served.
    /// - Throws: `MerchantError`, `StorageError`.
    public func rebuild(
        _ lines: [RebuildLine], of bundleID: String, in environment: MerchantEnvironment? = nil
    ) async throws -> Rebuild {
        let app = try app(bundleID)
        let usual: MerchantEnvironment =
            app.setup.environments.contains(.production) ? .production : .sandbox
        let wanted = environment ?? usual
        let place = lookPlaces().first {
            $0.app.id == app.id && $0.environment == wanted
        }
        guard let place else { throw MerchantError.noServerAPI(bundleID, wanted) }
        precondition(lines.count <= Self.mostRebuildLines, "\(lines.count) lines are too many")
        let now = try await now()
        var row = try await database.write { session in
            try RebuildRow.begin(lines, in: place, at: now, session)
        }
        row.rebuild.bundleID = bundleID
        ringForLooks()
        return row.rebuild
    }

    /// A rebuild.
    ///
    /// - Throws: `MerchantError.unknownRebuild`.
    public func rebuild(_ id: Int64) async throws -> Rebuild {
        let rows = try await database.read { session in
            try RebuildRow.register.records(where: "id = \(id)", session)
        }
        guard let found = named(rows).first else { throw MerchantError.unknownRebuild(id) }
        return found
    }

    /// The rebuilds, the newest first.
    ///
    /// - Parameter before: the number before which they are; nil for the newest.
    public func rebuilds(before: Int64? = nil, limit: Int) async throws -> [Rebuild] {
        let rows = try await database.read { session in
            try RebuildRow.register.records(
                where: "id < \(before ?? Int64.max) ORDER BY id DESC LIMIT \(limit)", session)
        }
        return named(rows)
    }

    /// The lines of a rebuild that brought nothing, in their order.
    ///
    /// - Parameter after: the number after which they are; nil for the first.
    /// - Throws: `MerchantError.unknownRebuild`.
    public func failedLines(
        of rebuild: Int64, after: Int64? = nil, limit: Int
    ) async throws -> [FailedLine] {
        _ = try await self.rebuild(rebuild)
        let rows = try await database.read { session in
            try RebuildLineRow.some(
                of: rebuild, haveFailed: true, after: after ?? 0, limit: limit, session)
        }
        return rows.map { FailedLine(id: $0.id, line: $0.line, problem: $0.problem ?? "") }
    }

    private func named(_ rows: [RebuildRow]) -> [Rebuild] {
        let names = Dictionary(uniqueKeysWithValues: apps.map { ($0.value.id, $0.key) })
        return rows.map { row in
            var rebuild = row.rebuild
            rebuild.bundleID = names[row.app] ?? ""
            return rebuild
        }
    }

    // MARK: Doing it

    /// Goes on with every rebuild that is not done; where another process is at one, that is left
    /// to it.
    ///
    /// - Throws: `StorageError`; what the store answers goes into the reports.
    public func workOnRebuilds() async throws {
        let open = try await database.read { session in
            try RebuildRow.register.records(where: "ended_at IS NULL ORDER BY id", session)
        }
        for row in open {
            let place = lookPlaces().first {
                $0.app.id == row.app && $0.environment == row.rebuild.environment
            }
            guard let place else { continue }
            _ = try await alone("rebuild \(row.rebuild.id)", patience: .zero) { claim in
                try await self.work(on: row.rebuild.id, in: place, under: claim)
            }
        }
    }

    private func work(
        on id: Int64, in place: LookPlace, under claim: WorkClaim
    ) async throws {
        do {
            let client = try client(of: place)
            while true {
                let batch = try await database.write(.together) { session in
                    try claim.renew(session)
                    return try RebuildLineRow.some(
                        of: id, haveFailed: false, after: 0, limit: 40, session)
                }
                guard !batch.isEmpty else { break }
                _ = try await Parallel.map(batch, width: Self.callsAtOnce) { line in
                    try await self.read(line, of: id, in: place, client)
                }
            }
            try await end(id, problem: nil)
        } catch let error as ServerAPIError {
            try await end(id, problem: "the store did not answer: \(error)")
        } catch is WorkIsTaken {
            // Another one goes on with it.
        }
    }

    private func end(_ id: Int64, problem: String?) async throws {
        let now = try await now()
        try await database.write(.together) { session in
            try RebuildRow.end(id, at: now, problem: problem, session)
        }
    }

    /// Reads what the store says of a line's customer, and takes it.
    private func read(
        _ line: RebuildLineRow, of rebuild: Int64, in place: LookPlace, _ client: ServerAPIClient
    ) async throws {
        var taken: Int64 = 0
        var problem: String?
        do {
            taken = try await readHistory(of: line.line, in: place, client)
            let found = try await subscriptions(of: line.line, in: place, client)
            taken += try await keep(found, of: place)
            problem = try await bind(line, in: place)
        } catch let error as ServerAPIError where error.isAboutLine {
            problem = "\(error)" + Self.elsewhere(error, place)
        } catch let error as JWSVerificationError {
            problem = "what the store has sent proves nothing: \(error)"
        } catch let error as StorageError where error.isOfTheLetter {
            // It would fail again, and hold up every line behind it.
            problem = "the signed data cannot be stored: \(error)"
        } catch is HistoryHasNoNext {
            problem = "a page of the history names no next one though there are more"
        }
        let (news, reason) = (taken, problem)
        let now = try await now()
        try await database.write(.together) { session in
            // Another process may have been faster.
            guard try line.end(problem: reason, session) else { return }
            try RebuildRow.count(
                rebuild, taken: news, failed: reason == nil ? 0 : 1, at: now, session)
        }
    }

    /// Where a transaction that the store does not know may be.
    private static func elsewhere(_ error: ServerAPIError, _ place: LookPlace) -> String {
        guard error.isAboutLine, place.environment == .production,
            place.app.setup.environments.contains(.sandbox)
        else { return "" }
        return " Sandbox was not asked: --sandbox (`environment`) asks it."
    }

    /// The statuses of a line's customer; none where the customer has no subscription.
    private func subscriptions(
        of line: RebuildLine, in place: LookPlace, _ client: ServerAPIClient
    ) async throws -> [Evidence] {
        do {
            return try await statuses(of: line.transactionID, in: place, client)
        } catch let error as ServerAPIError where error.status == 404 {
            return []
        }
    }

    /// All pages of the history of a line's customer, from where it was read before. A page, and
    /// where the next one begins, are kept together.
    ///
    /// - Returns: how much of it was news.
    private func readHistory(
        of line: RebuildLine, in place: LookPlace, _ client: ServerAPIClient
    ) async throws -> Int64 {
        var known = try await database.read { session in
            try HistoryPlace.find(line.transactionID, in: place, session)
        }
        var taken: Int64 = 0
        while true {
            var request = TransactionHistoryRequest()
            request.revision = known.revision
            request.sort = .ascending
            let page: HistoryResponse
            do {
                page = try await client.transactionHistory(of: line.transactionID, request)
            } catch {
                guard error.errorCode == 4_000_005, known.revision != nil else { throw error }
                // A revision that the store does not know any more: from the beginning.
                known.revision = nil
                continue
            }
            guard !page.hasMore || page.revision != known.revision else {
                throw HistoryHasNoNext()
            }
            var found: [Evidence] = []
            for text in page.signedTransactions {
                found.append(
                    try await Evidence(
                        answered: text, in: place.environment, verifiedBy: place.app.setup))
            }
            let own = found.first { $0.isAbout(line.transactionID) }
            known.originalTransactionID =
                known.originalTransactionID ?? own?.originalTransactionID
            known.revision = page.revision
            taken += try await keep(found, of: place, upTo: known)
            guard page.hasMore else { return taken }
        }
    }

    /// - Returns: how much of it was news.
    private func keep(
        _ found: [Evidence], of place: LookPlace, upTo history: HistoryPlace? = nil
    ) async throws -> Int64 {
        let now = try await now()
        return try await database.write(.together) { session in
            var taken: Int64 = 0
            try PurchaseRow.lock(found, of: place.app.id, session)
            for evidence in found {
                let purchase = try evidence.keep(of: place.app.id, at: now, session)
                if purchase?.hasChanged == true { taken += 1 }
            }
            try history?.save(session)
            return taken
        }
    }

    /// Gives the purchase of a line to the account that the line names, where nobody has it.
    ///
    /// - Returns: why it does not; nil where it does.
    private func bind(_ line: RebuildLineRow, in place: LookPlace) async throws -> String? {
        let now = try await now()
        return try await database.write(.together) { session -> String? in
            // Read again: the account may have been erased meanwhile.
            guard let account = try line.account(session) else { return nil }
            guard (try? AccountName.check(account)) != nil else {
                return "its account is a name that apps send where nobody is signed in"
            }
            let known = try HistoryPlace.find(line.line.transactionID, in: place, session)
            guard let number = known.originalTransactionID else {
                return "the store's history of the customer does not have this transaction"
            }
            let owner = try AccountRow.ensure(account, of: place.app.id, session)
            var purchase = try PurchaseRow.ensure(
                number, of: place.app.id, place.environment, session)
            if try purchase.holders(session).contains(owner) { return nil }
            guard purchase.account == nil else { return "another account has the purchase" }
            try purchase.bind(to: owner, by: .rebuild, at: now, session)
            return nil
        }
    }
}

extension Evidence {
    /// Whether it is about a transaction, or the purchase that a transaction began.
    fileprivate func isAbout(_ transactionID: String) -> Bool {
        originalTransactionID == transactionID
            || transaction?.facts.transactionID == transactionID
    }
}

extension ServerAPIError {
    /// Whether it is about the transaction of one line, and says nothing of the others.
    fileprivate var isAboutLine: Bool {
        isAboutOne || kind == .unusableRequest || kind == .refused && status == 400
    }
}

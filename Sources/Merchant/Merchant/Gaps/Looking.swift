import AppStoreWire
import ServerAPIClient
import Storage
import SubscriptionRules
import TimeAndChance

/// One environment of an app whose store is asked.
struct LookPlace: Sendable {
    let app: Merchant.ServedApp
    let environment: MerchantEnvironment
    let api: ServerAPI
    /// Where it answers, without a slash at the end.
    let url: String
}

// MARK: One look

extension Merchant {
    /// Each environment of each app whose store can be asked.
    func lookPlaces() -> [LookPlace] {
        var places: [LookPlace] = []
        for (_, app) in apps.sorted(by: { $0.key < $1.key }) {
            guard let api = app.setup.serverAPI else { continue }
            for environment in app.setup.environments.sorted(by: { $0.rawValue < $1.rawValue }) {
                guard let url = api.urls[environment] else { continue }
                places.append(
                    LookPlace(app: app, environment: environment, api: api, url: url))
            }
        }
        return places
    }

    /// Does something with a place while nobody else does the same, of all that share the
    /// database.
    ///
    /// - Parameters:
    ///   - name: of what is done, unique in the database.
    ///   - patience: how long somebody else is waited for.
    /// - Returns: nil where somebody else still does it then.
    func alone<T: Sendable>(
        _ name: String, patience: Duration, _ body: @Sendable (WorkClaim) async throws -> T
    ) async throws -> T? {
        let claim = WorkClaim.look(name, for: Randomness.token("look_"))
        let end = SystemTime.uptime() + patience
        let result: Result<T?, any Error>
        do {
            let isMine = try await takes(claim, until: end)
            result = .success(isMine ? try await body(claim) : nil)
        } catch {
            result = .failure(error)
        }
        // Whoever was stopped lets go all the same; where the database is away, the claim ends by
        // itself.
        let database = self.database
        _ = await Task {
            try await database.write(.together) { session in try claim.release(session) }
        }.result
        return try result.get()
    }

    private func takes(_ claim: WorkClaim, until end: Duration) async throws -> Bool {
        while true {
            let isMine = try await database.write(.together) { session in
                try claim.take(session)
            }
            if isMine { return true }
            guard SystemTime.uptime() < end else { return false }
            await SystemTime.wait(.milliseconds(50))
            try Task.checkCancellation()
        }
    }

    /// Looks once, or goes on with a look that was interrupted and then looks at what came since.
    ///
    /// - Parameter wait: how time passes until a test notification has a result.
    /// - Returns: the report of each look.
    func look(
        _ kind: GapReport.Kind, in place: LookPlace, under claim: WorkClaim,
        since: Instant? = nil, waiting wait: @Sendable (Duration) async -> Void = SystemTime.wait
    ) async throws -> [GapReport] {
        var reports: [GapReport] = []
        while true {
            let now = try await now()
            let last = try await database.read { session in
                try LookRow.all(of: place.app.id, place.environment, session)
            }.first { $0.report.kind == kind }
            var (row, isResumed) = LookPlan.next(
                kind, after: last, since: since, in: place, at: now)
            try await keep(row, under: claim)
            do {
                let client = try client(of: place)
                switch kind {
                case .failures, .history:
                    try await readHistory(&row, in: place, client, under: claim)
                case .statuses:
                    try await askForSubscriptions(&row, in: place, client, under: claim)
                case .test:
                    try await askForTest(
                        &row, in: place, client, under: claim, waiting: wait)
                }
                row.finish(at: try await self.now())
            } catch let error as ServerAPIError {
                // The next look goes on where this one was.
                row.report.problem = "the store did not answer all: \(error)"
                isResumed = false
            } catch is HistoryHasNoNext {
                row.report.problem = "a page of the history names no next one though there are more"
                isResumed = false
            }
            try await keep(row, under: claim)
            reports.append(named(row, isHeld: false))
            if !isResumed || kind == .test { return reports }
        }
    }

    /// Notes how far a look is.
    func keep(_ row: LookRow, under claim: WorkClaim) async throws {
        try await database.write(.together) { session in
            try claim.renew(session)
            try row.save(session)
        }
    }

    /// The report of a row.
    ///
    /// - Parameter isHeld: whether somebody looks now.
    func named(_ row: LookRow, isHeld: Bool) -> GapReport {
        var report = row.report
        report.bundleID = apps.first { $0.value.id == row.app }?.key ?? ""
        if report.ended != nil {
            report.state = .done
        } else {
            report.state = isHeld ? .running : .interrupted
        }
        return report
    }
}

// MARK: Notifications

extension Merchant {
    /// Takes each notification of the store's history, a page at a time: its own dates decide what
    /// it changes, so a late one overwrites nothing (ING-4). A page, and where the next one begins,
    /// are kept together.
    func readHistory(
        _ row: inout LookRow, in place: LookPlace, _ client: ServerAPIClient,
        under claim: WorkClaim
    ) async throws {
        let request = NotificationHistoryRequest(
            startDate: row.report.since.milliseconds, endDate: row.report.until.milliseconds,
            onlyFailures: row.report.kind == .failures ? true : nil)
        while true {
            let page: NotificationHistoryResponse
            do {
                page = try await client.notificationHistory(request, after: row.place)
            } catch {
                guard error.isOfTheToken, row.place != nil else { throw error }
                // The token was good for a while: what it led past is read once more.
                row.place = nil
                row.report.read = 0
                continue
            }
            try await take(page, &row, in: place, under: claim)
            guard page.hasMore else { return }
        }
    }

    private func take(
        _ page: NotificationHistoryResponse, _ row: inout LookRow, in place: LookPlace,
        under claim: WorkClaim
    ) async throws {
        let now = try await now()
        var next = row
        var letters: [Letter] = []
        for item in page.notificationHistory {
            next.report.read += 1
            do {
                letters.append(
                    try await letter(of: item.signedPayload, for: place.app, at: now))
            } catch {
                next.report.problem = "a notification was not taken: \(error)"
            }
        }
        next.report.moved = now
        if page.hasMore {
            // Such a list would never end.
            guard let token = page.paginationToken, token != row.place else {
                throw HistoryHasNoNext()
            }
            next.place = token
        }
        do {
            row = try await keep(letters, next, of: place.app, under: claim)
        } catch let error as StorageError where error.isOfTheLetter {
            // One of them; the others are taken all the same. The token of the next page is stored
            // last, so that a crash in between reads this page again.
            var partial = row
            for letter in letters {
                do {
                    partial = try await keep([letter], partial, of: place.app, under: claim)
                } catch let error as StorageError where error.isOfTheLetter {
                    partial.report.problem = "\(letter.uuid): \(error)"
                }
            }
            next.report.healed = partial.report.healed
            next.report.problem = partial.report.problem ?? next.report.problem
            row = try await keep([], next, of: place.app, under: claim)
        }
        if row.report.healed > 0 { ring() }
    }

    private func keep(
        _ letters: [Letter], _ row: LookRow, of app: ServedApp, under claim: WorkClaim
    ) async throws -> LookRow {
        let accepted = SystemTime.now()
        return try await database.write(.together) { session in
            try claim.renew(session)
            var row = row
            for letter in letters {
                guard try letter.insert(session), letter.problem == nil else { continue }
                row.report.healed += 1
                let body = ResponseBodyV2(signedPayload: letter.body).jsonBytes()
                for one in app.forwarding(body, at: accepted) { try one.insert(session) }
            }
            try row.save(session)
            return row
        }
    }
}

/// A page says that there is a next one, and not where.
struct HistoryHasNoNext: Error {}

extension ServerAPIError {
    /// Whether the token of the next page is not good any more.
    fileprivate var isOfTheToken: Bool {
        errorCode == 4_000_014 || errorCode == 4_000_017
    }

    /// Whether it is about the subscription that was asked for, and says nothing of the others.
    var isAboutOne: Bool {
        kind == .unreadableReply || kind == .refused && status == 404
    }
}

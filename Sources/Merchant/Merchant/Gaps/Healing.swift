import DueWork
import Storage
public import SubscriptionRules
public import TimeAndChance

extension Merchant {
    /// Asks the store what was missed, takes it, and returns when it is processed.
    ///
    /// Every app is asked about in each of its environments: the whole history of notifications
    /// first, then the subscriptions whose period has ended without a word. What is there already
    /// changes nothing, so that it can be done at any time, by any process; where one is at it
    /// already for longer than some seconds, its reports so far are returned.
    ///
    /// - Parameter since: from when notifications are looked at; nil for a day before the end of
    ///   the last look, and all that the store keeps the first time. A look that was interrupted
    ///   goes on first.
    /// - Throws: `StorageError`; what the store answers goes into the reports.
    @discardableResult
    public func heal(since: Instant? = nil) async throws -> [GapReport] {
        try await inEachPlace(patience: Self.patience) { place, claim in
            let history = try await self.look(.history, in: place, under: claim, since: since)
            try await self.settle()
            let statuses = try await self.look(.statuses, in: place, under: claim)
            return history + statuses
        }
    }

    /// Asks the store for a test notification in each environment of each app, and whether it came
    /// in here. It takes up to a minute.
    ///
    /// - Parameter wait: how time passes until the store has a result, replaced in tests.
    /// - Throws: `StorageError`; what the store answers goes into the reports.
    public func test(
        waiting wait: @escaping @Sendable (Duration) async -> Void = SystemTime.wait
    ) async throws -> [GapReport] {
        try await inEachPlace(patience: Self.patience) { place, claim in
            try await self.look(.test, in: place, under: claim, waiting: wait)
        }
    }

    /// Does the looks that are due: hourly at what the store could not deliver and at subscriptions
    /// that should have changed, daily and at the start at the whole history, and a test as often
    /// as the app's configuration says. Where another process looks, nothing is done.
    ///
    /// - Parameter isStart: whether the process has just begun.
    /// - Throws: `StorageError`; what the store answers goes into the reports.
    @discardableResult
    public func lookWhereDue(isStart: Bool = false) async throws -> [GapReport] {
        var reports: [GapReport] = []
        for place in lookPlaces() {
            let found = try await alone(
                WorkClaim.lookName(place.app.id, place.environment), patience: .zero
            ) { claim in
                try await self.lookWhereDue(in: place, under: claim, isStart: isStart)
            }
            reports += found ?? []
        }
        return reports
    }

    private func lookWhereDue(
        in place: LookPlace, under claim: WorkClaim, isStart: Bool
    ) async throws -> [GapReport] {
        let now = try await now()
        let rows = try await database.read { session in
            try LookRow.all(of: place.app.id, place.environment, session)
        }
        let due = LookPlan.due(
            after: rows, isStart: isStart, testInterval: place.app.setup.testInterval, at: now)
        var reports: [GapReport] = []
        for kind in due {
            // What the history has brought may be what nobody had heard of.
            if kind == .statuses { try await settle() }
            reports += try await look(kind, in: place, under: claim)
        }
        return reports
    }

    /// What each kind of look has found, or has found so far, by app, environment and kind.
    public func gaps() async throws -> [GapReport] {
        let (rows, held) = try await database.read { session in
            (
                try LookRow.all(session),
                try Claim.held(byOthersThan: "", in: session)
            )
        }
        let served = Set(apps.values.map(\.id))
        return rows.filter { served.contains($0.app) }.map { row in
            let claim = Claim(WorkClaim.lookName(row.app, row.report.environment))
            return named(row, isHeld: held.contains(claim))
        }
    }

    /// Lets the keeper read the whole history that the store keeps again, as after a loss of
    /// data; `gaps` says how far it is.
    ///
    /// - Returns: how many environments of apps are read: not those in which somebody looks now.
    /// - Throws: `StorageError`.
    public func rereadHistory() async throws -> Int {
        var count = 0
        for place in lookPlaces() {
            let isBegun: Bool? = try await alone(
                WorkClaim.lookName(place.app.id, place.environment), patience: Self.patience
            ) { claim in
                try await self.beginHistory(in: place, under: claim)
                return true
            }
            if isBegun == true { count += 1 }
        }
        ringForLooks()
        return count
    }

    private func beginHistory(in place: LookPlace, under claim: WorkClaim) async throws {
        let now = try await now()
        let last = try await database.read { session in
            try LookRow.all(of: place.app.id, place.environment, session)
        }.first { $0.report.kind == .history }
        let next = LookPlan.next(
            .history, after: last, since: now - LookPlan.depth(of: place.environment), in: place,
            at: now)
        try await keep(next.row, under: claim)
    }

    /// How long somebody who asked waits for who looks already.
    private static let patience = Duration.seconds(10)

    private func inEachPlace(
        patience: Duration,
        _ body: @escaping @Sendable (LookPlace, WorkClaim) async throws -> [GapReport]
    ) async throws -> [GapReport] {
        var reports: [GapReport] = []
        for place in lookPlaces() {
            let found = try await alone(
                WorkClaim.lookName(place.app.id, place.environment), patience: patience
            ) { claim in
                try await body(place, claim)
            }
            if let found {
                reports += found
            } else {
                reports += try await gaps().filter {
                    $0.bundleID == place.app.setup.bundleID && $0.environment == place.environment
                }
            }
        }
        return reports
    }
}

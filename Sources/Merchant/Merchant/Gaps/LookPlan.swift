import SubscriptionRules

/// Which looks are due, and what of the past each has to read.
enum LookPlan {
    /// How far back notifications are kept by the App Store.
    static func depth(of environment: MerchantEnvironment) -> Span {
        switch environment {
        case .production: .days(180)
        case .sandbox: .days(30)
        }
    }

    /// How much earlier than the last look's end the next one begins: what was under way then is
    /// looked at once more.
    static let overlap = Span.days(1)

    /// The looks that are due in one environment of an app, in the order in which they are done.
    ///
    /// - Parameters:
    ///   - isStart: whether the process has just begun: nobody knows what was lost before.
    ///   - testInterval: how often a test notification is asked for; nil for never.
    static func due(
        after rows: [LookRow], isStart: Bool, testInterval: Span?, at now: Instant
    ) -> [GapReport.Kind] {
        let kinds: [GapReport.Kind] = [.history, .failures, .statuses, .test]
        let due = kinds.filter { kind in
            if isStart, kind == .history { return true }
            guard let period = period(of: kind, testInterval) else { return false }
            guard let ended = rows.first(where: { $0.report.kind == kind })?.report.ended
            else { return true }
            let passed = now.since(ended)
            // A clock that stands still, or was moved back, does not say how long ago it was.
            return passed.milliseconds <= 0 || passed >= period
        }
        // The whole history has the failed part in it.
        return due.contains(.history) ? due.filter { $0 != .failures } : due
    }

    /// A little less than an hour and a day, for the keeper asks once an hour.
    private static func period(of kind: GapReport.Kind, _ testInterval: Span?) -> Span? {
        switch kind {
        case .failures, .statuses: .minutes(55)
        case .history: .minutes(23 * 60 + 30)
        case .test:
            testInterval.map { Span(milliseconds: $0.milliseconds - 5 * 60_000) }
        }
    }

    /// The look that is to be done: the last one where that did not come to its end, else a new
    /// one from a day before the end of the last one, the first time of all that the store keeps.
    ///
    /// - Parameter since: from when to look, whatever was looked at before.
    /// - Returns: the look, and whether it is the last one.
    static func next(
        _ kind: GapReport.Kind, after last: LookRow?, since: Instant?, in place: LookPlace,
        at now: Instant
    ) -> (row: LookRow, isResumed: Bool) {
        let unfinished = last.flatMap { $0.report.ended == nil ? $0 : nil }
        let start: Instant
        switch kind {
        case .statuses: start = now - OverduePurchase.patience
        case .test:
            if let unfinished, unfinished.place != nil { return (unfinished, true) }
            start = now
        case .failures, .history:
            let earliest = now - depth(of: place.environment) + .hours(1)
            if since == nil, let unfinished {
                return (resumed(unfinished, from: earliest), true)
            }
            let usual = last?.covered.map { min($0, now) - overlap } ?? earliest
            let wanted = min(since ?? usual, unfinished?.report.since ?? now)
            // The store refuses what is older, and an end that is not after the beginning.
            start = min(max(wanted, earliest), now - .hours(1))
        }
        let report = GapReport(
            bundleID: place.app.setup.bundleID, environment: place.environment, kind: kind,
            since: start, until: now, started: now, moved: now)
        return (
            LookRow(app: place.app.id, report: report, place: nil, covered: last?.covered), false
        )
    }

    /// The same look, where it was.
    private static func resumed(_ last: LookRow, from earliest: Instant) -> LookRow {
        var row = last
        row.report.problem = nil
        if row.report.since < earliest {
            // The store refuses it, and its token is for those dates.
            row.report.since = earliest
            row.report.until = max(row.report.until, earliest + .hours(1))
            row.place = nil
        }
        return row
    }
}

extension LookRow {
    /// It has come to its end.
    mutating func finish(at now: Instant) {
        report.ended = now
        report.moved = now
        place = nil
        // A look at a part that leaves a hole behind it covers nothing.
        let earliest = now - LookPlan.depth(of: report.environment) + .hours(2)
        if report.since <= covered ?? earliest {
            covered = max(covered ?? report.until, report.until)
        }
    }
}

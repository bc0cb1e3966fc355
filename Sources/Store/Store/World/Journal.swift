import DueWork
public import Journal
import Storage
public import SubscriptionRules

/// Something that happened, and to whom.
public struct Happening: Sendable {
    public let entry: TimelineEntry
    /// Whose it was.
    public let account: String
    /// The subscription that it happened to; nil for what happened to none.
    public let subscription: Int64?
}

/// How often something of one kind is due or happened.
public struct KindCount: Sendable, Hashable {
    /// The kind, by its name.
    public let kind: String
    public let count: Int
}

extension Store {
    /// So many are counted at most: a person wants to know of what kind they are, and that there
    /// are many.
    public static let mostCounted = 100_000

    /// What happened to the customers of an environment, newest first.
    ///
    /// - Parameter before: the sequence of the last one of the page before.
    public func happenings(
        in environment: StoreEnvironment, before: Int64?, limit: Int
    ) async throws -> [Happening] {
        try await read { reader in
            try JournalEntry.page(
                in: environment, before: before, limit: limit, reader.session
            ).map { entry, account in
                Happening(
                    entry: TimelineEntry(sequence: entry.sequence, entry.event), account: account,
                    subscription: entry.subscription)
            }
        }
    }

    /// How often each kind of thing happened after an entry of the journal, in both environments.
    ///
    /// - Returns: the newest entry's sequence, and the counts.
    public func happened(
        after sequence: Int64
    ) async throws -> (newest: Int64, counts: [KindCount]) {
        try await read { reader in
            let newest = try JournalEntry.newestSequence(in: reader.session)
            let counts = try JournalEntry.counts(
                after: sequence, most: Self.mostCounted, in: reader.session)
            return (newest, counts.map { KindCount(kind: $0.kind, count: $0.count) })
        }
    }

    /// What falls due until a moment, in both environments: of each subscription what happens to
    /// it first, whatever follows from that.
    ///
    /// - Throws: `StoreError.clock`: `.wouldGoBack`, `.outOfRange`.
    public func due(
        within limit: TimeLimit
    ) async throws -> (until: Instant, counts: [KindCount]) {
        try await read { reader in
            let moment = try limit.end(from: reader.now)
            var counts: [String: Int] = [:]
            for one in try SubscriptionRecord.countDue(
                by: moment, most: Self.mostCounted, in: reader.session)
            {
                counts[DueKind.name(state: one.state, renews: one.renews), default: 0] += one.count
            }
            for (kind, column) in DueColumn.jobsByKind {
                let count = try reader.session.countDue(in: column, by: moment)
                if count > 0 { counts[kind] = count }
            }
            let all = DueKind.names.compactMap { kind in
                counts[kind].map { KindCount(kind: kind, count: $0) }
            }
            return (moment, all)
        }
    }
}

/// What can fall due by itself, by the names that `/connect` has for it.
public enum DueKind {
    /// All of them, in the order of a list.
    public static let names =
        ["renewal", "ending", "retry"] + DueColumn.jobsByKind.map(\.kind)

    fileprivate static func name(state: String, renews: Bool) -> String {
        switch state {
        case "active": renews ? "renewal" : "ending"
        case "awaitingPayment": "answer"
        default: "retry"
        }
    }
}

import Storage
public import SubscriptionRules

/// The merchant's health: what waits, what was given up, and when it was told something last.
public struct MerchantOverview: Hashable, Sendable {
    /// What the merchant's clock shows.
    public let asOf: Instant
    /// How many notifications this process has verified, repetitions too, since it began.
    public let verified: Int64
    /// How many it has refused since then.
    public let refused: Int64
    public let inbox: Inbox
    /// By app and environment.
    public let sources: [Source]

    /// What is in the inbox and beside it.
    public struct Inbox: Hashable, Sendable {
        /// How many notifications wait to be processed.
        public let waiting: Int64
        /// When the oldest of them came.
        public let oldestWaiting: Instant?
        public let deadLetters: Int64
        /// How many purchases no account has claimed.
        public let unownedPurchases: CappedCount
    }

    /// One environment of an app.
    public struct Source: Hashable, Sendable {
        public let bundleID: String
        public let environment: MerchantEnvironment
        /// When the newest notification came that was accepted.
        public let lastNotification: Instant?
        /// Up to when looks for gaps have read: one that the store has refused does not count.
        public let lastGapLook: Instant?
        public let gapProblem: String?
        /// When the first of the certificates ends by which the app's data is verified.
        public let trustEnds: Instant?
    }

    /// For how long the oldest notification has waited.
    public var oldestAge: Span? { inbox.oldestWaiting.map { asOf.since($0) } }
}

extension Merchant {
    /// Its health now: each figure is found by an index.
    public func overview() async throws -> MerchantOverview {
        let now = try await now()
        let gaps = try await gaps()
        let served = apps.sorted { $0.key < $1.key }
        let counts = intakeCounts
        func count(_ outcomes: Set<String>) -> Int64 {
            counts.reduce(0) { outcomes.contains($1.outcome) ? $0 + Int64($1.count) : $0 }
        }
        let (verified, refused) = (count(["kept", "repeated"]), count(["refused"]))
        return try await database.read { session in
            var sources: [MerchantOverview.Source] = []
            for (bundleID, app) in served {
                for environment in MerchantEnvironment.allCases
                where app.setup.environments.contains(environment) {
                    let looks = gaps.filter {
                        $0.bundleID == bundleID && $0.environment == environment
                    }
                    sources.append(
                        MerchantOverview.Source(
                            bundleID: bundleID, environment: environment,
                            lastNotification: try MerchantOverview.newest(
                                of: app.id, in: environment, session),
                            lastGapLook: looks.compactMap(\.readUntil).max(),
                            gapProblem: looks.compactMap(\.problem).first,
                            trustEnds: app.setup.trustEnds))
                }
            }
            return MerchantOverview(
                asOf: now, verified: verified, refused: refused,
                inbox: try MerchantOverview.Inbox(session), sources: sources)
        }
    }
}

extension GapReport {
    /// Up to when it has read notifications; nil where it is about others.
    fileprivate var readUntil: Instant? {
        switch kind {
        case .failures, .history: state == .done ? until : since
        case .statuses, .test: nil
        }
    }
}

extension MerchantOverview {
    fileprivate static func newest(
        of app: Int64, in environment: MerchantEnvironment, _ session: any Session
    ) throws(StorageError) -> Instant? {
        try session.row(
            """
            SELECT received_at FROM inbox
            WHERE app = \(app) AND environment = \(environment.rawValue)
            ORDER BY id DESC LIMIT 1
            """
        )?.instant(0)
    }
}

extension MerchantOverview.Inbox {
    fileprivate init(_ session: any Session) throws(StorageError) {
        func count(_ query: SQL) throws(StorageError) -> Int64 {
            try session.row(query)?.integer(0) ?? 0
        }
        waiting = try count("SELECT COUNT(*) FROM inbox WHERE state = 0")
        oldestWaiting = try session.row(
            "SELECT received_at FROM inbox WHERE state = 0 ORDER BY id LIMIT 1")?.instant(0)
        deadLetters = try count("SELECT COUNT(*) FROM inbox WHERE state = 2")
        unownedPurchases = try CappedCount(of: "purchase WHERE account IS NULL", session)
    }
}

import DueWork
import Outbox
import Storage
public import SubscriptionRules

/// One of the processes that serve a world together (0021).
public struct StoreProcess: Sendable, Hashable {
    /// Random: a process that is started again is another one.
    public let id: String
    /// What its operator knows it by: the machine and the process number.
    public let name: String
    /// Of the program.
    public let version: String
    /// When it joined, by the database's clock.
    public let started: Instant
    /// When it was heard of last, by the database's clock.
    public let seen: Instant
    /// Whether it was heard of so lately that what it holds is its own.
    public let isAlive: Bool
    /// The lanes in which it delivers now.
    public let lanes: [Held]
    /// Whether it is moving the clock now.
    public let movesClock: Bool

    /// A lane that a process has to itself.
    public struct Held: Sendable, Hashable {
        /// The app whose notifications they are.
        public let bundleID: String
        /// Of which environment.
        public let environment: StoreEnvironment
        /// Until when, unless it is heard of before, by the database's clock.
        public let until: Instant
    }

    fileprivate init(_ record: ProcessRecord, _ apps: Apps) {
        id = record.id
        name = record.name
        version = record.version
        started = record.started
        seen = record.seen
        isAlive = record.isAlive
        movesClock = record.claims.contains { $0.claim == .clock }
        lanes = apps.all.flatMap { app in
            StoreEnvironment.allCases.compactMap { environment in
                let claim = Lane(of: app.id, in: environment).claim
                return record.claims.first { $0.claim == claim }.map {
                    Held(bundleID: app.bundleID, environment: environment, until: $0.until)
                }
            }
        }
    }
}

extension Claim {
    /// Who moves the clock has it meanwhile, so that one does so at a time.
    static let clock = Claim("clock")
}

extension Store {
    /// For how long a process that is not heard of keeps what it has, unless it is said.
    public static let usualClaimTime = Span(milliseconds: 15_000)
    /// How long it may be, in seconds: shorter ones would be lost by a process that is merely busy.
    public static let claimSeconds: ClosedRange<Int64> = 1...600

    /// Says that this process is there, and keeps what it has for another while: to be called
    /// several times in each claim time, as the timekeeper does.
    public func beat() async throws {
        try await membership.beat { [self] session in
            let world = try world(session)
            // Changes beside each other do not write it down one by one.
            if session.dialect.isShared, world.clock.mode != .frozen {
                try World.note(time(of: world).now, in: session)
            }
        }
    }

    /// Lets go of everything that this process has, so that others need not wait for it.
    public func leave() async throws { try await membership.leave() }

    /// The processes that serve this world, in the order in which they joined. One that is gone
    /// without leaving is shown for an hour.
    public func processes() async throws -> [StoreProcess] {
        try await read { [membership] reader in
            try ProcessRecord.all(holding: membership.claimTime, in: reader.session)
                .map { StoreProcess($0, reader.apps) }
        }
    }

    /// In how many lanes this process delivers now.
    public var laneCount: Int { membership.claims.count { $0 != .clock } }
}

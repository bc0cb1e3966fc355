public import SubscriptionRules
import Storage
import Synchronization
import TimeAndChance

/// What this process is among those that serve a world together, and what it has to itself.
///
/// What it has is kept in the database until a moment that comes nearer and is put off again and
/// again (`Store.beat`). A process that was held up for so long that others may have taken it over
/// must begin nothing more: it knows by its own stopwatch, whatever the database's clock shows.
final class Membership: Sendable {
    let id: String
    let name: String
    let version: String
    /// For how long something is its own without being heard of.
    let claimTime: Span
    private let stopwatch: @Sendable () -> Duration
    private let deadlines = Mutex<[Lane: Duration]>([:])
    private let sweptEvents = Atomic(0)

    init(
        name: String, version: String, claimTime: Span,
        stopwatch: @escaping @Sendable () -> Duration
    ) {
        precondition(claimTime.milliseconds > 0, "a claim of no time is none")
        id = Randomness.token("process_")
        self.name = name
        self.version = version
        self.claimTime = claimTime
        self.stopwatch = stopwatch
    }

    /// Until when something is its own that it asks for now.
    func deadline() -> Duration { stopwatch() + .milliseconds(claimTime.milliseconds) }

    func hold(_ lane: Lane, until deadline: Duration) {
        deadlines.withLock { $0[lane] = deadline }
    }

    /// All that it has.
    var lanes: [Lane] { deadlines.withLock { Array($0.keys) } }

    /// These were kept for another while, unless they were let go of meanwhile.
    func keep(_ lanes: [Lane], until deadline: Duration) {
        deadlines.withLock { deadlines in
            for lane in lanes where deadlines[lane] != nil { deadlines[lane] = deadline }
        }
    }

    /// Whether it has a lane, be it that it was too late to keep it.
    func has(_ lane: Lane) -> Bool { deadlines.withLock { $0[lane] != nil } }

    func release(_ lane: Lane) { deadlines.withLock { $0[lane] = nil } }

    /// Whether a lane is certainly its own.
    func holds(_ lane: Lane) -> Bool {
        let now = stopwatch()
        return deadlines.withLock { $0[lane].map { now < $0 } ?? false }
    }

    /// How many lanes it delivers in.
    var laneCount: Int {
        let now = stopwatch()
        return deadlines.withLock { $0.count { $0.key != .clock && now < $0.value } }
    }

    /// How many events it has made happen.
    var swept: Int { sweptEvents.load(ordering: .relaxed) }

    func count(_ events: Int) { sweptEvents.add(events, ordering: .relaxed) }
}

extension Store {
    /// For how long a process that is not heard of keeps what it has, unless it is said.
    public static let usualClaimTime = Span(milliseconds: 15_000)
    /// How long it may be, in seconds: shorter ones would be lost by a process that is merely busy.
    public static let claimSeconds: ClosedRange<Int64> = 1...600

    /// Says that this process is there, and keeps what it has for another while: to be called
    /// several times in each claim time, as the timekeeper does.
    public func beat() async throws {
        let (deadline, lanes) = (membership.deadline(), membership.lanes)
        let kept = try await database.write(.together) { [self] session in
            let world = try world(session)
            // Changes beside each other do not write it down one by one.
            if session.dialect.isShared, world.clock.mode != .frozen {
                try World.note(time(of: world).now, in: session)
            }
            try StoreProcess.beat(
                membership.id, name: membership.name, version: membership.version, in: session)
            return try lanes.filter {
                try $0.keep(for: membership.id, membership.claimTime, in: session)
            }
        }
        membership.keep(kept, until: deadline)
    }

    /// Lets go of everything that this process has, so that others need not wait for it.
    public func leave() async throws {
        try await database.write(.together) { [membership] session in
            try StoreProcess.leave(membership.id, in: session)
        }
    }

    /// Takes what only one process has at a time, as soon as it is free.
    func take(_ lane: Lane) async throws {
        while true {
            let deadline = membership.deadline()
            let isMine = try await database.write(.together) { [membership] session in
                try lane.hold(for: membership.id, membership.claimTime, in: session)
            }
            if isMine { return membership.hold(lane, until: deadline) }
            await SystemTime.wait(.milliseconds(20))
            try Task.checkCancellation()
        }
    }

    /// Lets go of a lane in which nothing is under way any more.
    func release(_ lane: Lane) async throws {
        membership.release(lane)
        try await database.write(.together) { [membership] session in
            try lane.release(by: membership.id, in: session)
        }
    }

    /// The processes that serve this world, in the order in which they joined. One that is gone
    /// without leaving is shown for an hour.
    public func processes() async throws -> [StoreProcess] {
        try await read { [membership] reader in
            try StoreProcess.all(
                holding: membership.claimTime, apps: reader.apps, in: reader.session)
        }
    }

    /// In how many lanes this process delivers now.
    public var laneCount: Int { membership.laneCount }
}

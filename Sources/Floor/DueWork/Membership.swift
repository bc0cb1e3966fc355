package import Storage
package import SubscriptionRules
import Synchronization
import TimeAndChance

/// What this process is among those that share a database, and what it has to itself.
///
/// What it has is kept in the database until a moment that comes nearer and is put off again and
/// again (`beat`). A process that was held up for so long that others may have taken it over must
/// begin nothing more: it knows by its own stopwatch, whatever the database's clock shows.
package final class Membership: Sendable {
    package let id: String
    package let name: String
    package let version: String
    /// For how long something is its own without being heard of.
    package let claimTime: Span
    private let database: any Database
    private let stopwatch: @Sendable () -> Duration
    private let deadlines = Mutex<[Claim: Duration]>([:])
    private let workDone = Atomic(0)

    /// - Parameters:
    ///   - database: that the processes share.
    ///   - name: what its operator knows this process by.
    ///   - version: of the program.
    ///   - claimTime: how long this process keeps what it has without being heard of.
    ///   - stopwatch: never goes back; replaced in tests.
    package init(
        in database: any Database, name: String, version: String, claimTime: Span,
        stopwatch: @escaping @Sendable () -> Duration
    ) {
        precondition(claimTime.milliseconds > 0, "a claim of no time is none")
        id = Randomness.token("process_")
        self.database = database
        self.name = name
        self.version = version
        self.claimTime = claimTime
        self.stopwatch = stopwatch
    }

    // MARK: Being there

    /// Says that this process is there, and keeps what it has for another while: to be called
    /// several times in each claim time.
    ///
    /// - Parameter note: what else is written on the occasion.
    package func beat(
        also note: @escaping @Sendable (any Session) throws -> Void = { _ in }
    ) async throws {
        let (deadline, claims) = (deadline(), deadlines.withLock { Array($0.keys) })
        let kept = try await database.write(.together) { [self] session in
            try note(session)
            try ProcessRecord.beat(self, in: session)
            return try claims.filter { try $0.keep(for: id, claimTime, in: session) }
        }
        deadlines.withLock { deadlines in
            // Unless they were let go of meanwhile.
            for claim in kept where deadlines[claim] != nil { deadlines[claim] = deadline }
        }
    }

    /// Lets go of everything that this process has, so that others need not wait for it.
    package func leave() async throws {
        try await database.write(.together) { [id] session in
            try ProcessRecord.leave(id, in: session)
        }
    }

    // MARK: Having something to itself

    /// Until when something is its own that it asks for now.
    package func deadline() -> Duration { stopwatch() + .milliseconds(claimTime.milliseconds) }

    /// It has a claim since a transaction that was committed.
    package func hold(_ claim: Claim, until deadline: Duration) {
        deadlines.withLock { $0[claim] = deadline }
    }

    /// Whether it has a claim, be it that it was too late to keep it.
    package func has(_ claim: Claim) -> Bool { deadlines.withLock { $0[claim] != nil } }

    /// Whether a claim is certainly its own.
    package func holds(_ claim: Claim) -> Bool {
        let now = stopwatch()
        return deadlines.withLock { $0[claim].map { now < $0 } ?? false }
    }

    /// What is certainly its own.
    package var claims: [Claim] {
        let now = stopwatch()
        return deadlines.withLock { $0.filter { now < $0.value }.map(\.key) }
    }

    /// It lets go of a claim in a transaction that is about to be made.
    package func forget(_ claim: Claim) { deadlines.withLock { $0[claim] = nil } }

    /// Lets go of a claim.
    package func release(_ claim: Claim) async throws {
        forget(claim)
        try await database.write(.together) { [id] session in
            try claim.release(by: id, in: session)
        }
    }

    /// How long it waits before it asks again for what another process has.
    private static let pause = Duration.milliseconds(20)

    /// Does something while no other process has a claim. Those of one process who may ask for the
    /// same take turns before.
    ///
    /// - Parameter patience: how long it is waited for; nil for as long as it takes.
    /// - Throws: `ClaimIsTaken` when that is over, and whatever the body throws.
    package func holding<T: Sendable>(
        _ claim: Claim, patience: Duration? = nil, _ body: @Sendable () async throws -> T
    ) async throws -> T {
        try await take(claim, until: patience.map { SystemTime.uptime() + $0 })
        let result: Result<T, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        // Whoever was stopped lets go all the same; where the database is away, the claim ends by
        // itself.
        let released = await Task { try await release(claim) }.result
        let value = try result.get()
        try released.get()
        return value
    }

    private func take(_ claim: Claim, until end: Duration?) async throws {
        while true {
            let deadline = deadline()
            let isMine = try await database.write(.together) { [id, claimTime] session in
                try claim.hold(for: id, claimTime, in: session)
            }
            if isMine { return hold(claim, until: deadline) }
            if let end, SystemTime.uptime() >= end { throw ClaimIsTaken() }
            await SystemTime.wait(Self.pause)
            try Task.checkCancellation()
        }
    }

    // MARK: What it has done

    /// How much it has done, in the unit of whoever counts.
    package var done: Int { workDone.load(ordering: .relaxed) }

    /// Counts what it has done for itself.
    package func count(_ done: Int) { workDone.add(done, ordering: .relaxed) }

    /// Counts it for others, in the change that did.
    package func count(_ done: Int, in session: any Session) throws(StorageError) {
        try ProcessRecord.count(done, for: self, in: session)
    }
}

/// Another process has had a claim for longer than was waited.
package struct ClaimIsTaken: Error {}

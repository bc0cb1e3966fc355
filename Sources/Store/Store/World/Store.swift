public import AppStoreSigning
public import DueWork
public import Logging
public import Outbox
public import Storage
public import SubscriptionRules
import Synchronization
public import TimeAndChance

/// The store: one world with one clock, in one database.
///
/// Commands and queries are its extensions, one file each in the room of their subject.
public final class Store: Sendable {
    let database: any Database
    let signer: JWSSigner
    private let machineTime: @Sendable () -> Instant
    private let heedsDatabaseClock: Bool
    /// How far the clock that counts is ahead of the machine's.
    private let ahead = Mutex(Span(milliseconds: 0))
    let log: Logger
    /// Everybody who moves time forward takes turns here, so that things happen in order.
    let turn = AsyncTurn()
    let courier: Courier
    /// How many notifications of one lane are under way at once.
    let deliveriesAtOnce: Int
    /// A developer's server that is slow holds up what goes to itself, no other lane, and never
    /// what is due.
    let laneTurns = LaneTurns()
    /// The bank outside of the database that collects Production's bills; nil for the built-in one,
    /// and always in a fork, which must move nobody's money.
    let bank: (any Bank)?
    /// How long a customer's request waits for it.
    let bankPatience: Duration
    /// Who writes to customers; nil for nobody.
    let mailroom: Mailroom?
    /// When the bank's list of changes was read last, by the machine's clock.
    let changesRead = Mutex<Instant?>(nil)
    let membership: Membership
    let pace: Pace
    let callFaults = CallFaults()
    let updateWatch = UpdateWatch()
    let receipts: ReceiptAuthority
    let smallBusiness = SmallBusinessWatch()
    let unsent = UnsentWatch()
    /// Whether the world is a copy of another one, served to try things in.
    let isFork: Bool
    let setAside: SetAside
    /// Everybody who copies the world, or puts a copy in its place, takes turns here.
    let copying = CopyTurn()
    private let rewinds = RewindWatch()
    private let holds: HoldWatch
    private let cachedApps = Mutex<(version: Int64, apps: Apps)>((0, Apps([])))
    /// The world as it was last seen, for those who must not wait for the database.
    private let lastSeen = Mutex<(world: World, nextEvent: Instant?)?>(nil)

    /// Opens the store in a database, which is brought up to date first. A new database becomes a
    /// world with this clock; an old one keeps its own.
    ///
    /// - Parameters:
    ///   - signer: signs everything that leaves the store.
    ///   - deliveriesAtOnce: how many notifications of one app in one environment are under way at
    ///     once, 1 to 1000; those of one subscription go out one after the other anyway.
    ///   - bank: collects the bills of Production; without one the built-in bank does, as it does
    ///     in Sandbox, where nothing is ever really paid.
    ///   - bankPatience: how long a customer's request waits for that bank's answer before it is
    ///     answered that the payment is pending.
    ///   - mailroom: who writes to customers; nil for nobody.
    ///   - receiptChain: the certificates for receipts, asked for when the first one is needed; new
    ///     ones of this process unless given.
    ///   - machineTime: the machine's clock, replaced in tests.
    ///   - heedsDatabaseClock: whether the clock of a database that several machines share counts
    ///     and not the machine's, so that those of the machines may differ.
    ///   - seed: what identifiers of notifications are derived from, in a new world.
    ///   - ownership: under which certificates the world is signed, where that is to be checked.
    ///   - processName: what the operator knows this process by, of those that serve the world.
    ///   - version: of the program.
    ///   - claimTime: how long this process keeps what it has to itself without being heard of.
    ///   - batchSize: how many subscriptions one transaction takes up at most where work is about
    ///     many; at least 1.
    ///   - stopwatch: measures how long that takes, so that it becomes fewer where others would
    ///     wait long; replaced in tests.
    /// - Throws: `WorldIsForeign` and `WorldIsMissing` for what `ownership` does not allow.
    public init(
        database: any Database, signer: JWSSigner, clock: StoreClock, seed: String,
        post: any Post, deliveriesAtOnce: Int = Store.usualDeliveriesAtOnce,
        bank: (any Bank)? = nil,
        bankPatience: Duration = .seconds(5), mailroom: Mailroom? = nil,
        receiptChain: @escaping @Sendable () throws -> ReceiptChain = Store.newReceiptChain,
        machineTime: @escaping @Sendable () -> Instant,
        heedsDatabaseClock: Bool = false,
        log: Logger, ownership: WorldOwnership? = nil, processName: String = "store",
        version: String = "", claimTime: Span = Store.usualClaimTime, batchSize: Int = 1000,
        stopwatch: @escaping @Sendable () -> Duration = SystemTime.uptime
    ) async throws {
        precondition(batchSize > 0, "batches of nothing never end")
        precondition(
            Store.deliveriesAtOnceRange.contains(deliveriesAtOnce),
            "\(deliveriesAtOnce) notifications at once are not 1 to 1000")
        pace = Pace(most: batchSize, stopwatch: stopwatch)
        membership = Membership(
            in: database, name: processName, version: version, claimTime: claimTime,
            stopwatch: stopwatch)
        receipts = ReceiptAuthority(chain: receiptChain)
        self.database = database
        self.signer = signer
        self.machineTime = machineTime
        self.heedsDatabaseClock = heedsDatabaseClock
        self.log = log
        setAside = SetAside(log: log, remedy: "see `perennial world check`")
        holds = HoldWatch(log: log)
        courier = Courier(post: post, signer: signer)
        self.deliveriesAtOnce = deliveriesAtOnce
        self.bankPatience = bankPatience
        try await database.migrate(Schema.migrations)
        let isFork = try await database.write { session in
            if try World(session) == nil {
                if ownership?.mustExist == true { throw WorldIsMissing() }
                try World.create(session, clock: clock, seed: seed)
            }
            try ownership?.check(in: session)
            // A file has one process, so whatever is held in it was held by one that is gone.
            if !session.dialect.isShared { try Claim.releaseAll(in: session) }
            return try CopyStanding(of: session).isFork
        }
        self.isFork = isFork
        self.bank = isFork ? nil : bank
        self.mailroom = isFork ? mailroom?.withoutRelay : mailroom
        try await refreshCallFaults()
        _ = try await clockReading()
    }

    /// Certificates for receipts that are good as long as the clock goes. It takes some tenths of a
    /// second.
    @Sendable public static func newReceiptChain() throws -> ReceiptChain {
        try ReceiptChain.make(
            notBefore: Instant.earliest.milliseconds, notAfter: Instant.latest.milliseconds)
    }

    /// How many notifications of one app in one environment may be under way at once.
    public static let deliveriesAtOnceRange = 1...1000
    /// How many they are unless it is said.
    public static let usualDeliveriesAtOnce = 32

    /// The damaged rows that due work passes over since the process began.
    public var rowsSetAside: [DamagedRow] { setAside.rows }

    /// Runs a change at one moment: reads the clock once, does the work, writes what it staged.
    ///
    /// - Parameters:
    ///   - scope: what it is about.
    ///   - isPiece: whether it is a piece of work about many, which makes way for others.
    func write<T: Sendable>(
        about scope: Scope = .everything, isPiece: Bool = false,
        _ body: @escaping @Sendable (UnitOfWork) throws -> T
    ) async throws -> T {
        if !isPiece { pace.makeWay() }
        let isRehearsed = Rehearsal.isUnderWay
        var scope = scope
        while true {
            do {
                let (result, version, apps, world) = try await database.write(scope.company) {
                    [self, scope] session in
                    let work = try UnitOfWork(store: self, session: session, about: scope)
                    let version = work.settingsVersion
                    work.keepsRecords = isRehearsed
                    let result = try body(work)
                    try work.finish()
                    if isRehearsed { throw Rehearsed(entries: work.records) }
                    return (result, version, work.apps, work.world)
                }
                keep(apps, version: version)
                see(world)
                return result
            } catch is NeedsToBeAlone {
                scope = .everything
            } catch is PriceIsDue {
                try await Rehearsal.$isUnderWay.withValue(false) {
                    try await write { try $0.goLive() }
                }
            } catch let damage as Damage {
                // Done again, it is passed over; where it cannot be, that is the answer.
                guard setAside.add(damage.row) else {
                    throw StorageError(.corrupt, damage.row.reason)
                }
            }
        }
    }

    /// Runs queries at one moment.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (StoreReader) throws -> T
    ) async throws -> T {
        try await database.read { [self] session in
            let world = try self.world(session)
            let apps = try self.apps(version: world.settingsVersion, session)
            keep(apps, version: world.settingsVersion)
            return try body(StoreReader(session: session, now: time(of: world).now, apps: apps))
        }
    }

    /// Keeps the apps as a transaction found them that was committed, or only read.
    private func keep(_ apps: Apps, version: Int64) {
        cachedApps.withLock { cached in
            if cached.version < version { cached = (version, apps) }
        }
    }

    /// Keeps a world as it was seen, and when something happens next where that was asked.
    func see(_ world: World, nextEvent: Instant?? = nil) {
        lastSeen.withLock { seen in
            let nextEvent = nextEvent ?? seen?.nextEvent
            // Who comes late with what was seen before does not put it back.
            if let seen, seen.world.nextNumber > world.nextNumber { return }
            seen = (world, nextEvent)
        }
    }

    /// The world as it was last seen.
    var lastWorld: (world: World, nextEvent: Instant?)? { lastSeen.withLock { $0 } }

    /// Whether a failure is that of a row or a file that is damaged: it does not pass.
    public static func isDamage(_ error: any Error) -> Bool {
        (error as? StorageError)?.code == .corrupt
    }

    /// What a world shows now.
    func time(of world: World) -> WorldTime {
        let time = world.time(machine: machineNow)
        holds.see(time)
        return time
    }

    /// The machine's clock, or the database's if that one counts.
    var machineNow: Instant { machineTime() + ahead.withLock { $0 } }

    /// - Parameter draws: whether its next number is the first one of a block that is drawn.
    func world(_ session: any Session, drawingNumbers draws: Bool = false) throws -> World {
        guard let world = try World(session, drawingNumbers: draws) else {
            throw StorageError(.corrupt, "the world's row is missing")
        }
        if heedsDatabaseClock, let theirs = world.databaseTime {
            let mine = machineTime()
            ahead.withLock { $0 = theirs.since(mine) }
        }
        return world
    }

    /// The apps, from memory unless one of them or a catalogue has changed.
    func apps(version: Int64, _ session: any Session) throws -> Apps {
        let cached = cachedApps.withLock { $0 }
        guard cached.version != version else { return cached.apps }
        // Putting the world back changes the version too.
        if rewinds.see(try CopyStanding(of: session).rewinds) { forgetRows() }
        return Apps(try App.all(in: session))
    }
}

/// A price has its moment before what a command would make happen: it goes live before anything
/// that a customer does.
struct PriceIsDue: Error {}

/// What a query sees: one snapshot at one moment.
struct StoreReader {
    let session: any Session
    let now: Instant
    let apps: Apps
}

/// All apps of the world.
final class Apps: Sendable {
    let all: [App]

    /// The Apple id of a new app for which none is given: the one after the highest.
    var nextAppleID: Int64 {
        let taken = Set(all.map(\.appleID))
        var number = taken.max().flatMap { $0 < .max ? $0 + 1 : nil } ?? App.firstAppleID
        while taken.contains(number) { number += 1 }
        return number
    }
    private let byID: [Int64: App]
    private let byBundleID: [ExactText: App]

    init(_ apps: [App]) {
        all = apps
        byID = Dictionary(apps.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        byBundleID = Dictionary(
            apps.map { (ExactText($0.bundleID), $0) }, uniquingKeysWith: { one, _ in one })
    }

    /// The app that a stored row names; throws `corrupt` when there is none.
    subscript(_ id: Int64) -> App {
        get throws(StorageError) {
            guard let app = byID[id] else {
                throw StorageError(.corrupt, "a row names app \(id), which is missing")
            }
            return app
        }
    }

    func find(bundleID: String) throws(StoreError) -> App {
        guard let app = byBundleID[ExactText(bundleID)] else { throw .unknown(.app, bundleID) }
        return app
    }
}

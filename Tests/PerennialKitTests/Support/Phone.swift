import AppStoreSigning
import AppStoreWire
import Foundation
import Synchronization
import Testing

@testable import PerennialKit

/// A device of a test, with a folder of its own and the fake store behind it.
final class Phone: Sendable {
    let store: FakeStore
    let folder: URL
    let clock = TestClock()
    let problems = Mutex<[StoreKitError]>([])
    let name: String
    /// Every device draws other numbers.
    let chance: CountingChance

    init(_ store: FakeStore, name: String = "phone") throws {
        self.store = store
        self.name = name
        let number = Phone.next()
        chance = CountingChance(from: UInt64(number) << 32)
        folder = FileManager.default.temporaryDirectory.appending(
            path: "perennial-kit-\(ProcessInfo.processInfo.processIdentifier)-\(number)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let count = Atomic(0)
    private static func next() -> Int { count.add(1, ordering: .relaxed).newValue }

    /// How many problems listeners told of.
    var problemCount: Int { problems.withLock { $0.count } }

    var stateFile: String { folder.appending(path: "state.json").path }

    func configuration(
        bundleID: String = FakeStore.bundleID,
        environment: AppStore.Environment = .sandbox,
        roots: [[UInt8]] = [FakeStore.chain.rootDER], transport: (any StoreTransport)? = nil
    ) -> StoreConfiguration {
        var configuration = StoreConfiguration(
            url: "http://127.0.0.1:9", bundleID: bundleID, environment: environment,
            rootCertificates: roots, device: name, stateFile: stateFile, locale: "en_US",
            transport: transport ?? store, clock: clock, chance: chance)
        // The session keeps the device, so that its folder is there for as long.
        configuration.reportProblem = { [self] problem in
            problems.withLock { $0.append(problem) }
        }
        return configuration
    }

    /// The app is started: a session on what this device has kept.
    func start(
        _ adjust: (inout StoreConfiguration) -> Void = { _ in }
    ) throws -> StoreSession {
        var configuration = configuration()
        adjust(&configuration)
        return try StoreSession(configuration: configuration)
    }

    /// The app is started, and a customer signs in.
    func signedIn(
        as account: String = "ada", _ adjust: (inout StoreConfiguration) -> Void = { _ in }
    ) async throws -> StoreSession {
        let session = try start(adjust)
        try await session.signIn(account: account)
        return session
    }

    /// The process is gone, and what it had kept is on the device: nothing of the old session is
    /// asked to end.
    func crash(_ session: StoreSession) throws -> Phone {
        let other = try Phone(store, name: name)
        if FileManager.default.fileExists(atPath: stateFile) {
            try FileManager.default.copyItem(atPath: stateFile, toPath: other.stateFile)
        }
        return other
    }

    /// Whether anything is kept on it.
    var wasEverUsed: Bool { FileManager.default.fileExists(atPath: stateFile) }

    func state() throws -> JSONValue {
        try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: stateFile))))
    }

    /// What is kept of an account.
    func kept(_ name: String, of account: String = "ada") throws -> [JSONValue] {
        try state()["accounts"]?[account]?[name]?.array ?? []
    }
}

/// A clock that a test sets; waits are over at once, and are remembered.
final class TestClock: StoreClock {
    private let state = Mutex<(now: Int64, waits: [Duration])>((1_000_000, []))

    var now: Int64 { state.withLock { $0.now } }
    var waits: [Duration] { state.withLock { $0.waits } }

    func advance(by milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

    func wait(_ duration: Duration) async throws {
        state.withLock { state in
            state.waits.append(duration)
            state.now += duration.components.seconds * 1000
        }
        await Task.yield()
        try Task.checkCancellation()
    }
}

/// Chance that counts: every key is another, every run is the same.
final class CountingChance: StoreChance {
    private let count: Atomic<UInt64>

    init(from first: UInt64 = 0) { count = Atomic(first) }

    func next() -> UInt64 { count.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue }
}

/// Holds an answer back: a test sees that it is there, and lets it go.
final class Opening: Sendable {
    private let arrived = Bell()
    private let open = Bell()

    func arrive() { arrived.ring() }
    func opened() async { await open.next(after: 0) }
    func release() { open.ring() }
    /// Waits until an answer is held back.
    func hasArrived() async { await arrived.next(after: 0) }
}

/// What a listener heard, which a test takes one by one.
final class Listening: Sendable {
    private let bell = Bell()
    private let box: Box
    private let task: Task<Void, Never>

    init(_ session: StoreSession, finishes: Bool = false) {
        let box = Box()
        let bell = bell
        // It hears from here on, not from whenever its task begins.
        let updates = Transaction.updates(in: session).makeAsyncIterator()
        task = Task {
            var updates = updates
            while let update = await updates.next() {
                // Whoever waits for it waits for its finish too.
                if finishes { try? await update.unsafePayloadValue.finish() }
                box.append(update)
                bell.ring()
            }
            box.end()
            bell.ring()
        }
        self.box = box
    }

    private final class Box: Sendable {
        let state = Mutex<(all: [VerificationResult<Transaction>], isOver: Bool)>(([], false))
        func append(_ update: VerificationResult<Transaction>) {
            state.withLock { $0.all.append(update) }
        }
        func end() { state.withLock { $0.isOver = true } }
    }

    deinit { task.cancel() }

    var all: [VerificationResult<Transaction>] { box.state.withLock { $0.all } }
    var ids: [UInt64] { all.map { $0.unsafePayloadValue.id } }

    /// Waits until so many were heard in all.
    func atLeast(_ count: Int) async -> [VerificationResult<Transaction>] {
        while true {
            let rung = bell.count
            let (all, isOver) = box.state.withLock { ($0.all, $0.isOver) }
            if all.count >= count || isOver || Task.isCancelled { return all }
            await bell.next(after: rung)
        }
    }

    func stop() { task.cancel() }
}

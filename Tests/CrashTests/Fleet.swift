import AppStoreWire
import Foundation
import Storage
import Synchronization
import TestFloor
import TestSupport

/// Several processes on one database, each with a copy of the data directory of the first one.
final class Fleet: Sendable {
    let database: any Database
    let databaseURL: String
    private let folder: URL
    private let steps: Steps
    private let log: FileHandle
    private let state: Mutex<State>

    private struct State {
        var processes: [StoreProcess?]
        var random: SeededGenerator
        var killed: Set<Int32> = []
        var repeated = 0
    }

    /// What became of the processes and of what they were asked.
    struct Account {
        /// The numbers of those that were killed.
        var killed: Set<Int32>
        /// How many requests were sent again since a process was killed, or the database was late.
        var repeated: Int
    }

    /// How long a process keeps what it has without being heard of, in seconds.
    static let claimTime = 2

    /// Makes a world in a fresh schema, and starts all processes.
    init(
        _ folder: Folder, _ plan: KillPlan, notify: String, steps: Steps
    ) async throws {
        (databaseURL, database) = try await Backend.makeServed()
        self.folder = folder.url
        self.steps = steps
        let file = folder.url.appendingPathComponent("log")
        try Data().write(to: file)
        log = try FileHandle(forWritingTo: file)
        state = Mutex(
            State(
                processes: Array(repeating: nil, count: plan.processes),
                random: SeededGenerator(seed: plan.seed)))
        try await start(0, catalogue: folder.catalogue, notify: notify)
        for number in 1..<plan.processes {
            let home = home(number)
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: data(0), to: data(number))
            for file in ["lock", "ready.json"] {
                try FileManager.default.removeItem(at: data(number).appendingPathComponent(file))
            }
            try await start(number)
        }
    }

    var account: Account {
        state.withLock { Account(killed: $0.killed, repeated: $0.repeated) }
    }

    /// What the processes complained of, line by line.
    var complaints: [Substring] {
        let file = folder.appendingPathComponent("log")
        return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
    }

    private func home(_ number: Int) -> URL { folder.appendingPathComponent("process-\(number)") }

    /// The data directory of a process.
    func data(_ number: Int) -> URL { home(number).appendingPathComponent("data") }

    private func start(
        _ number: Int, catalogue: URL? = nil, notify: String? = nil
    ) async throws {
        let process = try await StoreProcess(
            folder: home(number), catalogue: catalogue, notify: notify,
            options: ["--database-url", databaseURL, "--claim-time", "\(Self.claimTime)"],
            complaint: log.fileDescriptor)
        state.withLock { $0.processes[number] = process }
    }

    /// Kills a process and starts it again.
    ///
    /// - Parameter number: which one; nil for the one that delivers now.
    func kill(_ number: Int?) async throws {
        let deliverer = try await deliverer()
        let victim = state.withLock { state in
            let number =
                number ?? state.processes.firstIndex { $0?.id == deliverer }
                ?? Int(state.random.next() % UInt64(state.processes.count))
            guard let process = state.processes[number] else {
                preconditionFailure("process \(number) is not there")
            }
            state.killed.insert(process.id)
            return (number, process)
        }
        victim.1.kill()
        state.withLock { $0.processes[victim.0] = nil }
        try await start(victim.0)
    }

    /// The number of the process that delivers notifications now.
    private func deliverer() async throws -> Int32? {
        let row = try await database.read { session in
            try session.row(
                """
                SELECT p.name FROM claim c JOIN process p ON p.id = c.process
                WHERE c.name LIKE 'notification %'
                ORDER BY c.held_until DESC
                """)
        }
        return try row?.text(0).split(separator: ":").last.flatMap { Int32($0) }
    }

    /// Asks any process, and another one whenever one is killed meanwhile.
    ///
    /// - Parameters:
    ///   - key: makes a purchase that is repeated find what the first one bought.
    ///   - done: what is answered to a repeated request that was carried out the first time.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: String? = nil,
        as credential: StoreProcess.Credential, key: String? = nil, done: Set<String> = []
    ) async throws -> JSONValue {
        var isRepeated = false
        var postponed = 0
        while true {
            let process = state.withLock { state in
                let running = state.processes.compactMap { $0 }
                return running[Int(state.random.next() % UInt64(running.count))]
            }
            do {
                let answer = try await process.send(method, path, body, as: credential, key: key)
                steps.step()
                return answer
            } catch let refusal as StoreProcess.Refusal where refusal.status == 503 {
                // On a machine that is busy with other tests even a well database is late at times.
                // Where it did not answer it may have happened, as where a process is killed.
                postponed += 1
                guard postponed < 20 else { throw refusal }
                if refusal.code == "databaseUnavailable" { isRepeated = true }
                state.withLock { $0.repeated += 1 }
            } catch let refusal as StoreProcess.Refusal {
                guard isRepeated, let code = refusal.code, done.contains(code) else {
                    throw refusal
                }
                steps.step()
                return .null
            } catch {
                // Nothing but its end breaks off what a process was asked.
                guard process.isKilled else { throw error }
                isRepeated = true
                state.withLock { $0.repeated += 1 }
            }
        }
    }

    /// Ends all processes in order.
    ///
    /// - Returns: the codes with which they ended.
    func end() -> [Int32] {
        let processes = state.withLock { state in
            defer { state.processes = [] }
            return state.processes.compactMap { $0 }
        }
        return processes.map { $0.end() }
    }
}

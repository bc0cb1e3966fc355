import AppStoreSigning
import Foundation
import Storage
import StorageSQLite
import Synchronization
import TestFloor
import TestSupport

/// Several merchants on one database, or one on a file, each with a data directory of its own.
final class MerchantFleet: Sendable {
    private let folder: URL
    private let databaseURL: String?
    /// Nil where a file is served.
    private let served: (any Database)?
    private let log: FileHandle
    private let state: Mutex<State>

    private struct State {
        var processes: [MerchantProcess?]
        var random: SeededGenerator
        var killed = 0
        var repeated = 0
    }

    /// Starts so many processes on an empty database.
    init(
        _ backend: Backend, processes: Int, seed: UInt64, in folder: URL
    ) async throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(World.chain.rootDER).write(to: folder.appendingPathComponent("root.der"))
        try Data(
            """
            apps:
            - bundleId: \(World.bundleID)
              appleId: \(World.appleID)
              roots: [root.der]

            """.utf8
        ).write(to: folder.appendingPathComponent("merchant.yaml"))
        let file = folder.appendingPathComponent("log")
        try Data().write(to: file)
        log = try FileHandle(forWritingTo: file)
        switch backend {
        case .sqlite:
            databaseURL = nil
            served = nil
        case .postgres:
            let made = try await Backend.makeServed()
            databaseURL = made.url
            served = made.database
        }
        state = Mutex(
            State(
                processes: Array(repeating: nil, count: processes),
                random: SeededGenerator(seed: seed)))
        for number in 0..<processes { try await start(number) }
    }

    /// How many were killed.
    var killed: Int { state.withLock { $0.killed } }
    /// How many texts were sent again since a process was killed, or the database was late.
    var repeated: Int { state.withLock { $0.repeated } }

    /// What the processes complained of, line by line.
    var complaints: [Substring] {
        let file = folder.appendingPathComponent("log")
        return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n")
    }

    /// A way into the database beside the processes.
    func openDatabase() throws -> any Database {
        if let served { return served }
        return try SQLiteDatabase(path: home(0).appendingPathComponent("merchant.sqlite").path)
    }

    private func home(_ number: Int) -> URL { folder.appendingPathComponent("merchant-\(number)") }

    private func start(_ number: Int) async throws {
        let process = try await MerchantProcess(
            home: home(number), configuration: folder.appendingPathComponent("merchant.yaml"),
            databaseURL: databaseURL, complaint: log.fileDescriptor)
        state.withLock { $0.processes[number] = process }
    }

    /// Kills a process and starts it again.
    func kill(_ number: Int) async throws {
        let victim = state.withLock { state in
            guard let process = state.processes[number] else {
                preconditionFailure("merchant \(number) is not there")
            }
            return process
        }
        victim.kill()
        state.withLock { state in
            state.processes[number] = nil
            state.killed += 1
        }
        try await start(number)
    }

    /// Posts a text to any process, and again until one answers 200, as the App Store does.
    func take(_ letter: MerchantLetter) async throws {
        var postponed = 0
        while true {
            let process = state.withLock { state -> MerchantProcess? in
                let running = state.processes.compactMap(\.self)
                guard !running.isEmpty else { return nil }
                return running[Int(state.random.next() % UInt64(running.count))]
            }
            // The only one starts again.
            guard let process else {
                await pause()
                continue
            }
            do {
                return try await process.take(letter)
            } catch let refusal as StoreProcess.Refusal where refusal.status == 503 {
                // On a machine that is busy with other tests even a well database is late at times.
                postponed += 1
                guard postponed < 20 else { throw refusal }
            } catch let refusal as StoreProcess.Refusal {
                throw refusal
            } catch {
                // Nothing but its end breaks off what a process was asked.
                guard process.isKilled else { throw error }
            }
            state.withLock { $0.repeated += 1 }
        }
    }

    /// Ends all processes in order.
    ///
    /// - Returns: the codes with which they ended.
    func end() -> [Int32] {
        let processes = state.withLock { state in
            defer { state.processes = [] }
            return state.processes.compactMap(\.self)
        }
        return processes.map { $0.end() }
    }
}

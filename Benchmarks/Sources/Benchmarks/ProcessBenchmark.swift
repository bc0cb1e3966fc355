import Foundation
import Storage
import StoragePostgres
import Store
import SubscriptionRules

/// Purchases and renewals a second of one, two and four processes on one PostgreSQL database, and
/// what the server's connections wait for meanwhile, by its own account.
struct ProcessBenchmark {
    let url: String
    let subscribers: Int
    let rounds: Int

    private static let processes = [1, 2, 4]
    /// How many buy at once, over all processes.
    private static let buyers = 64
    private static let span = Duration.seconds(10)

    func run() async throws -> [any Figure] {
        let server = try PostgresDatabase(url: url, connections: 1)
        let place = try await Fixture.freshSchema(in: server, at: url)
        let database = try PostgresDatabase(url: place)
        let store = try await Fixture.store(database, chain: Fixture.chain())
        try await database.write { session in
            try session.execute("CREATE SEQUENCE bench_number")
            for table in ["bench_transaction", "bench_journal", "bench_ledger"] {
                try session.execute("CREATE TABLE \(raw: table) (id BIGINT PRIMARY KEY, body TEXT)")
            }
        }
        progress("  \(subscribers) subscribers sign up …")
        try await Fixture.fill(store, subscribers: subscribers)
        var figures: [any Figure] = []
        for count in Self.processes {
            for task in [ProcessWorker.Work.plainWrites, .purchases] {
                progress("  \(task.rawValue), \(count) processes …")
                figures.append(try await measure(task, count, place, server))
            }
        }
        for count in Self.processes {
            progress("  renewals, \(count) processes …")
            figures.append(try await renew(store, count, place, server))
        }
        await database.close()
        await server.close()
        return figures
    }

    private func measure(
        _ task: ProcessWorker.Work, _ count: Int, _ place: String, _ server: PostgresDatabase
    ) async throws -> ProcessFigure {
        let workers = try (0..<count).map {
            try Worker(task, number: $0, buyers: Self.buyers / count, place)
        }
        for worker in workers { await worker.waitUntilReady() }
        let waits = Waits(server)
        let time = try await seconds {
            for worker in workers { worker.say("go") }
            try await waits.watch { try await Task.sleep(for: Self.span) }
        }
        var done = 0
        for worker in workers { done += await worker.end() }
        return ProcessFigure(
            name: task.rawValue, processes: count, rate: Double(done) / time, waits: waits)
    }

    /// A month passes, carried out by all.
    private func renew(
        _ store: Store, _ count: Int, _ place: String, _ server: PostgresDatabase
    ) async throws -> ProcessFigure {
        let workers = try (1..<count).map {
            try Worker(.settling, number: $0, buyers: 1, place)
        }
        for worker in workers { await worker.waitUntilReady() }
        for worker in workers { worker.say("go") }
        let waits = Waits(server)
        var changes = 0
        let time = try await seconds {
            try await waits.watch {
                for _ in 0..<rounds {
                    changes += try await store.advance(by: CalendarStep(iso8601: "P1M")!).changes
                }
            }
        }
        for worker in workers { _ = await worker.end() }
        return ProcessFigure(
            name: "renewals", processes: count, rate: Double(changes) / time, waits: waits)
    }
}

/// One of the processes, which is this program as well.
private final class Worker: @unchecked Sendable {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(_ task: ProcessWorker.Work, number: Int, buyers: Int, _ url: String) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--worker", task.rawValue, "--number", "\(number)", "--buyers", "\(buyers)",
            "--database-url", url,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    func say(_ word: String) { input.fileHandleForWriting.write(Data((word + "\n").utf8)) }

    func waitUntilReady() async { _ = await read() }

    /// - Returns: how much it has done.
    func end() async -> Int {
        say("enough")
        let text = await read()
        process.waitUntilExit()
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    private func read() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [output] in
                let data = output.fileHandleForReading.availableData
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}

/// What the server's connections that are at work wait for, looked at again and again, and how busy
/// the machine's processors are.
private final class Waits: @unchecked Sendable {
    private let server: PostgresDatabase
    private(set) var seen: [String: Int] = [:]
    private(set) var busy = 0.0

    init(_ server: PostgresDatabase) { self.server = server }

    func watch(_ body: () async throws -> Void) async throws {
        let before = Self.processors()
        let watching = Task {
            while !Task.isCancelled {
                try await self.look()
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        try await body()
        watching.cancel()
        _ = await watching.result
        let after = Self.processors()
        busy = 1 - (after.idle - before.idle) / max(1, after.all - before.all)
    }

    private func look() async throws {
        let rows = try await server.read { session in
            try session.rows(
                """
                SELECT COALESCE(wait_event_type || ':' || wait_event, 'running')
                FROM pg_stat_activity
                WHERE state = 'active' AND backend_type = 'client backend'
                    AND pid <> pg_backend_pid()
                """)
        }
        for row in rows { seen[try row.text(0), default: 0] += 1 }
    }

    private static func processors() -> (idle: Double, all: Double) {
        let text = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)) ?? ""
        let numbers = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst()
            .compactMap { Double($0) }
        return (numbers.dropFirst(3).prefix(2).reduce(0, +), numbers.prefix(8).reduce(0, +))
    }

    /// The shares of what was seen, largest first.
    var shares: [(what: String, percent: Int)] {
        let all = max(1, seen.values.reduce(0, +))
        return seen.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
            .map { ($0.key, $0.value * 100 / all) }
    }
}

/// What some processes did a second, and what was waited for.
struct ProcessFigure: Figure {
    let name: String
    let processes: Int
    let rate: Double
    private let shares: [(what: String, percent: Int)]
    private let busy: Int

    fileprivate init(name: String, processes: Int, rate: Double, waits: Waits) {
        self.name = name
        self.processes = processes
        self.rate = rate
        shares = waits.shares
        busy = Int((waits.busy * 100).rounded())
    }

    var line: String {
        let waits = shares.prefix(6).map { "\($0.what) \($0.percent) %" }
        return "\(name), \(processes) processes: \(Int(rate)) a second, processors \(busy) % busy; "
            + waits.joined(separator: ", ")
    }

    var json: String {
        let waits = shares.map { "\"\($0.what)\":\($0.percent)" }.joined(separator: ",")
        return "{\"name\":\"\(name)\",\"processes\":\(processes),\"perSecond\":\(Int(rate)),"
            + "\"busyPercent\":\(busy),\"waitPercent\":{\(waits)}}"
    }
}

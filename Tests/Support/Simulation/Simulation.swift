import NaiveModel
public import Storage
import TestFloor
import TestSupport

/// What a seed has brought to light.
public struct Finding: Sendable {
    public let scenario: Scenario
    public let lines: [String]
}

/// What came of one world.
public struct Verdict: Sendable {
    public let seed: UInt64
    /// What breaks the store, if anything does.
    public internal(set) var finding: Finding?
    /// How often each kind of thing happened in it.
    public let tally: [String: Int]
}

/// What came of many worlds.
public struct Outlook: Sendable {
    /// How many were played.
    public internal(set) var done = 0
    public internal(set) var findings: [Finding] = []
    /// How often each kind of thing happened in all of them, and in how many of them it did.
    public internal(set) var tally: [String: Int] = [:]
    public internal(set) var worlds: [String: Int] = [:]
    /// What happened in the world of each seed.
    public internal(set) var reached: [UInt64: Set<String>] = [:]
}

/// Plays random worlds and says which of them break the store.
public struct Simulation: Sendable {
    private let steps: Int
    private let theme: Theme?
    private let makeDatabases: @Sendable () async throws -> [any Database]

    /// - Parameters:
    ///   - steps: how much is done in each world.
    ///   - theme: what all worlds are about alone; nil for what their seeds say.
    ///   - makeDatabase: makes an empty database for a world.
    public init(
        steps: Int, about theme: Theme? = nil,
        makeDatabase: @escaping @Sendable () async throws -> any Database
    ) {
        self.init(steps: steps, about: theme) { [try await makeDatabase()] }
    }

    /// - Parameters:
    ///   - steps: how much is done in each world.
    ///   - theme: what all worlds are about alone; nil for what their seeds say.
    ///   - makeDatabases: looks into an empty database for a world, as often as processes serve it.
    ///     All but the first one do what is due, and are killed again and again.
    public init(
        steps: Int, about theme: Theme? = nil,
        makeDatabases: @escaping @Sendable () async throws -> [any Database]
    ) {
        self.steps = steps
        self.theme = theme
        self.makeDatabases = makeDatabases
    }

    /// Plays the world of a seed, twice.
    ///
    /// - Returns: what is wrong, or nil.
    public func run(seed: UInt64) async throws -> Verdict {
        try await run(Scenario(seed: seed, steps: steps, about: theme))
    }

    /// Plays a world: once with all failures and repetitions, once in peace and with small steps
    /// of the clock, which must leave the same bytes.
    func run(_ scenario: Scenario) async throws -> Verdict {
        let stormy = try await play(scenario, .stormy)
        var verdict = Verdict(seed: scenario.seed, tally: stormy.tally)
        if let difference = stormy.difference {
            verdict.finding = finding(scenario, difference)
            return verdict
        }
        // What is done late may come in another order after a crash; done again it is the same.
        let calm = try await play(scenario, scenario.isLate ? .stormy : .calm)
        if let difference = calm.difference {
            verdict.finding = finding(
                scenario, difference,
                scenario.isLate
                    ? "played once more" : "played in peace, with small steps of the clock")
            return verdict
        }
        let differing = stormy.tables.differences(from: calm.tables)
        if !differing.isEmpty {
            verdict.finding = Finding(
                scenario: scenario,
                lines: differing.flatMap { table in
                    [
                        scenario.isLate
                            ? "played once more, there is another \(table):"
                            : "storms or small steps of the clock change \(table):"
                    ]
                        + RowDifference.lines(table, stormy.tables, calm.tables)
                })
        }
        return verdict
    }

    private func play(
        _ scenario: Scenario, _ manner: Player.Manner
    ) async throws -> (difference: Difference?, tables: Tables, tally: [String: Int]) {
        let databases = try await makeDatabases()
        let database = databases[0]
        let player = try await Player(scenario, manner, in: database)
        let companions = databases.dropFirst().map {
            Companion(scenario, in: $0, machine: player.machine)
        }
        let difference: Difference?
        do {
            difference = try await player.play(beside: companions)
        } catch {
            for companion in companions { _ = try? await companion.end() }
            throw error
        }
        var kills = 0
        for companion in companions { kills += try await companion.end() }
        let tables = try await Tables.comparable(database)
        for database in databases { await database.close() }
        var tally = player.tally.merging(player.naive.tally) { $0 + $1 }
        if kills > 0 { tally["killed beside"] = kills }
        return (difference, tables, tally)
    }

    private func finding(
        _ scenario: Scenario, _ difference: Difference, _ remark: String? = nil
    ) -> Finding {
        var short = scenario
        short.steps = Array(scenario.steps.prefix(difference.step + 1))
        return Finding(
            scenario: short, lines: (remark.map { [$0] } ?? []) + difference.lines)
    }
}

/// The rows that only one of two databases has.
enum RowDifference {
    static func lines(_ table: String, _ one: Tables, _ other: Tables) -> [String] {
        let (first, second) = (one.rows[table] ?? [], other.rows[table] ?? [])
        return lines("only in storms", Set(first).subtracting(second))
            + lines("only in peace", Set(second).subtracting(first))
    }

    private static func lines(_ title: String, _ rows: Set<Row>) -> [String] {
        rows.map { $0.values.map(text).joined(separator: " | ") }.sorted().prefix(3)
            .map { "  \(title): \($0)" }
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "-"
        case .integer(let number): "\(number)"
        case .text(let text): text.count > 200 ? "\(text.prefix(200))…" : text
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }
}

extension Simulation {
    /// Plays many worlds, some at the same time.
    ///
    /// - Parameters:
    ///   - stopsAtFinding: whether the first finding ends it.
    ///   - progress: called after each world with how many were played and what was found.
    /// - Returns: what came of them; findings are made smaller.
    public func run(
        seeds: [UInt64], workers: Int, stopsAtFinding: Bool,
        progress: (_ done: Int, _ found: [Finding]) -> Void
    ) async throws -> Outlook {
        var outlook = Outlook()
        var rest = seeds[...]
        try await withThrowingTaskGroup(of: Verdict.self) { group in
            for seed in rest.prefix(workers) { group.addTask { try await run(seed: seed) } }
            rest = rest.dropFirst(workers)
            while let verdict = try await group.next() {
                outlook.done += 1
                outlook.tally.merge(verdict.tally) { $0 + $1 }
                for what in verdict.tally.keys { outlook.worlds[what, default: 0] += 1 }
                outlook.reached[verdict.seed] = Set(verdict.tally.keys)
                if let finding = verdict.finding { outlook.findings.append(finding) }
                progress(outlook.done, outlook.findings)
                if stopsAtFinding, !outlook.findings.isEmpty { continue }
                if let seed = rest.popFirst() { group.addTask { try await run(seed: seed) } }
            }
        }
        let shrinker = Shrinker(self)
        for index in outlook.findings.indices {
            outlook.findings[index] = try await shrinker.shrink(outlook.findings[index])
        }
        return outlook
    }
}

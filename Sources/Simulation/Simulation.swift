public import Storage
import TestSupport

/// What a seed has brought to light.
public struct Finding: Sendable {
    public let scenario: Scenario
    public let lines: [String]
}

/// Plays random worlds and says which of them break the store.
public struct Simulation: Sendable {
    private let steps: Int
    private let makeDatabase: @Sendable () async throws -> any Database

    /// - Parameters:
    ///   - steps: how much is done in each world.
    ///   - makeDatabase: makes an empty database for a world.
    public init(
        steps: Int, makeDatabase: @escaping @Sendable () async throws -> any Database
    ) {
        self.steps = steps
        self.makeDatabase = makeDatabase
    }

    /// Plays the world of a seed, twice.
    ///
    /// - Returns: what is wrong, or nil.
    public func run(seed: UInt64) async throws -> Finding? {
        try await run(Scenario(seed: seed, steps: steps))
    }

    /// Plays a world: once with all failures and repetitions, once in peace and with small steps
    /// of the clock, which must leave the same bytes.
    public func run(_ scenario: Scenario) async throws -> Finding? {
        let stormy = try await play(scenario, .stormy)
        if let difference = stormy.difference { return finding(scenario, difference) }
        let calm = try await play(scenario, .calm)
        if let difference = calm.difference {
            return finding(scenario, difference, "played in peace, with small steps of the clock")
        }
        let differing = stormy.tables.differences(from: calm.tables)
        guard differing.isEmpty else {
            return Finding(
                scenario: scenario,
                lines: differing.flatMap { table in
                    ["storms or small steps of the clock change \(table):"]
                        + RowDifference.lines(table, stormy.tables, calm.tables)
                })
        }
        return nil
    }

    private func play(
        _ scenario: Scenario, _ manner: Player.Manner
    ) async throws -> (difference: Difference?, tables: Tables) {
        let database = try await makeDatabase()
        let player = try await Player(scenario, manner, in: database)
        let difference = try await player.play()
        let tables = try await Tables(database)
        await database.close()
        return (difference, tables)
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
        let onlyFirst = Set(first).subtracting(second)
        let onlySecond = Set(second).subtracting(first)
        return onlyFirst.prefix(5).map { "  only in storms: \($0.values)" }
            + onlySecond.prefix(5).map { "  only in peace: \($0.values)" }
    }
}

extension Simulation {
    /// Plays many worlds, some at the same time.
    ///
    /// - Parameters:
    ///   - stopsAtFinding: whether the first finding ends it.
    ///   - progress: called after each world with how many were played and how many broke.
    /// - Returns: how many worlds were played, and what was found, made smaller.
    public func run(
        seeds: [UInt64], workers: Int, stopsAtFinding: Bool,
        progress: (_ done: Int, _ found: Int) -> Void
    ) async throws -> (done: Int, found: [Finding]) {
        var (done, found) = (0, [Finding]())
        var rest = seeds[...]
        try await withThrowingTaskGroup(of: Finding?.self) { group in
            for seed in rest.prefix(workers) { group.addTask { try await run(seed: seed) } }
            rest = rest.dropFirst(workers)
            while let finding = try await group.next() {
                done += 1
                if let finding { found.append(finding) }
                progress(done, found.count)
                if stopsAtFinding, !found.isEmpty { continue }
                if let seed = rest.popFirst() { group.addTask { try await run(seed: seed) } }
            }
        }
        let shrinker = Shrinker(self)
        for index in found.indices { found[index] = try await shrinker.shrink(found[index]) }
        return (done, found)
    }
}

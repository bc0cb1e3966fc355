import Foundation
import Merchant
import TestFloor
import TestSupport
import Testing

/// Random lives on a store, of which a merchant hears: it judges access as a naive judge does, and
/// the order of what it hears does not matter (ING-3).
@Suite("Merchant: random lives", .timeLimit(.minutes(60)))
struct RandomLives {
    /// The lives that are played on SQLite, `1-20` unless it is said; on PostgreSQL it is the first
    /// sixth of them, and of those that are healed a third.
    private static let seeds: ClosedRange<UInt64> = {
        let said = ProcessInfo.processInfo.environment["PERENNIAL_MERCHANT_SEEDS"] ?? "1-20"
        let ends = said.split(separator: "-").compactMap { UInt64($0) }
        guard ends.count == 2, ends[0] <= ends[1] else {
            preconditionFailure("PERENNIAL_MERCHANT_SEEDS is a range, such as 1-2000")
        }
        return ends[0]...ends[1]
    }()

    /// In how many lives a planted fault must be found.
    private static let patience: UInt64 = 40

    private static func cases(oneOf part: Int = 1) -> [(backend: Backend, seed: UInt64)] {
        Backend.available.flatMap { backend in
            let count = seeds.count / part / (backend == .postgres ? 6 : 1)
            return seeds.prefix(max(1, count)).map { (backend, $0) }
        }
    }

    @Test(
        "A naive judge agrees at each stop, and any order, repetition and loss ends the same",
        arguments: cases())
    func life(_ backend: Backend, seed: UInt64) async throws {
        // Each fifth life is judged on every day of it.
        let trial = LifeTrial(backend: backend, seed: seed, isDaily: seed.isMultiple(of: 5))
        let findings = try await trial.findings()
        #expect(findings == [])
    }

    @Test(
        "A merchant that loses half and asks the store for it ends the same",
        arguments: cases(oneOf: 3))
    func healed(_ backend: Backend, seed: UInt64) async throws {
        let begun = try await RandomLife(backend, seed: seed)
        try await ServedStore.run(begun.world.world) { api in
            var (life, chance) = (begun, SeededGenerator(seed: seed &* 1000))
            let database = try await backend.borrowDatabase(for: .merchant)
            let merchant = try await MerchantWorld.merchant(
                in: database, of: life.world.world, asking: api)
            while !life.isOver {
                let known = life.news.count
                try await life.goOn()
                for one in life.news[known...].shuffled(using: &chance) {
                    // What an app sends is in no history.
                    if one.isNotification, Bool.random(using: &chance) { continue }
                    try await one.reach(merchant)
                }
                #expect(try await merchant.heal().compactMap(\.problem) == [], "seed \(seed)")
                let states = try await life.states(of: merchant, withLapses: false)
                let expected = try await life.states(
                    of: life.world.merchant, withLapses: false)
                #expect(states == expected, "seed \(seed): \(life.story)")
            }
            let registers = try await life.registers(in: database, dated: false)
            let expected = try await life.registers(in: life.world.database, dated: false)
            #expect(registers.differences(from: expected) == [], "seed \(seed): \(life.story)")
        }
    }

    @Test(
        "A mistake that is planted in a merchant is found in one of forty lives",
        arguments: PlantedFault.allCases)
    func planted(_ fault: PlantedFault) async throws {
        for seed in 1...Self.patience {
            let trial = LifeTrial(backend: .sqlite, seed: seed, fault: fault)
            if try await !trial.findings().isEmpty { return }
        }
        Issue.record("\(fault.rawValue) was found in none of \(Self.patience) lives")
    }
}

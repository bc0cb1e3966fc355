import Merchant
import TestFloor
import TestSupport

/// A random life and everything that is held against it: the naive judge at every stop, and other
/// merchants that got the same news otherwise.
struct LifeTrial: Sendable {
    let backend: Backend
    let seed: UInt64
    /// A mistake that every merchant makes in it.
    var fault: PlantedFault?
    /// Whether the judge is asked on each day.
    var isDaily = false

    /// - Returns: everything that is wrong, a sentence each; where a fault is planted the first.
    func findings() async throws -> [String] {
        var life = try await RandomLife(backend, seed: seed, planting: fault, isDaily: isDaily)
        var findings: [String] = []
        while !life.isOver {
            try await life.goOn()
            for person in life.people {
                let judged = try await NaiveJudge.verdict(on: person, in: life.world.world)
                let answer = try await NaiveJudge.answer(of: life.world.merchant, on: person)
                guard answer != judged else { continue }
                findings.append(
                    "\(person.name) in \(person.environment) has \(answer), not \(judged), "
                        + "seed \(seed): \(life.story)")
                if fault != nil { return findings }
            }
        }
        if try await !life.world.merchant.deadLetters(limit: 1).isEmpty {
            findings.append("a notification is a dead letter, seed \(seed)")
        }
        for round in 1...3 { findings += try await self.findings(in: life, round) }
        return findings
    }

    /// Tells another merchant the same life: twice shuffled and repeated, then with losses.
    private func findings(in life: RandomLife, _ round: Int) async throws -> [String] {
        var chance = SeededGenerator(seed: seed &* 1000 &+ UInt64(round))
        let database = try await MerchantWorld.database(on: backend, planting: fault)
        let merchant = try await MerchantWorld.merchant(in: database, of: life.world.world)
        if round == 3 {
            try await life.tellWithLosses(merchant, using: &chance)
        } else {
            try await life.tellShuffled(merchant, using: &chance)
        }
        var findings: [String] = []
        let (expected, states) = (
            try await life.states(of: life.world.merchant, withLapses: round < 3),
            try await life.states(of: merchant, withLapses: round < 3)
        )
        if states != expected {
            findings.append(
                "round \(round) ends with \(states), not \(expected), seed \(seed): \(life.story)")
        }
        if round < 3 {
            let expected = try await life.registers(in: life.world.database, dated: true)
            let registers = try await life.registers(in: database, dated: true)
            for table in registers.differences(from: expected) {
                findings.append("round \(round) ends with another \(table), seed \(seed)")
            }
        }
        return findings
    }
}

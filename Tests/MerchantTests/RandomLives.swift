import Foundation
import Merchant
import TestFloor
import TestSupport
import Testing

/// Random lives on a store, of which a merchant hears: it judges access as a naive judge does, and
/// the order of what it hears does not matter (ING-3).
@Suite("Merchant: random lives", .timeLimit(.minutes(60)))
struct RandomLives {
    /// How many lives are played on SQLite; on PostgreSQL it is a sixth of them.
    private static let count =
        ProcessInfo.processInfo.environment["PERENNIAL_MERCHANT_SEEDS"].flatMap { Int($0) } ?? 30

    private static let cases: [(backend: Backend, seed: UInt64)] = Backend.available.flatMap {
        backend in
        (1...max(1, backend == .postgres ? count / 6 : count)).map { (backend, UInt64($0)) }
    }

    @Test(
        "A naive judge agrees after each step, and any order, repetition and loss ends the same",
        arguments: cases)
    func life(_ backend: Backend, seed: UInt64) async throws {
        var life = try await RandomLife(backend, seed: seed)
        for _ in 1...RandomLife.length {
            try await life.step()
            for person in life.people {
                let judged = try await NaiveJudge.verdict(
                    on: person.anyTransaction, in: life.world.world)
                let answer = try await NaiveJudge.answer(
                    of: life.world.merchant, on: person.name)
                #expect(answer == judged, "\(person.name), seed \(seed): \(life.story)")
            }
        }
        #expect(try await life.world.merchant.deadLetters(limit: 1).isEmpty)
        let expected = try await life.states(of: life.world.merchant)
        for round in 1...3 {
            var chance = SeededGenerator(seed: seed &* 1000 &+ UInt64(round))
            let merchant = try await MerchantWorld.merchant(
                on: backend, of: life.world.world)
            if round == 3 {
                try await life.tellWithLosses(merchant, using: &chance)
            } else {
                try await life.tellShuffled(merchant, using: &chance)
            }
            let states = try await life.states(of: merchant)
            #expect(states == expected, "round \(round), seed \(seed): \(life.story)")
        }
    }
}

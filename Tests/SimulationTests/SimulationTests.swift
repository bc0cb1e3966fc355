import Simulation
import Store
import TestFloor
import TestSupport
import Testing

@Suite("Simulation")
struct SimulationTests {
    /// Worlds that have to stay well. They are much like those of `cover`, so a few are enough.
    private static let seeds = Array(UInt64(200)...211)

    private func simulation(
        _ backend: Backend, steps: Int = 40, about theme: Theme? = nil
    ) -> Simulation {
        Simulation(steps: steps, about: theme) { try await backend.borrowDatabase() }
    }

    @Test("The store does in known worlds what the naive store says", arguments: seeds)
    func known(_ seed: UInt64) async throws {
        let verdict = try await simulation(.sqlite).run(seed: seed)
        #expect(verdict.finding == nil, "\(verdict.finding?.text ?? "")")
    }

    @Test("And in one with more subscribers than the store takes up at once")
    func crowded() async throws {
        let seed = (UInt64(1)...1000).first { Scenario(seed: $0, steps: 1).isCrowded }
        let verdict = try await simulation(.sqlite).run(seed: try #require(seed))
        #expect(verdict.finding == nil, "\(verdict.finding?.text ?? "")")
        #expect(verdict.tally["crowd: done"] != nil)
    }

    @Test("On every database", arguments: Backend.available, [7, 8, 9] as [UInt64])
    func databases(_ backend: Backend, _ seed: UInt64) async throws {
        let verdict = try await simulation(backend, steps: 25).run(seed: seed)
        #expect(verdict.finding == nil, "\(verdict.finding?.text ?? "")")
    }

    @Test(
        "And where a second process does what is due beside it, and is killed again and again",
        .enabled(if: Backend.available.contains(.postgres), "there is no PostgreSQL server"),
        arguments: [3, 7, 8, 11] as [UInt64])
    func companion(_ seed: UInt64) async throws {
        let simulation = Simulation(steps: 25) { try await Backend.makeShared(2) }
        let verdict = try await simulation.run(seed: seed)
        #expect(verdict.finding == nil, "\(verdict.finding?.text ?? "")")
        #expect(verdict.tally["killed beside"] ?? 0 > 0)
    }

    /// Together these come to every corner: found by `simulate --cover`.
    private static let cover: [UInt64] = [
        82014, 82039, 82051, 82057, 82062, 82065, 82100, 82107, 82115, 82124, 82146, 82170, 82187,
        82209, 82218, 82235, 82239, 82243, 82251, 82405, 82433, 82515, 82556,
    ]

    /// And these, which are about merchants alone, to the ones that are rare among all.
    private static let coverOfMerchants: [UInt64] = [81077]

    @Test("A few random worlds reach every corner")
    func corners() async throws {
        let all = try await simulation(.sqlite, steps: 60).run(
            seeds: Self.cover, workers: 2, stopsAtFinding: false, progress: { _, _ in })
        let merchants = try await simulation(.sqlite, steps: 60, about: .merchants).run(
            seeds: Self.coverOfMerchants, workers: 2, stopsAtFinding: false,
            progress: { _, _ in })
        #expect((all.findings + merchants.findings).map(\.text) == [])
        #expect(all.unreached.filter(merchants.unreached.contains) == [])
    }

    /// What rules turn on that nobody comes to by accident, and in how many of 250 worlds the
    /// authors come to it at least. Rules that were broken there were found by no seed once.
    private static let sought = [
        ("waiting price raised", 10), ("raised after the first period", 8),
        ("paid later, dearer after that", 8), ("nobody told of what is off sale", 8),
        ("planned again, back on sale", 8), ("renewed at a higher price", 25),
        ("judged by the operator's amounts", 5), ("one of several raised", 5),
        ("increase of another line than was answered", 1),
        ("the product among several lines", 20),
        ("introductory offer on one of several lines", 10),
        ("code redeemed", 25), ("code: codeRedeemed", 1), ("code: offerRedeemedBefore", 8),
        ("code: notInAudience", 5), ("code: wouldDowngrade", 2), ("code: codeExpired", 5),
        ("code good again", 2), ("deleted", 12), ("request joined", 15), ("request lapsed", 15),
        ("request approved", 10), ("request approved in vain", 5), ("request declined", 3),
        ("interruption settled", 3), ("may not pay", 2), ("joined a family", 15),
        ("left a family", 5), ("family is full", 6), ("family ended", 10), ("shared", 20),
        ("shared again", 3),
        ("sharing ended", 10), ("a refund reaches the family", 5),
        ("a refund that is taken back reaches the family", 1),
        ("dearer after an offer", 6), ("several increases told at once", 4),
        ("month of a commitment", 35), ("owed although renewal is off", 9),
        ("another plan waits for the end of a commitment", 18),
        ("the same paid in another way", 20), ("left a commitment at once", 10),
        ("commitment over", 20), ("commitment fulfilled, and on", 15),
        ("commitment extended", 10), ("month failed without grace", 7), ("month recovered", 5),
        ("commitment broken off (2)", 2), ("bought anew in retry of a month", 2),
        ("month refunded", 8), ("month taken back is owed again", 1),
        ("commitment dearer", 3), ("month cheaper", 1), ("commitment honoured", 3),
        ("offer redeemed in a commitment", 2), ("items changed in the cycle", 20),
        ("items changed, a new cycle", 15), ("items wait for the renewal", 20),
        ("unused share of an item", 15), ("items ended by a refund", 5), ("migrated", 12),
        ("some items renew again", 3), ("what was to go comes back", 3),
        ("came back at a price that was told", 1), ("item under another SKU", 5),
    ]

    @Test("The authors come to what worlds are about, and to where prices are owed on their day")
    func sought() {
        let worlds = (UInt64(1)...250).map { Scenario(seed: $0, steps: 60).foreseen }
        for (what, least) in SimulationTests.sought {
            let count = worlds.count { $0[what] != nil }
            #expect(count >= least, "\(what): in \(count) of 250 worlds")
        }
    }
}

import Merchant
import MerchantRules
import Storage
import Store
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

/// A database that fails at any one commit of a price campaign, after which another process goes
/// on: no call is made twice, and a message has one identifier however often it is handed over.
@Suite("Merchant: crashes of price campaigns", .timeLimit(.minutes(30)))
struct PriceCrashTests {
    /// What a campaign came to.
    private struct Outcome: Sendable {
        var messages: Set<String> = []
        var outcome: CampaignOutcome?
        var priceNow: Int64 = 0
        var references: Set<String> = []
        var accepted = 0
        var consents = 0
        /// How many commits the campaign's work had.
        var changes = 0
        var hasFailed = false
    }

    /// A failure, as a function of the commit at which it comes.
    private typealias Failing = @Sendable (Int) -> FaultyDatabase.Fault

    /// Ada agrees to a price, and renews at it.
    private func tell(
        _ backend: Backend, failingAt commit: Int?, _ fault: @escaping Failing
    ) async throws -> Outcome {
        let database = FaultyDatabase(try await backend.borrowDatabase(for: .merchant))
        let result = Mutex(Outcome())
        try await PriceWorld.run(backend, in: database) { first in
            var world = first
            var outcome = Outcome()
            let ada = try await world.subscribe("ada", to: "chess", number: 1)
            try await world.start()
            var hasAgreed = false
            let end = World.instant("2026-02-20")
            while try await world.merchant.now() < end {
                let now = try await world.merchant.now()
                let due = try await world.merchant.nextCampaignMoment() ?? end
                let next = min(end, now + .days(1), max(due, now + .seconds(1)))
                _ = try await world.world.store.advance(to: next)
                try await world.take()
                // Only what the campaign does is disturbed.
                let left = commit.map { $0 - outcome.changes }
                let isDue = !outcome.hasFailed && (left ?? 0) > 0
                database.arm(isDue ? left.map(fault) : nil)
                do {
                    try await world.merchant.workOnCampaigns()
                } catch let error as StorageError where error.code == .connectionLost {
                    #expect(database.hasFailed)
                }
                outcome.changes += database.counts.changes
                let hasFailed = database.hasFailed
                database.arm(nil)
                if hasFailed {
                    outcome.hasFailed = true
                    world = try await world.reopened()
                    try await world.merchant.workOnCampaigns()
                }
                let sheets = try await world.merchant.sheets(of: "ada", in: World.bundleID)
                if !hasAgreed, next > World.instant("2026-01-24"), let sheet = sheets.first {
                    _ = try await world.merchant.answer(
                        .agree, sheet: sheet.id, of: "ada", in: World.bundleID)
                    hasAgreed = true
                }
            }
            outcome.messages = Set(world.relay.taken)
            let subscriber = try await world.subscriber(ada)
            outcome.outcome = subscriber.outcome
            outcome.priceNow = subscriber.priceNow
            let kept = try await world.merchant.consents(
                "spring", of: World.bundleID, originalTransactionID: ada)
            outcome.references = Set(kept.calls.map(\.reference))
            outcome.accepted = kept.calls.count { $0.state == .accepted }
            outcome.consents = kept.answers.count
            let all = outcome
            result.withLock { $0 = all }
        }
        return result.withLock { $0 }
    }

    private func tell(_ backend: Backend, _ fault: @escaping Failing) async throws {
        let undisturbed = try await tell(backend, failingAt: nil, fault)
        #expect(undisturbed.outcome == .increased)
        #expect(undisturbed.priceNow == 19_990)
        #expect(undisturbed.accepted == 1)
        let step = max(1, undisturbed.changes / (backend == .postgres ? 4 : 10))
        for commit in stride(from: 1, through: undisturbed.changes, by: step) {
            let outcome = try await tell(backend, failingAt: commit, fault)
            #expect(outcome.messages == undisturbed.messages, "\(commit)")
            #expect(outcome.references == undisturbed.references, "\(commit)")
            #expect(outcome.accepted == 1, "\(commit)")
            #expect(outcome.consents == undisturbed.consents, "\(commit)")
            #expect(outcome.priceNow == 19_990, "\(commit)")
        }
    }

    @Test("A failure before a commit repeats no call", arguments: Backend.available)
    func beforeCommit(_ backend: Backend) async throws {
        try await tell(backend) { .beforeCommit($0) }
    }

    @Test("A commit whose outcome is not known repeats no call", arguments: Backend.available)
    func afterCommit(_ backend: Backend) async throws {
        try await tell(backend) { .afterCommit($0) }
    }
}

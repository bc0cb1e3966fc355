import AppStoreWire
import ConnectAnswers
import Logging
import Merchant
import MerchantConfiguration
import MerchantRules
import NIOHTTP1
import Storage
import StorageSQLite
import SubscriptionRules
import TimeAndChance
import UnixSignals

/// A price campaign that is played to its end on a fork of the store and a copy of the merchant,
/// with customers who answer by a seed. What is live does not change, and nothing of it stays,
/// also where it is interrupted.
struct ForkRehearsal: Sendable {
    let file: CampaignFile
    let campaign: PriceCampaign
    let answers: RehearsedAnswers
    /// The store that is forked.
    let store: StoreClient
    /// The path of the merchant's database.
    let database: String
    let log: Logger

    /// What has come of it.
    struct Outcome: Sendable {
        /// In the form of the real one.
        let report: Answer
        /// Everybody, with what became of them.
        let subscribers: [Answer]
    }

    /// For how long it goes on at most: who pays by the year is told in the second one.
    private static let limit = Span.days(730)

    /// Plays it; a signal to end ends it, once what was made for it is gone.
    func run() async throws -> Outcome {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let work = Task { try await play() }
        let watch = Task {
            for await _ in signals {
                work.cancel()
                return true
            }
            return false
        }
        let result = await work.result
        watch.cancel()
        if await watch.value {
            throw Failure.refused(
                "The rehearsal was interrupted: the fork and the copy of the merchant are gone.")
        }
        return try result.get()
    }

    private func play() async throws -> Outcome {
        // The merchant first: what it hears until the fork is made, the fork tells it again.
        try await holding(copyOfMerchant, then: { await $0.close() }) { database in
            try await holding(makeFork, then: removeFork) { fork in
                let readyFile = try fork.text("readyFile")
                let open: @Sendable () async throws -> RehearsalStage = {
                    try await RehearsalStage.open(on: database, beside: readyFile, log: log)
                }
                return try await holding(open, then: { await $0.end() }) { stage in
                    try await play(on: stage)
                }
            }
        }
    }

    /// Makes something, and ends it after it was used. Nobody cancels either, so that nothing is
    /// left half made.
    private func holding<Thing: Sendable, Value: Sendable>(
        _ make: @escaping @Sendable () async throws -> Thing,
        then end: @escaping @Sendable (Thing) async -> Void,
        _ body: (Thing) async throws -> Value
    ) async throws -> Value {
        let thing = try await Task { try await make() }.value
        let result: Result<Value, any Error>
        do {
            try Task.checkCancellation()
            result = .success(try await body(thing))
        } catch {
            result = .failure(error)
        }
        await Task { await end(thing) }.value
        return try result.get()
    }

    // MARK: Copies

    @Sendable private func copyOfMerchant() async throws -> SQLiteDatabase {
        do {
            return try await SQLiteDatabase.ephemeral(copying: database)
        } catch let error as StorageError {
            throw Failure.refused("The merchant's database cannot be copied: \(error.message).")
        }
    }

    @Sendable private func makeFork() async throws -> Answer {
        let name = "rehearsal-\(Randomness.bytes(6).hexadecimal)"
        return try await store.send(.POST, Copying.path(of: Forks.self)) { json in
            json.field("name", name)
        }
    }

    @Sendable private func removeFork(_ fork: Answer) async {
        let name = fork.optionalText("name") ?? ""
        do {
            _ = try await store.send(.DELETE, Copying.path(of: Forks.self, name))
        } catch {
            Output.complain(
                "The fork \(name) is left: `perennial world forks remove \(word: name)` "
                    + "removes it. (\(error))")
        }
    }

    // MARK: The campaign

    private func play(on stage: RehearsalStage) async throws -> Outcome {
        if campaign.route == .appStoreConnect { try await schedule(on: stage.store) }
        var walk = try await ClockWalk(stage.store, beside: stage.client)
        let (start, limit) = (walk.now, walk.now + Self.limit)
        let planned = try await plannedEnd(on: stage) ?? start
        _ = try await stage.client.run(file, go: true)
        var customers = RehearsedCustomers(answers, of: campaign, on: stage, since: start)
        try await customers.listen()
        while walk.now < limit, try await !isOver(on: stage, at: walk.now, planned) {
            try Task.checkCancellation()
            let answer = customers.nextMoment(after: walk.now)
            try await walk.step(to: limit, stoppingAt: answer)
            try await customers.listen()
            guard try await customers.act(at: walk.now) else { continue }
            _ = try await stage.client.settle()
            try await customers.listen()
        }
        let report = try await stage.client.priceReport(of: campaign.name)
        let subscribers = try await stage.client.priceSubscribers(
            of: campaign.name, outcome: nil, cohort: nil)
        var members = report.value.object ?? [:]
        members["rehearsed"] = .bool(true)
        members["rehearsedOn"] = .string("fork")
        members["began"] = .string(start.iso8601)
        members["until"] = .string(walk.now.iso8601)
        return Outcome(
            report: Answer(value: .object(members), source: report.source),
            subscribers: try subscribers.list("subscribers"))
    }

    /// When it is over as far as the registers know: a day after the last outcome.
    private func plannedEnd(on stage: RehearsalStage) async throws -> Instant? {
        let report = try await stage.merchant.rehearse(file.definition, answers: answers)
        return report.days.last.flatMap { Instant(iso8601: "\($0.day)T00:00:00Z") }.map {
            $0 + .days(2)
        }
    }

    /// Whether nothing more is to come: nobody waits for a renewal or an answer, or until a renewal
    /// that failed is paid.
    private func isOver(
        on stage: RehearsalStage, at now: Instant, _ planned: Instant
    ) async throws -> Bool {
        let run = try await stage.merchant.campaignRun(campaign.name, of: campaign.bundleID)
        if run.state == .done { return true }
        guard now >= planned else { return false }
        let open: Set = [CampaignOutcome.waiting, .notified, .seen, .agreed]
        let isOpen = run.outcomes.contains { count in
            CampaignOutcome(rawValue: count.name).map(open.contains) ?? false
        }
        let isHeldUp = run.states.contains { count in
            count.name == "blocked" && count.detail == "inBillingRetry"
        }
        return !isOpen && !isHeldUp
    }

    /// Schedules the new prices in the fork, where they are not: what the developer does in App
    /// Store Connect.
    private func schedule(on store: StoreClient) async throws {
        let now = try await store.get(StorePath("connect", "v1", "clock")).moment("now")
        let start = campaign.live > now ? campaign.live.iso8601 : nil
        for (product, prices) in campaign.targets.sorted(by: { $0.key < $1.key }) {
            let app = StorePath("connect", "v1", "apps", campaign.bundleID, "price-changes")
            let known = try await store.get(app.with("product", product).with("limit", "200"))
                .list("priceChanges")
            for (storefront, price) in prices.sorted(by: { $0.key < $1.key }) {
                let isKnown = try known.contains {
                    try $0.text("storefront") == storefront && $0.integer("price") == price
                        && ["scheduled", "going", "done"].contains($0.text("state"))
                }
                guard !isKnown else { continue }
                let old = try await store.prices(campaign.bundleID, product, [storefront])
                    .list("prices").first?.integer("price")
                guard let old, old != price else { continue }
                let path = StorePath(
                    "connect", "v1", "apps", campaign.bundleID, "products", product,
                    "price-changes", storefront)
                let existing: String? = price > old ? "apply" : nil
                _ = try await store.send(.PUT, path) { json in
                    json.field("price", price)
                    json.field("start", start)
                    json.field("existing", existing)
                }
            }
        }
    }
}

import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Store
import SubscriptionRules
import Timeline

/// Moves the store's clock.
struct AdvanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance",
        abstract: "Move the store's clock forward, through everything that happens until then.",
        discussion: """
            Returns when everything due has happened and every notification due was tried. There \
            is one clock: Production and Sandbox move together. Beside a merchant whose campaigns \
            run the clock stops at each moment at which they have something to do, and once a day.

              perennial advance P1M
              perennial advance P1Y6M
              perennial advance --to 2027-01-01T00:00:00Z
            """)

    @Argument(
        help: "How far, as ISO 8601 writes it: P1M, P2W, P1Y, PT90M.", transform: Reading.step)
    var step: String?

    @Option(
        help: ArgumentHelp("Until when, in place of a step.", valueName: "instant"),
        transform: Reading.moment)
    var to: Instant?

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard step == nil || to == nil else {
            throw ValidationError("Say how far or until when: a step and --to exclude each other.")
        }
        guard step != nil || to != nil else {
            throw ValidationError("Say how far (P1M) or until when (--to 2027-01-01).")
        }
    }

    func run() async throws {
        let client = try store.client()
        let answer = try await Elapsed.watch("advancing") {
            guard let merchant = try? MerchantClient(client.address, of: nil),
                (try? await merchant.nextCampaignMoment()) != nil
            else { return try await advance(client, by: step, to: to) }
            return try await advance(client, beside: merchant)
        }
        try store.show(answer) { _ in
            let now = try answer.moment("now").plainText
            return ["\(now) UTC, \(counted(Int(try answer.integer("changes")), "event")) happened"]
                + (store.sandbox ? ["There is one clock: Production moved as well."] : [])
        }
    }

    private func advance(
        _ client: StoreClient, by step: String? = nil, to end: Instant?
    ) async throws -> Answer {
        try await client.send(.POST, StorePath("connect", "v1", "clock", "advance")) { json in
            json.field("by", step)
            json.field("to", end?.iso8601)
        }
    }

    /// Moves the clock from moment to moment, so that campaigns do everything on its day.
    ///
    /// - Returns: what the store answered last, with everything that happened.
    private func advance(
        _ client: StoreClient, beside merchant: MerchantClient
    ) async throws -> Answer {
        var walk = try await ClockWalk(client, beside: merchant)
        let steps = step.flatMap { CalendarStep(iso8601: $0) }
        guard let end = to ?? steps?.applied(to: walk.now), end > walk.now else {
            return try await advance(client, by: step, to: to)
        }
        while true {
            let answer = try await walk.step(to: end)
            guard walk.now < end else {
                var members = answer.value.object ?? [:]
                members["changes"] = .integer(walk.changes)
                return Answer(value: .object(members), source: answer.source)
            }
        }
    }
}

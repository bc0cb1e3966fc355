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
            is one clock: Production and Sandbox move together.

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
            try await client.send(.POST, StorePath("connect", "v1", "clock", "advance")) { json in
                json.field("by", step)
                json.field("to", to?.iso8601)
            }
        }
        try store.show(answer) { _ in
            let now = try answer.moment("now").plainText
            return ["\(now) UTC, \(counted(Int(try answer.integer("changes")), "event")) happened"]
                + (store.sandbox ? ["There is one clock: Production moved as well."] : [])
        }
    }
}

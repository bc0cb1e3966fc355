import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import Timeline

/// Moves the store's clock to what happens next.
struct StepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "step",
        abstract: "Move the store's clock to the next event.",
        discussion: """
            A step goes to the next moment at which something happens by itself: an event of a \
            subscription, such as a renewal, a retry or an end; a price that goes live; or an \
            attempt to deliver a notification. The output counts the events of subscriptions.

              perennial clock step
              perennial clock step 12
            """)

    @Argument(help: "How many steps, at most 1000.", transform: Reading.number(1...1000))
    var count = 1

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client()
        let answer = try await Elapsed.watch("stepping") {
            try await client.send(.POST, StorePath("connect", "v1", "clock", "step")) { json in
                json.field("count", count)
            }
        }
        try store.show(answer) { _ in try Self.words(answer) }
    }

    static func words(_ answer: Answer) throws -> [String] {
        let now = try answer.moment("now").plainText
        let steps = counted(Int(try answer.integer("steps")), "step")
        let changes = Int(try answer.integer("changes"))
        return [
            "\(now) UTC, \(steps), \(counted(changes, "event")) of "
                + (changes == 1 ? "a subscription" : "subscriptions")
        ]
    }
}

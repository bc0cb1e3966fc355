import ArgumentParser
import ConnectAnswers
import Timeline

/// Shows what a price campaign wrote to whom.
struct CampaignMessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        abstract: "Show the messages of a price campaign, with their words.",
        discussion: """
            Channels: mail, sheet, push. States: waiting, sending, sent, published, answered, \
            unreachable, dropped. Beside a store of `perennial dev` mails are files in the data \
            directory's outbox.

              perennial campaign messages spring-2027
              perennial campaign messages spring-2027 --channel mail --state unreachable
              perennial campaign messages spring-2027 --of 2000000012
            """)

    @Argument(help: "The campaign's name, as its file says: `campaign`.")
    var name: String

    @Option(help: "Only on this channel.")
    var channel: String?

    @Option(help: "Only in this state.")
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Only of this subscription.", valueName: "original-transaction-id"))
    var of: String?

    @Option(
        help: ArgumentHelp("Show at most so many. (default: 200)", valueName: "n"),
        transform: Reading.number(1...100_000))
    var limit = 200

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let found = try await store.merchant().campaignMessages(
            of: name, channel: channel, state: state, purchase: of, limit: limit)
        try store.show(found) { style in
            try PriceTable.lines(ofMessages: try found.list("messages"), style)
        }
    }
}

import ArgumentParser
import ConnectAnswers
import Timeline

/// Holds a campaign up.
struct CampaignPauseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Hold a price campaign up: nothing is sent or called until it is resumed.",
        discussion: """
            Answers of customers are kept meanwhile. A first mail that comes more than a day late \
            moves the new price to a later renewal.

              perennial campaign pause spring-2027
            """)

    @Argument(help: "The campaign's name, as its file says: `campaign`.")
    var name: String

    @OptionGroup var store: StoreOptions

    func run() async throws { try await store.moveCampaign(name, "pause") }
}

/// Lets a campaign go on.
struct CampaignResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Let a price campaign go on that was paused.",
        discussion: """
              perennial campaign resume spring-2027
            """)

    @Argument(help: "The campaign's name, as its file says: `campaign`.")
    var name: String

    @OptionGroup var store: StoreOptions

    func run() async throws { try await store.moveCampaign(name, "resume") }
}

/// Ends a campaign.
struct CampaignStopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "End a price campaign: nothing more is sent or called.",
        discussion: """
            What was sent stays sent, and a price that the store has taken comes with the renewal. \
            A campaign that was stopped does not go on again.

              perennial campaign stop spring-2027
            """)

    @Argument(help: "The campaign's name, as its file says: `campaign`.")
    var name: String

    @OptionGroup var store: StoreOptions

    func run() async throws { try await store.moveCampaign(name, "stop") }
}

extension StoreOptions {
    fileprivate func moveCampaign(_ name: String, _ word: String) async throws {
        let run = try await merchant().move(name, word)
        try show(run) { style in try PriceTable.lines(ofRun: run, style) }
    }
}

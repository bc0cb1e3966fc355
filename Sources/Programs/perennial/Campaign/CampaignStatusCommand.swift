import ArgumentParser
import ConnectAnswers
import Timeline

/// Says how far a campaign is.
struct CampaignStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say how far a campaign is that was started.",
        discussion: """
              perennial campaign status outage-2027-02
              perennial campaign status outage-2027-02 --json
            """)

    @Argument(help: "The campaign's name, as its file says: `campaign`.")
    var name: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let report = try await store.merchant().outage(name)
        try store.show(report) { style in try OutageTable.lines(of: report, style) }
    }
}

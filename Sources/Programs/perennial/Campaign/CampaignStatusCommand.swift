import ArgumentParser
import ConnectAnswers
import Timeline

/// Says how far a campaign is.
struct CampaignStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say how far a campaign is that was started.",
        discussion: """
              perennial campaign status spring-2027
              perennial campaign status outage-2027-02
              perennial campaign status outage-2027-02 --json
            """)

    @Argument(help: "The campaign's name, as its file says: `campaign`.")
    var name: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let merchant = try store.merchant()
        let run = try await merchant.campaign(name)
        guard try run.text("kind") == "outage" else {
            return try store.show(run) { style in try PriceTable.lines(ofRun: run, style) }
        }
        let report = try await merchant.outage(name)
        try store.show(report) { style in try OutageTable.lines(of: report, style) }
    }
}

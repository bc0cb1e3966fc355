import AppStoreWire
import ArgumentParser
import ConnectAnswers
import Timeline

/// Says what became of everybody in a campaign.
struct CampaignReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Say what became of everybody in a campaign.",
        discussion: """
            The counts add up to the audience. --csv and --json have every subscription, with the \
            call that extended it, or the reason why it was not.

              perennial campaign report outage-2027-02
              perennial campaign report outage-2027-02 --csv > report.csv
            """)

    @Argument(help: "The campaign's name, as its file says: `campaign`.")
    var name: String

    @Flag(help: "Print the subscriptions as CSV.")
    var csv = false

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard !csv || !store.json else { throw ValidationError("Give --csv or --json.") }
    }

    func run() async throws {
        let merchant = try store.merchant()
        if csv {
            let subscribers = try await merchant.outageSubscribers(name).list("subscribers")
            for line in OutageTable.csv(subscribers) { Output.line(line) }
            return
        }
        let report = try await merchant.outage(name)
        var members = report.value.object ?? [:]
        if store.json {
            let subscribers = try await merchant.outageSubscribers(name).list("subscribers")
            members["subscribers"] = .array(subscribers.map(\.value))
        }
        let answer = Answer(value: .object(members), source: report.source)
        try store.show(answer) { style in try OutageTable.lines(of: report, style) }
    }
}

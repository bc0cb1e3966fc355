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
            The counts add up to the audience. --csv has every subscription, with what became of \
            it. Every number of a price campaign opens to subscribers: --outcome and --cohort \
            narrow them.

              perennial campaign report spring-2027
              perennial campaign report spring-2027 --csv --outcome declined
              perennial campaign report outage-2027-02 --csv > report.csv
            """)

    @Argument(help: "The campaign's name, as its file says, or the file.")
    var campaign: String

    @Option(help: "Of a price campaign only subscribers with this outcome.")
    var outcome: String?

    @Option(help: "Of a price campaign only subscribers of this cohort.")
    var cohort: String?

    @Flag(help: "Print the subscriptions as CSV.")
    var csv = false

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard !csv || !store.json else { throw ValidationError("Give --csv or --json.") }
        guard csv || (outcome == nil && cohort == nil) else {
            throw ValidationError("--outcome and --cohort go with --csv.")
        }
    }

    func run() async throws {
        let merchant = try store.merchant()
        let name = try CampaignFiles.name(campaign, printingJSON: store.json)
        guard try await merchant.campaign(name).text("kind") == "outage" else {
            return try await reportPrices(of: name, at: merchant)
        }
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

    private func reportPrices(of name: String, at merchant: MerchantClient) async throws {
        if csv {
            let found = try await merchant.priceSubscribers(
                of: name, outcome: outcome, cohort: cohort)
            for line in PriceTable.csv(try found.list("subscribers")) { Output.line(line) }
            return
        }
        let report = try await merchant.priceReport(of: name)
        try store.show(report) { style in try PriceTable.lines(of: report, style) }
    }
}

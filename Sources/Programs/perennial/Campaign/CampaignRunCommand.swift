import AppStoreWire
import ArgumentParser
import ConnectAnswers
import Merchant
import MerchantConfiguration
import Timeline

/// Runs a campaign, or says what it would do.
struct CampaignRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Say what a campaign would do now; with --go, do it.",
        discussion: """
            Without --go this is a dry run: it plans the campaign, says what would be sent and \
            called today, and does neither. With --go the merchant carries it out, also after a \
            restart. What was sent, and an extension of a renewal date, cannot be taken back.

              perennial campaign run spring-2027.yaml
              perennial campaign run spring-2027.yaml --go
              perennial campaign run outage-2027.yaml --go
              perennial campaign status spring-2027
            """)

    @Argument(help: "The campaign (YAML).", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @Flag(help: "Do it, and not only say what would happen.")
    var go = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let campaign = try CampaignFiles.read(file, printingJSON: store.json)
        guard case .outage(let outage) = campaign.definition.work else {
            return try await runPrices(campaign)
        }
        let merchant = try store.merchant()
        guard go else {
            let plan = try await merchant.plan(campaign)
            try store.show(plan) { style in
                try PlanTable.totals(plan, style) + [""] + OutageTable.calls(of: outage)
                    + [
                        "",
                        "Nothing was done: `perennial campaign run \(word: file) --go` does it.",
                    ]
            }
            return
        }
        let report = try await merchant.startOutage(campaign)
        try store.show(report) { style in try OutageTable.lines(of: report, style) }
    }

    private func runPrices(_ campaign: CampaignFile) async throws {
        let answer = try await store.merchant().run(campaign, go: go)
        try store.show(answer) { style in
            if let run = answer.value["run"] {
                return try PriceTable.lines(
                    ofRun: Answer(value: run, source: answer.source), style)
            }
            let plan = Answer(value: answer.value["plan"] ?? .object([:]), source: answer.source)
            return try PlanTable.totals(plan, style)
                + [
                    "", try PriceTable.today(answer),
                    "Nothing was done: `perennial campaign run \(word: file) --go` does it.",
                ]
        }
    }
}

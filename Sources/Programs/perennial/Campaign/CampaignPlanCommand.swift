import AppStoreWire
import ArgumentParser
import ConnectAnswers
import Merchant
import MerchantConfiguration
import Timeline

/// Plans a campaign: what it would do, for whom, and when.
struct CampaignPlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Say what a campaign would do: for whom, when, and what is at stake.",
        discussion: """
            The merchant keeps the plan with the prices of today. Nothing is sent, and no price \
            changes. --sample draws the same subscribers for the same --seed.

              perennial campaign plan spring-2027.yaml
              perennial campaign plan spring-2027.yaml --sample 20 --seed 7
              perennial campaign plan spring-2027.yaml --left-out
              perennial campaign plan spring-2027.yaml --csv > plan.csv
            """)

    @Argument(help: "The campaign (YAML).", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @Option(
        help: ArgumentHelp("Show so many subscribers, drawn at random.", valueName: "n"),
        transform: Reading.number(1...200))
    var sample: Int?

    @Option(
        help: ArgumentHelp("What they are drawn by. (default: 0)", valueName: "n"),
        transform: Reading.number(0...Int64.max))
    var seed: Int64?

    @Flag(help: "Show whom the campaign does not reach, and why.")
    var leftOut = false

    @Flag(help: "Print the subscribers as CSV, all of them unless you narrow them.")
    var csv = false

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard sample == nil || !leftOut else {
            throw ValidationError("Give --sample or --left-out: each shows subscribers.")
        }
        guard seed == nil || sample != nil else {
            throw ValidationError("--seed goes with --sample.")
        }
        guard !csv || !store.json else { throw ValidationError("Give --csv or --json.") }
    }

    func run() async throws {
        let campaign = try CampaignFiles.read(file, printingJSON: store.json)
        let merchant = try store.merchant()
        let plan = try await merchant.plan(campaign)
        let subscribers = try await self.subscribers(of: try plan.integer("id"), at: merchant)
        if csv {
            for line in try PlanTable.csv(subscribers) { Output.line(line) }
            return
        }
        var members = plan.value.object ?? [:]
        if sample != nil || leftOut || store.json {
            members["subscribers"] = .array(subscribers.map(\.value))
        }
        let answer = Answer(value: .object(members), source: plan.source)
        try store.show(answer) { style in
            var totals = try PlanTable.totals(plan, style)
            if case .outage(let outage) = campaign.definition.work {
                totals += [""] + OutageTable.calls(of: outage)
            }
            guard sample != nil || leftOut else { return totals }
            return totals + [""] + (try PlanTable.lines(subscribers, style))
        }
    }

    /// Those that are shown: none where only sums are.
    private func subscribers(
        of plan: Int64, at merchant: MerchantClient
    ) async throws -> [Answer] {
        if let sample {
            return try await merchant.sample(of: plan, count: sample, seed: seed ?? 0)
                .list("subscribers")
        }
        if leftOut {
            var all: [Answer] = []
            for decision in ["blocked", "notEligible", "leftOut"] {
                all += try await merchant.subscribers(of: plan, decision: decision)
                    .list("subscribers")
            }
            return all
        }
        guard csv || store.json else { return [] }
        return try await merchant.subscribers(of: plan, decision: nil).list("subscribers")
    }
}

import ArgumentParser

/// Plans campaigns.
struct CampaignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaign",
        abstract: "Plan a price increase, or days for an outage, for all subscribers it reaches.",
        discussion: """
            A campaign is a file: docs/campaigns.md describes it, docs/schemas/campaign.json is its \
            JSON schema.

              perennial campaign check spring-2027.yaml
              perennial campaign plan spring-2027.yaml --sample 20
            """,
        subcommands: [CampaignCheckCommand.self, CampaignPlanCommand.self])
}

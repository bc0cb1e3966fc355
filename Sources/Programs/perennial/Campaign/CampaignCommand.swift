import ArgumentParser

/// Plans and runs campaigns.
struct CampaignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaign",
        abstract: "Plan a price increase, or plan and run days for an outage.",
        discussion: """
            A campaign is a file: docs/campaigns.md describes it, docs/schemas/campaign.json is its \
            JSON schema.

              perennial campaign check spring-2027.yaml
              perennial campaign plan spring-2027.yaml --sample 20
              perennial campaign run outage-2027.yaml --go
              perennial campaign report outage-2027-02
            """,
        subcommands: [
            CampaignCheckCommand.self, CampaignPlanCommand.self, CampaignRunCommand.self,
            CampaignStatusCommand.self, CampaignReportCommand.self,
        ])
}

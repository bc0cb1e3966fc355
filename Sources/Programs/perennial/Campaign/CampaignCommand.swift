import ArgumentParser

/// Plans and runs campaigns.
struct CampaignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaign",
        abstract: "Plan, rehearse and run a price increase, or days for an outage.",
        discussion: """
            A campaign is a file: docs/campaigns.md describes it, docs/schemas/campaign.json its \
            JSON schema.

              perennial campaign check spring-2027.yaml
              perennial campaign plan spring-2027.yaml --sample 20
              perennial campaign rehearse spring-2027.yaml
              perennial campaign run spring-2027.yaml --go
              perennial campaign report spring-2027
            """,
        subcommands: [
            CampaignCheckCommand.self, CampaignPlanCommand.self, CampaignRehearseCommand.self,
            CampaignRunCommand.self, CampaignStatusCommand.self, CampaignMessagesCommand.self,
            CampaignConsentsCommand.self, CampaignPauseCommand.self, CampaignResumeCommand.self,
            CampaignStopCommand.self, CampaignReportCommand.self,
        ])
}

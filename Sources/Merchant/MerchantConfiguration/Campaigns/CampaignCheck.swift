public import Merchant
public import PlacedYAML

/// What was found in a campaign's file.
public struct CampaignCheck: Hashable, Sendable {
    /// Nil where something is wrong.
    public let definition: CampaignDefinition?
    /// Everything that is wrong with it, in the order of the file.
    public let problems: [ConfigurationProblem]
    /// The files that it names, as far as it could be read, also those that are missing.
    public let names: [String]
}

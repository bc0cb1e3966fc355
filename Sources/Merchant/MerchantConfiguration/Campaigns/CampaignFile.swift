import FoundationEssentials
public import Merchant
public import PlacedYAML

/// A campaign's file as it was read, with the texts of the files that it names.
public struct CampaignFile: Hashable, Sendable {
    public let definition: CampaignDefinition
    /// The YAML as it stands in the file.
    public let text: String
    /// The files that it names, by the names that it gives them.
    public let attachments: [String: String]

    /// How large a campaign's file, or one that it names, may be, in bytes.
    public static let sizeLimit = 1 << 20

    /// Reads a campaign, and the files that it names, from its folder.
    ///
    /// - Throws: everything that is wrong with it.
    public static func read(file path: String) throws(ConfigurationErrors) -> CampaignFile {
        var problems = Problems()
        let text = YAMLText.text(at: path, "a campaign", &problems)
        try problems.check()
        let folder = Paths.folder(of: path)
        return try read(text ?? "", named: path) { name in
            guard let data = FileManager.default.contents(atPath: Paths.path(name, from: folder)),
                data.count <= sizeLimit
            else { return nil }
            return String(validating: data, as: UTF8.self)
        }
    }

    /// Reads a campaign that was sent: the files that it names were sent with it, and none is
    /// opened.
    ///
    /// - Parameter name: what problems call the file.
    /// - Throws: everything that is wrong with it.
    public static func read(
        _ text: String, named name: String, attachments: [String: String]
    ) throws(ConfigurationErrors) -> CampaignFile {
        try read(text, named: name) { attachments[$0] }
    }

    /// Says what is wrong with a campaign that was sent, and which files it names.
    ///
    /// - Parameter name: what problems call the file.
    public static func check(
        _ text: String, named name: String, attachments: [String: String]
    ) -> CampaignCheck {
        var names: [String] = []
        do {
            let file = try read(text, named: name) { wanted in
                if !names.contains(wanted) { names.append(wanted) }
                return attachments[wanted]
            }
            return CampaignCheck(definition: file.definition, problems: [], names: names)
        } catch {
            return CampaignCheck(definition: nil, problems: error.problems, names: names)
        }
    }

    private static func read(
        _ text: String, named name: String, _ contents: @escaping (String) -> String?
    ) throws(ConfigurationErrors) -> CampaignFile {
        var problems = Problems()
        var definition: CampaignDefinition?
        var reader = CampaignReader(contents: contents)
        let root = YAMLText.root(
            of: text, named: name, ifEmpty: "name the campaign, `campaign: NAME`", &problems)
        if let root {
            definition = reader.campaign(root, &problems)
        }
        try problems.check()
        guard let definition else { preconditionFailure("a campaign without a problem is one") }
        return CampaignFile(definition: definition, text: text, attachments: reader.attachments)
    }
}

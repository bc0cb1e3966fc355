import FoundationEssentials
public import Merchant
import Yams

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
        let text = Self.text(at: path, &problems)
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

    private static func read(
        _ text: String, named name: String, _ contents: @escaping (String) -> String?
    ) throws(ConfigurationErrors) -> CampaignFile {
        var problems = Problems()
        var definition: CampaignDefinition?
        var reader = CampaignReader(contents: contents)
        if let root = root(of: text, named: name, &problems) {
            definition = reader.campaign(root, &problems)
        }
        try problems.check()
        guard let definition else { preconditionFailure("a campaign without a problem is one") }
        return CampaignFile(definition: definition, text: text, attachments: reader.attachments)
    }

    private static func text(at path: String, _ problems: inout Problems) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else {
            problems.add(path, "There is no such file that can be read: correct the path.")
            return nil
        }
        guard data.count <= sizeLimit else {
            problems.add(path, "The file has more than 1 MiB: give a campaign.")
            return nil
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            problems.add(path, "The file is not UTF-8: save it as such.")
            return nil
        }
        return text
    }

    private static func root(
        of text: String, named name: String, _ problems: inout Problems
    ) -> Place? {
        let aliases = "The file says too much by aliases: write out what they stand for."
        guard !AliasLimit.isExceeded(byText: text) else {
            problems.add(name, aliases)
            return nil
        }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            problems.add(complaint: error, name)
            return nil
        }
        guard let root else {
            problems.add(name, line: 1, "The file is empty: name the campaign, `campaign: NAME`.")
            return nil
        }
        guard !AliasLimit.isExceeded(by: root, of: text) else {
            problems.add(name, aliases)
            return nil
        }
        return Place(file: name, member: "", line: root.mark?.line ?? 1, node: root)
    }
}

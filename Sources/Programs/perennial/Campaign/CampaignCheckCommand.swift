import AppStoreWire
import ArgumentParser
import Merchant
import MerchantConfiguration
import PlacedYAML

/// Says what a campaign's file means, or everything that is wrong with it.
struct CampaignCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Say what a campaign's file means, or what is wrong with it.",
        discussion: """
            Reads files only, and asks no merchant. Exit code 1 when the file has errors.

              perennial campaign check spring-2027.yaml
              perennial campaign check spring-2027.yaml --json
            """)

    @Argument(help: "The campaign (YAML).", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let found = try CampaignFiles.read(file, printingJSON: json)
        if json {
            Output.line(PrettyJSON.text(of: CampaignWords.value(of: found.definition)))
        } else {
            let style = Output.style()
            for line in CampaignWords.lines(of: found.definition, style) { Output.line(line) }
        }
    }
}

/// Reads campaigns for commands.
enum CampaignFiles {
    /// A campaign; what is wrong with it is printed.
    ///
    /// - Throws: `Failure`, with nothing left to say.
    static func read(_ path: String, printingJSON: Bool) throws -> CampaignFile {
        do {
            return try CampaignFile.read(file: path)
        } catch {
            if printingJSON {
                Output.line(PrettyJSON.text(of: error.value))
            } else {
                for problem in error.problems { Output.line("\(problem)") }
            }
            // All was said.
            throw Failure.refused("")
        }
    }
}

extension CampaignFiles {
    /// The name of a campaign, where its file may be named instead.
    static func name(_ word: String, printingJSON: Bool) throws -> String {
        guard word.hasSuffix(".yaml") || word.hasSuffix(".yml") else { return word }
        return try read(word, printingJSON: printingJSON).definition.name
    }
}

extension ConfigurationErrors {
    /// What is wrong, as JSON.
    var value: JSONValue { problems.value }
}

extension [ConfigurationProblem] {
    /// The same of several files.
    var value: JSONValue {
        .object([
            "problems": .array(
                map { problem in
                    var members: [String: JSONValue] = [
                        "file": .string(problem.file), "message": .string(problem.message),
                    ]
                    if let line = problem.line { members["line"] = .integer(Int64(line)) }
                    if let column = problem.column {
                        members["column"] = .integer(Int64(column))
                    }
                    if !problem.member.isEmpty { members["member"] = .string(problem.member) }
                    return .object(members)
                })
        ])
    }
}

import AppStoreWire
import Testing
import Timeline

@testable import perennial

@Suite("Help")
struct HelpTests {
    /// All commands, from the program itself on, groups before what is in them.
    static var commands: [[String]] {
        var all: [[String]] = [[]]
        for command in Vocabulary.shared.commands {
            let verbs = command.split(separator: " ").map(String.init)
            for count in 1...verbs.count where !all.contains(Array(verbs[..<count])) {
                all.append(Array(verbs[..<count]))
            }
        }
        return all
    }

    @Test(
        "Every command explains itself with an example, no line wider than the terminal",
        arguments: commands)
    func help(command: [String]) throws {
        // The parser takes its time, so it writes each once.
        let ending = try #require(
            Ending.parsing(command + ["--help"], style: Style(columns: 10_000)))
        #expect(ending.code == 0)
        #expect(ending.complaint == "")
        let example = "\n  perennial " + command.joined(separator: " ")
        #expect(HelpText.folded(ending.output, width: 80).contains(example))
        for width in [50, 64, 80, 120] {
            for line in HelpText.folded(ending.output, width: width).split(separator: "\n") {
                // What a shell takes as one word cannot be broken.
                let isOneWord = line.split(separator: " " as Character).count == 1
                let isOption = line.hasSuffix("\\") && line.contains("  --")
                let isFree = isOneWord || isOption || line.contains("\"")
                #expect(line.count <= width || isFree, "\(width): \(line)")
            }
        }
    }

    @Test("--sandbox is in no help of a command that always refuses it")
    func wholeApp() {
        let vocabulary = Vocabulary.shared
        for command in [
            "app set", "price set", "price schedule", "price withdraw", "app add",
        ] {
            #expect(
                Ending.parsing(command.split(separator: " ").map(String.init) + ["--help"])?
                    .output.contains("--sandbox ") == false, "\(command)")
        }
        #expect(vocabulary.parameters(of: "buy").contains("--sandbox"))
    }

    @Test("Help is folded to the terminal that it is for")
    func width() throws {
        let wide = try #require(Ending.parsing(["buy", "--help"], style: Style(columns: 10_000)))
        let narrow = try #require(Ending.parsing(["buy", "--help"], style: Style(columns: 50)))
        #expect(narrow.output == HelpText.folded(wide.output, width: 50))
        #expect(narrow.output != wide.output)
    }

    @Test("Help has one line for what all commands have in common, and all of it on demand")
    func common() {
        let help = Ending.parsing(["buy", "--help"])?.output ?? ""
        #expect(help.contains("Every command: --json"))
        #expect(help.contains("--no-wait"))
        #expect(!help.contains("The operator token"))
        #expect(
            Ending.parsing(["buy", "--help-hidden"])?.output.contains("The operator token") == true)
        #expect(
            Ending.parsing(["catalog", "check", "--help"])?.output.contains("--ready") == false)
    }

    @Test(
        "What programs read has the parser's own lines, however narrow the terminal is",
        arguments: [
            ["--experimental-dump-help"], ["serve", "--experimental-dump-help"],
            ["--generate-completion-script", "bash"], ["--generate-completion-script=zsh"],
            ["--generate-completion-script", "fish"],
        ])
    func forPrograms(arguments: [String]) throws {
        let narrow = try #require(Ending.parsing(arguments, style: Style(columns: 40)))
        let wide = try #require(Ending.parsing(arguments, style: Style(columns: 200)))
        #expect(narrow == wide)
        #expect(narrow.code == 0)
        if arguments.contains("--experimental-dump-help") {
            _ = try JSONValue(parsing: Array(narrow.output.utf8))
        }
    }
}

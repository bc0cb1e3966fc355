import AppStoreWire
import ArgumentParser
import Foundation
import Testing

@testable import perennial

@Suite("Commands that are proposed")
struct RemedyTests {
    /// A command in the words of a source file: whatever is filled in is `X` where it is quoted
    /// for a shell, else `?`.
    private struct Proposal: CustomStringConvertible {
        var file: String
        var words: [String]
        /// Help may name a command without saying all of it.
        var isHelp: Bool

        var description: String { "\(file): perennial \(words.joined(separator: " "))" }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// What the parser says of every command, which takes it long.
    private static let help = try? JSONValue(
        parsing: Array(Perennial._dumpHelp().utf8))["command"]

    @Test("Every one of them is whole, and what is filled in is quoted for a shell")
    func whole() throws {
        let help = try #require(Self.help)
        let proposals = try Self.proposals()
        #expect(proposals.count { !$0.isHelp } > 50)
        for proposal in proposals {
            let gap = Self.gap(in: proposal, help)
            #expect(gap == nil, "\(proposal): \(gap ?? "")")
        }
    }

    @Test("Every command that a document shows in a block is taken by the parser")
    func documents() throws {
        let shown = try Self.shown(inBlocksOf: Self.documents())
        #expect(shown.count > 40)
        for (file, line) in shown {
            #expect(throws: Never.self, "\(file): perennial \(line)") {
                _ = try Perennial.parseAsRoot(Self.words(of: line))
            }
        }
    }

    @Test("Every command that a document, help or the console names is one of the program's")
    func named() throws {
        let vocabulary = Vocabulary.shared
        var named: [(file: String, line: String)] = []
        for (file, text) in try Self.documents() {
            named += text.matches(of: /`perennial ([a-z][^`]*)`/).map {
                (file, String($0.output.1).replacing("\n", with: " "))
            }
        }
        for (file, text) in try Self.texts(under: "Sources", ending: ".swift") {
            named += text.matches(of: /\n +perennial ([a-z][^\n]*)/)
                .map { (file, String($0.output.1)) }
            let calls = text.matches(
                of: /(?:command: |\u{22}, |\? )\[((?:\u{22}[a-z-]+\u{22}(?:, )?)+)/)
            named += calls.filter { file.contains("/Console/") && !$0.output.1.isEmpty }
                .map { String($0.output.1).replacing(/[\u{22},]/, with: "") }
                .filter { !$0.hasPrefix("--") && !$0.hasPrefix("connect ") }
                .map { (file, $0) }
        }
        #expect(named.count > 300)
        for (file, line) in named {
            let words = line.split(separator: " ").map(String.init)
            let verbs = vocabulary.verbs(in: words)
            let known = vocabulary.parameters(of: line)
            let below = vocabulary.commands.filter {
                $0.hasPrefix(verbs.joined(separator: " ") + " ")
            }
            let next = words.dropFirst(verbs.count).first
            #expect(
                !verbs.isEmpty && (below.isEmpty || !known.isEmpty || next == nil),
                "\(file): perennial \(line)")
            let options = words.filter { $0.wholeMatch(of: /--[a-z-]+/) != nil }
            for option in options where below.isEmpty {
                #expect(
                    known.contains(option) || ["--help", "--version"].contains(option),
                    "\(file): perennial \(line)")
            }
        }
    }

    @Test(
        "A command that lacks something is found",
        arguments: [
            ("timeline", "<target>"), ("price of", "<subscription>"),
            ("refunds grant", "<request>"), ("world", "no verb"), ("refunds issue", "nothing"),
            ("buy PRODUCT", "--account"), ("buy PRODUCT --account", "--account without"),
            ("buy PRODUCT --acount A", "--acount"), ("status ? ", "quoted"), ("advance", "nothing"),
            ("status A B", "too many"), ("extensions grant-all PRODUCT", "--days"),
            ("staus A", "no verb"),
        ])
    func gaps(command: String, words: String) throws {
        let help = try #require(Self.help)
        let proposal = Proposal(
            file: "", words: command.split(separator: " ").map(String.init), isHelp: false)
        #expect(Self.gap(in: proposal, help)?.contains(words) == true)
    }

    @Test(
        "Names that are at hand are filled in, each as one word of a shell",
        arguments: [
            ("`perennial pay ACCOUNT approve` pays.", "`perennial pay 'a b' approve` pays."),
            ("`perennial buy PRODUCT --account ACCOUNT`", "`perennial buy p.q --account 'a b'`"),
            ("ACCOUNT is none, `perennial bills answer BILL paid`", nil),
        ])
    func names(text: String, filled: String?) {
        #expect(Remedies.filled(text, [.account: "a b", .product: "p.q"]) == filled ?? text)
    }

    @Test("What is in quotes may hold any mark", arguments: ["a b", "it's", "a`b", "`", "a\\b'"])
    func marks(account: String) {
        let meant = Remedies(areInSandbox: true).meant(
            "`perennial status \(word: account)` or `perennial bills`")
        let word = Remedies.word(account)
        #expect(meant == "`perennial status \(word) --sandbox` or `perennial bills --sandbox`")
    }

    @Test("Where the clock is the machine's, the command for another one is named")
    func clock() async throws {
        try await withDirectory { directory in
            let ready = "\(directory)/r.json"
            let program = Program(environment: ["PERENNIAL_READY": ready, "TMPDIR": directory])
            let store = try program.start([
                "serve", Self.root.appending(path: "Examples/Garden.storekit").path, "--ephemeral",
                "--clock", "system", "--port", "0", "--sandbox-port", "0", "--ready-file", ready,
                "--json",
            ])
            try await store.output.wait(for: "\n}\n")
            for command in ["advance P1M", "clock step"] {
                try await expect(
                    program, command,
                    isRefusedWith: "goes by the machine and cannot be moved. `perennial serve "
                        + "FILE.storekit --data DIRECTORY --clock running` makes a world whose "
                        + "clock can be moved; `perennial world forks create NAME` copies this "
                        + "one into such "
                        + "a world. [clockIsSystem]")
            }
            store.terminate()
            #expect(await store.end() == 0)
        }
    }

    // MARK: Reading the documents

    private static func texts(
        under folder: String, ending: String
    ) throws -> [(file: String, text: String)] {
        let home = root.appending(path: folder)
        let files = try #require(FileManager.default.enumerator(atPath: home.path))
        return try files.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.map {
            ("\(folder)/\($0)", try String(contentsOf: home.appending(path: $0), encoding: .utf8))
        }
    }

    /// README, CHANGELOG and all of docs/, with their texts.
    private static func documents() throws -> [(file: String, text: String)] {
        try ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map {
            ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
        } + texts(under: "docs", ending: ".md")
    }

    /// The command lines in blocks of shell, without the program.
    private static func shown(
        inBlocksOf documents: [(file: String, text: String)]
    ) -> [(file: String, line: String)] {
        documents.flatMap { file, text in
            text.matches(of: /```sh\n((?:.|\n)*?)```/).flatMap { block in
                block.output.1.replacing("\\\n", with: " ").split(separator: "\n").compactMap {
                    $0.firstMatch(of: /(?:^|\/| |\()perennial ([a-z][^|>&)]*)/).map {
                        (file, String($0.output.1))
                    }
                }
            }
        }
    }

    /// A command line as a shell splits it; a comment ends it.
    private static func words(of line: String) -> [String] {
        let parts = line.replacing(/[ ]#.*/, with: "")
            .matches(of: /(?:[^ '\u{22}]|'[^']*'|\u{22}[^\u{22}]*\u{22})+/)
        return parts.map { String($0.output).replacing(/['\u{22}]/, with: "") }
    }

    // MARK: Reading the sources

    private static func proposals() throws -> [Proposal] {
        let sources = root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        var found: [Proposal] = []
        for case let path as String in files
        where path.hasSuffix(".swift") && !path.hasSuffix("/Remedies.swift") {
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            let (lines, help) = literals(of: text)
            for (text, isHelp) in [(lines, false), (help, true)] {
                let commands = text.matches(of: /`perennial ([^`\u{22}]*)(.)/)
                for command in commands {
                    // A piece that goes on elsewhere could not be read.
                    let words = command.output.1.split(whereSeparator: \.isWhitespace)
                    let isWhole = command.output.2 == "`"
                    found.append(
                        Proposal(
                            file: path, words: words.map(String.init) + (isWhole ? [] : ["?"]),
                            isHelp: isHelp))
                }
            }
        }
        return found
    }

    /// A file's lines with its literals joined, and its help texts.
    private static func literals(of text: String) -> (lines: String, help: String) {
        let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            .joined(separator: "\n")
        var (lines, help) = ("", "")
        for (index, part) in code.split(separator: "\"\"\"", omittingEmptySubsequences: false)
            .enumerated()
        {
            if index % 2 == 0 { lines += part } else { help += part.replacing(/\\\n */, with: "") }
        }
        return (filledIn(lines).replacing(/\u{22} *\n *\+ \u{22}/, with: ""), filledIn(help))
    }

    /// A text in which a word stands for whatever is filled in.
    private static func filledIn(_ text: String) -> String {
        var filled = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "\\(") {
            filled += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            filled += rest.hasPrefix("word: ") ? "X" : "?"
            var open = 1
            while open > 0, let mark = rest.popFirst() {
                if mark == "(" { open += 1 }
                if mark == ")" { open -= 1 }
            }
        }
        return filled + rest
    }

    // MARK: Judging a command

    /// What has nothing that is required, and does nothing alone.
    private static let needing: Set = [
        "refunds issue", "refunds reverse", "advance", "app set", "notify",
    ]

    /// What a command lacks; nil for nothing.
    private static func gap(in proposal: Proposal, _ help: JSONValue) -> String? {
        var (command, rest, verbs) = (help, proposal.words[...], [String]())
        func child(_ name: String) -> JSONValue? {
            command["subcommands"]?.array?.first { $0["commandName"]?.string == name }
        }
        while let word = rest.first, let verb = child(word) {
            (command, rest, verbs) = (verb, rest.dropFirst(), verbs + [word])
        }
        if verbs.isEmpty { return "no verb" }
        if proposal.isHelp { return nil }
        if let fallback = command["defaultSubcommand"]?.string, let verb = child(fallback) {
            command = verb
        } else if command["subcommands"]?.array?.contains(where: {
            $0["commandName"]?.string != "help"
        }) == true {
            return "no verb below \(verbs.joined(separator: " "))"
        }
        if rest.contains(where: { $0.contains("?") }) { return "something is not quoted" }
        if rest.isEmpty, needing.contains(verbs.joined(separator: " ")) { return "nothing follows" }
        return gap(in: rest, command["arguments"]?.array ?? [])
    }

    private static func gap(in words: ArraySlice<String>, _ arguments: [JSONValue]) -> String? {
        func name(_ argument: JSONValue) -> String {
            let names = argument["names"]?.array ?? []
            return names.first { $0["kind"]?.string == "long" }?["name"]?.string ?? ""
        }
        var (rest, given, count) = (words, Set<String>(), 0)
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                count += 1
                continue
            }
            let option = String(word.dropFirst(2))
            given.insert(option)
            guard let known = arguments.first(where: { name($0) == option }) else {
                return "\(word) is unknown"
            }
            guard known["kind"]?.string == "option" else { continue }
            guard let value = rest.popFirst(), !value.hasPrefix("--") else {
                return "\(word) without a value"
            }
        }
        let places = arguments.filter { $0["kind"]?.string == "positional" }
        let needed = places.filter { $0["isOptional"]?.bool == false }
        if count < needed.count {
            return "<\(needed[count]["valueName"]?.string ?? "")> is missing"
        }
        if count > places.count, places.last?["isRepeating"]?.bool != true { return "too many" }
        let options = arguments.filter {
            $0["kind"]?.string == "option" && $0["isOptional"]?.bool == false
        }.map(name)
        return options.first { !given.contains($0) }.map { "--\($0) is missing" }
    }
}

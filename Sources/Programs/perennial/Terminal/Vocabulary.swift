import AppStoreWire
import ArgumentParser

/// The verbs and options that there are, as the parser describes itself.
struct Vocabulary {
    /// A command as it is declared; nil is the parser's own `help`.
    private typealias Command = (any ParsableCommand.Type)?

    /// Of this program.
    static let shared = Vocabulary(root: Perennial.self)

    private let root: any ParsableCommand.Type

    /// Every command that does something, by its verbs: `fault add`.
    var commands: [String] { Vocabulary.commands(of: root, []) }

    /// The long options of a command, such as `--json`, and the names of its arguments.
    ///
    /// - Parameter command: its verbs, and whatever stands behind them.
    func parameters(of command: String) -> [String] {
        arguments(of: command).compactMap { argument in
            Vocabulary.long(argument) ?? argument["valueName"]?.string
        }
    }

    /// The long options of a command that take no value.
    ///
    /// - Parameter command: its verbs, and whatever stands behind them.
    func flags(of command: String) -> [String] {
        arguments(of: command).filter { $0["kind"]?.string == "flag" }.compactMap(Vocabulary.long)
    }

    /// The verbs with which a command line begins.
    func verbs(in arguments: [String]) -> [String] {
        var (command, verbs) = (root as Command, [String]())
        for word in arguments {
            guard let found = subcommands(of: command).first(where: { $0.verb == word }) else {
                break
            }
            (command, verbs) = (found.command, verbs + [word])
        }
        return verbs
    }

    private func arguments(of command: String) -> [JSONValue] {
        var found = root as Command
        for verb in verbs(in: command.split(separator: " ").map(String.init)) {
            found = subcommands(of: found).first { $0.verb == verb }?.command
        }
        return Vocabulary.arguments(of: found?.configuration.defaultSubcommand ?? found)
    }

    private func subcommands(of command: Command) -> [(verb: String, command: Command)] {
        guard let command else { return [] }
        return command.configuration.subcommands.map { ($0._commandName, $0) }
            + (command == root ? [("help", nil)] : [])
    }

    /// Of this command alone: to describe all of them takes seconds where nothing is optimised.
    private static func arguments(of command: Command) -> [JSONValue] {
        guard let command else { return [] }
        let description = try? JSONValue(parsing: Array(command._dumpHelp().utf8))
        return description?["command"]?["arguments"]?.array ?? []
    }

    private static func long(_ argument: JSONValue) -> String? {
        let names = argument["names"]?.array ?? []
        let long = names.first { $0["kind"]?.string == "long" }?["name"]?.string
        return long.map { "--" + $0 }
    }

    private static func commands(
        of command: any ParsableCommand.Type, _ verbs: [String]
    ) -> [String] {
        let below = command.configuration.subcommands
        guard !below.isEmpty else { return [verbs.joined(separator: " ")] }
        return below.flatMap { commands(of: $0, verbs + [$0._commandName]) }
    }

    /// What is mistyped in a command line that the parser refuses, in one sentence; nil where all
    /// verbs and options are known.
    func complaint(about arguments: [String]) -> String? {
        var (command, rest) = (root as Command, arguments[...])
        while let word = rest.first, !word.hasPrefix("-") {
            let known = subcommands(of: command)
            guard !known.isEmpty else { break }
            if let found = known.first(where: { $0.verb == word }) {
                (command, rest) = (found.command, rest.dropFirst())
                continue
            }
            let verbs = known.map(\.verb)
            if let fallback = command?.configuration.defaultSubcommand,
                Vocabulary.nearest(to: word, of: verbs) == nil
            {
                command = fallback
                break
            }
            return "Unknown verb '\(word)'." + Vocabulary.suggestion(for: word, of: verbs)
        }
        // Options may follow a verb at once that has others below it.
        if rest.first?.hasPrefix("-") == true {
            command = command?.configuration.defaultSubcommand ?? command
        }
        return unknownOption(in: rest, of: command)
    }

    /// The parser's complaint in one sentence: where it lists values, the nearest is named.
    static func named(_ complaint: String) -> String {
        let lines = complaint.split(separator: "\n").map { $0.drop { $0 == " " } }
        let values = lines.filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
        guard !values.isEmpty else { return lines.joined(separator: " ") }
        let words = lines.filter { !$0.hasPrefix("- ") }.joined(separator: " ")
        let typed = words.firstMatch(of: /The value '([^']*)'/).map { String($0.output.1) }
        let near = typed.map { suggestion(for: $0, of: values) } ?? ""
        return "\(words) \(values.joined(separator: ", "))." + near
    }

    private func unknownOption(in arguments: ArraySlice<String>, of command: Command) -> String? {
        let names = Vocabulary.arguments(of: command).flatMap { $0["names"]?.array ?? [] }
            .filter { $0["kind"]?.string == "long" }
            .compactMap { $0["name"]?.string.map { "--" + $0 } }
        let typed = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.prefix { $0 != "=" }) }
        return typed.first { !names.contains($0) }.map {
            "Unknown option '\($0)'." + Vocabulary.suggestion(for: $0, of: names)
        }
    }

    /// The question for the nearest name; empty where none is near.
    static func suggestion(for word: String, of names: [String]) -> String {
        nearest(to: word, of: names).map { " Did you mean '\($0)'?" } ?? ""
    }

    /// The name that needs the fewest letters changed; nil where none is near.
    static func nearest(to word: String, of names: [String]) -> String? {
        let near = names.map { (name: $0, distance: distance(word, $0)) }
            .min { $0.distance < $1.distance }
        return near.flatMap { $0.distance <= max(1, word.count / 3) ? $0.name : nil }
    }

    /// How many letters must be put in, taken out or changed, or changed places with the next
    /// (optimal string alignment).
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var before: [Int] = []
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var next = [index + 1]
            for place in right.indices {
                let change = row[place] + (letter == right[place] ? 0 : 1)
                var least = min(change, row[place + 1] + 1, next[place] + 1)
                if index > 0, place > 0, letter == right[place - 1], left[index - 1] == right[place]
                {
                    least = min(least, before[place - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[right.count]
    }
}

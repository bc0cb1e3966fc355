/// Commands that are named in what is said to people: they are meant for the environment and the
/// app that the command was about which says it, and hold the names that are at hand.
struct Remedies: Hashable {
    /// What stands in capitals for a name that is not at hand.
    enum Name: String, Hashable, CaseIterable {
        case account = "ACCOUNT"
        case bill = "BILL"
        case product = "PRODUCT"
        case subscription = "SUBSCRIPTION"
        case transaction = "TRANSACTION"
    }

    /// Whether it was about Sandbox.
    var areInSandbox = false
    /// The app that was named.
    var app: String?

    /// Verbs that know one environment alone, or both at once.
    private static let ofBoth = [
        "serve", "world", "catalog", "app add", "app set", "price set", "price schedule",
        "price withdraw", "price unpreserve", "price explain", "price thresholds", "product",
        "advance", "clock",
    ]

    /// Verbs to which an app is new, or which name accounts that all apps share.
    private static let ofAllApps = [
        "serve", "app add", "customer list", "customer move", "customer set",
        "customer clear-history",
    ]

    /// A text with commands that do what was meant, and can be typed as they stand.
    func meant(_ text: String) -> String {
        Remedies.replacing(text) { command in
            Remedies.typed(command + narrowing(command) + environment(of: command))
        }
    }

    private func environment(of command: String) -> String {
        guard areInSandbox, !Self.isAny(of: Self.ofBoth, command), !command.contains(" --sandbox")
        else { return "" }
        return " --sandbox"
    }

    private func narrowing(_ command: String) -> String {
        guard let app, !Self.isAny(of: Self.ofAllApps, command),
            !command.contains(" --bundle-id"),
            Vocabulary.shared.parameters(of: command).contains("--bundle-id")
        else { return "" }
        return " --bundle-id \(word: app)"
    }

    private static func isAny(of verbs: [String], _ command: String) -> Bool {
        verbs.contains { command == $0 || command.hasPrefix($0 + " ") }
    }
}

extension Remedies {
    /// What a command line was about, whatever came of it.
    init(to arguments: [String]) {
        let options = Array(arguments.prefix { $0 != "--" })
        areInSandbox = options.contains("--sandbox")
        let name = "--bundle-id"
        let joined = options.first { $0.hasPrefix(name + "=") }
        app =
            options.firstIndex(of: name).flatMap { options.dropFirst($0 + 1).first }
            ?? joined.map { String($0.dropFirst(name.count + 1)) }
    }

    /// A text whose commands have the names that are at hand where they had words in capitals.
    static func filled(_ text: String, _ names: [Name: String]) -> String {
        guard !names.isEmpty else { return text }
        return replacing(text) { command in
            command.split(separator: " ", omittingEmptySubsequences: false).map { part in
                Name(rawValue: String(part)).flatMap { names[$0] }.map(word) ?? String(part)
            }.joined(separator: " ")
        }
    }

    /// A command line with something else in the place of what it names, as a command that is
    /// proposed.
    ///
    /// - Parameter arguments: the command line without the program.
    static func again(_ arguments: [String], naming other: String, for name: String) -> String {
        let verbs = Vocabulary.shared.verbs(in: arguments).count
        var isNamed = false
        let words = arguments.enumerated().map { place, argument -> String in
            if place < verbs || isNamed { return quoted(argument) }
            let option = argument.hasPrefix("--") ? argument.firstIndex(of: "=") : nil
            guard argument == name || option.map({ argument[$0...] == "=" + name }) == true
            else { return quoted(argument) }
            isNamed = true
            return option.map { argument[...$0] + word(other) } ?? word(other)
        }
        return "`perennial \(words.joined(separator: " "))`"
    }

    /// An argument as one word of a shell, be it an option or a value.
    private static func quoted(_ argument: String) -> String {
        guard argument.hasPrefix("--") else { return word(argument) }
        guard let sign = argument.firstIndex(of: "=") else { return argument }
        return argument[...sign] + word(String(argument[argument.index(after: sign)...]))
    }

    /// A text as one word of a shell: in quotes where it has any mark that a shell could read, and
    /// where it could be taken for an option.
    static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            let letter = Character(Unicode.Scalar(byte))
            return byte > 0x7F || letter.isLetter || letter.isNumber || "/._-+,:@%".contains(letter)
        }
        guard text.isEmpty || !isPlain || text.hasPrefix("-") else { return text }
        return "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// A command as the parser takes it: a value in quotes that begins with a hyphen is joined to
    /// its option, or stands behind the options and the mark that ends them.
    private static func typed(_ command: String) -> String {
        let words = command.matches(of: /(?:[^ '\\]|\\.|'[^']*')+/).map { String($0.output) }
        guard words.contains(where: isHyphened) else { return command }
        let verbs = Vocabulary.shared.verbs(in: words)
        let flags = Vocabulary.shared.flags(of: command)
        var (options, values) = ([String](), [String]())
        var rest = words.dropFirst(verbs.count)
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else {
                values.append(word)
                continue
            }
            guard word != "--", !word.contains("="), !flags.contains(word),
                let value = rest.popFirst()
            else {
                if word != "--" { options.append(word) }
                continue
            }
            options.append(word + (isHyphened(value) ? "=" : " ") + value)
        }
        let end = values.contains(where: isHyphened) ? ["--"] : []
        return (verbs + options + end + values).joined(separator: " ")
    }

    private static func isHyphened(_ word: String) -> Bool { word.hasPrefix("'-") }

    /// Changes the commands in a text; what stands in a shell's quotes may hold any mark.
    private static func replacing(_ text: String, _ change: (String) -> String) -> String {
        text.replacing(/`perennial ((?:[^`'\\]|\\.|'[^']*')+)`/) { match in
            "`perennial \(change(String(match.output.1)))`"
        }
    }
}

extension String.StringInterpolation {
    /// Fills a name into a command that is proposed, as one word of a shell.
    mutating func appendInterpolation(word text: String) {
        appendLiteral(Remedies.word(text))
    }
}

import AppStoreForgery
import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Timeline

/// Makes proofs that are wrong, to try verifiers with.
struct ForgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forge",
        abstract: "Generate invalid signed data to test a verifier.",
        discussion: """
            Without a kind, lists all kinds: what a verifier must answer, what Apple's library \
            for Python answers, and why where the two differ. Each text is made from a real \
            transaction; nothing in the world changes. With a kind, prints only the text. If the \
            verifier must see another text first, that text is on the line before. --all prints \
            one line for each kind: the name, what a verifier must do, and the text.

              perennial forge
              perennial forge --about notification
              perennial forge transaction-algorithm-none
              perennial forge transaction-replayed --of 2000000000000017 --json
              perennial forge --all --about request-token
              perennial forge --all --json
            """)

    @Argument(help: "The kind, such as transaction-signature-flipped.")
    var kind: String?

    @Option(
        help: ArgumentHelp(
            "The transaction. (default: the newest of a subscription)", valueName: "transaction"))
    var of: String?

    @Option(
        help: ArgumentHelp(
            "Only kinds of this sort: "
                + ForgerySubject.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            valueName: "sort"), transform: ForgeCommand.subject)
    var about: ForgerySubject?

    @Flag(help: "Make all of them.")
    var all = false

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        if let kind {
            guard !all else { throw ValidationError("\(kind) and --all exclude each other.") }
            guard about == nil else {
                throw ValidationError("\(kind) says what it is about: leave --about out.")
            }
            guard ForgeryKind.named(kind) != nil else {
                throw ValidationError("'\(kind)' is no kind: `perennial forge` lists them.")
            }
        } else if of != nil, !all {
            throw ValidationError("Say what to forge of it: a kind, or --all.")
        }
        guard of.map({ Int64($0) != nil }) ?? true else {
            throw ValidationError("--of takes a transaction's identifier, a number.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        guard all || kind != nil else {
            let answer = try await client.get(Self.path.with("about", about?.rawValue))
            return try store.show(answer, of: which) { try Self.table(answer, $0) }
        }
        let app = try await client.app()
        let answer = try await client.send(.POST, Self.path) { json in
            json.field("kind", kind ?? "all")
            json.field("about", about?.rawValue)
            json.field("bundleId", app)
            json.field("transactionId", of)
        }
        guard !store.json else { return try store.show(answer, of: which) { _ in [] } }
        for made in try answer.list("forgeries") { try say(made) }
        for left in try answer.list("leftOut") {
            Output.complain("\(try left.text("name")) is left out: \(try left.text("why"))")
        }
    }

    /// Never folded: the text is for programs.
    private func say(_ made: Answer) throws {
        guard let text = made.value["text"]?.string else { throw made.lacks("text") }
        guard all else {
            if let first = made.value["first"]?.string { Output.line(first) }
            return Output.line(text)
        }
        // A line break within the text is what is wrong with it, and would end the line.
        let line = text.replacing("\n", with: "\\n")
        Output.line("\(try made.text("name"))\t\(try made.text("mustBe"))\t\(line)")
    }

    private static let path = StorePath("connect", "v1", "forgeries")

    private static func table(_ answer: Answer, _ style: Style) throws -> [String] {
        var table = Columns(
            [
                ("kind", .left), ("must be", .left), ("code", .left), ("Apple's library", .left),
                ("why", .left),
            ], first: ["kind", "must be", "Apple's library"])
        for kind in try answer.list("forgeries") {
            let lookAt = kind.optionalText("lookAt") == nil ? "" : ", and looked at"
            table.add([
                try kind.text("name"), try kind.text("mustBe") + lookAt,
                kind.optionalText("code") ?? "", kind.optionalText("appleStatus") ?? "",
                kind.optionalText("difference") ?? kind.optionalText("lookAt") ?? "",
            ])
        }
        return table.lines(style)
    }

    private static func subject(_ text: String) throws -> ForgerySubject {
        guard let subject = ForgerySubject(rawValue: text) else {
            let all = ForgerySubject.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)' is no sort: write one of \(all).")
        }
        return subject
    }
}

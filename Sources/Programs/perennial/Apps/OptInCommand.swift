import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import Store
import SubscriptionRules
import Timeline

/// Sharing with the publisher.
struct OptInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "opt-in",
        abstract: "Ask customers to share their details with the publisher, and show who does.",
        discussion: """
            The store asks each subscriber once about each subscription, with the publisher's name \
            in the customer's language. It keeps details only after a yes, and erases them when \
            the customer revokes it.

              perennial app opt-in set --name "en_US=House & Garden" --name "de_DE=Haus & Garten" \\
                  --bonus P1M
              perennial app opt-in answer anna yes --name "Anna Example" --email anna@example.com
              perennial app opt-in report --csv > readers.csv
              perennial app opt-in revoke anna
            """,
        subcommands: [
            OptInShowCommand.self, OptInSetCommand.self, OptInReportCommand.self,
            OptInAnswerCommand.self, OptInRevokeCommand.self,
        ], defaultSubcommand: OptInShowCommand.self)
}

/// Shows what an app asks for.
struct OptInShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the publisher's names for the question, and the bonus.",
        discussion: """
              perennial app opt-in show
            """)

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: nil)
        let answer = try await client.get(OptIns.terms(app))
        try store.show(answer, of: which) { _ in try OptIns.words(answer) }
    }
}

/// Sets what an app asks for.
struct OptInSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set the publisher's names for the question, and the bonus.",
        discussion: """
            The new names and bonus replace all previous ones. Without a name the store asks \
            nobody any more. Shared details stay shared.

              perennial app opt-in set --name "en_US=House & Garden" --bonus P1M
              perennial app opt-in set --nobody
            """)

    @Option(
        help: ArgumentHelp(
            "The publisher's name in a language; can be given again.", valueName: "locale=name"))
    var name: [String] = []

    @Option(
        help: ArgumentHelp("How much longer a period becomes for a yes.", valueName: "P1M"))
    var bonus: String?

    @Flag(help: "Ask nobody any more.")
    var nobody = false

    @OptionGroup var which: AppOption

    @OptionGroup var store: WholeAppOptions

    func validate() throws {
        try store.checkNoEnvironment()
        guard nobody == name.isEmpty, !nobody || bonus == nil else {
            throw ValidationError("Give --name, or --nobody alone.")
        }
        guard name.allSatisfy({ OptIns.parts($0) != nil }) else {
            throw ValidationError("--name is a locale, = and a name, such as en_US=Garden.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: nil)
        let answer = try await client.send(.PUT, OptIns.terms(app)) { json in
            json.array("names") { json in
                for (locale, name) in name.compactMap(OptIns.parts) {
                    json.elementObject { json in
                        json.field("locale", locale)
                        json.field("name", name)
                    }
                }
            }
            json.field("bonus", bonus)
        }
        try store.show(answer, of: which) { _ in try OptIns.words(answer) }
    }
}

/// Shows what customers share.
struct OptInReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show what customers share with the publisher.",
        discussion: """
            Customers who revoked it are not listed.

              perennial app opt-in report --from 2026-01-01 --to 2027-01-01
              perennial app opt-in report --csv > readers.csv
            """)

    @Option(
        help: ArgumentHelp("Only what was shared then or later.", valueName: "instant"),
        transform: Reading.moment)
    var from: Instant?

    @Option(
        help: ArgumentHelp("Only what was shared before.", valueName: "instant"),
        transform: Reading.moment)
    var to: Instant?

    @Option(
        help: ArgumentHelp("How many at most. (default: 20; --csv has all)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @Flag(help: "Print comma-separated values.")
    var csv = false

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard !csv || !store.json else {
            throw ValidationError("--csv and --json exclude each other.")
        }
        if let from, let to, to <= from {
            throw ValidationError("--to must be later than --from.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let app = try await client.app(selling: nil)
        let path = StorePath("connect", "v1", "apps", app, "opt-ins")
            .with("from", from?.iso8601).with("to", to?.iso8601)
        guard !csv else {
            Output.write(try await client.text(path.with("format", "csv")))
            return
        }
        let answer = try await client.pages(path, list: "optIns", limit: limit) { path, last in
            path.with("after", try last?.text("id"))
        }
        try store.show(answer, of: which) { style in try OptIns.table(answer, style) }
    }
}

/// Answers as a customer.
struct OptInAnswerCommand: AsyncParsableCommand {
    /// What a customer can say.
    enum Word: String, ExpressibleByArgument, CaseIterable {
        case yes, no
    }

    static let configuration = CommandConfiguration(
        commandName: "answer",
        abstract: "Answer as a customer whether to share with the publisher.",
        discussion: """
              perennial app opt-in answer anna yes --name "Anna Example" --email anna@example.com \\
                  --postal-code 10115
              perennial app opt-in answer anna no
            """)

    @Argument(
        help: "A subscription's identifier, or the account that has one.",
        transform: Reading.account)
    var subscription: String

    @Argument(help: "What the customer says.")
    var word: Word

    @Option(help: ArgumentHelp("The customer's name.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("The customer's address for mails.", valueName: "address"))
    var email: String?

    @Option(help: ArgumentHelp("The customer's postal code.", valueName: "text"))
    var postalCode: String?

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard (word == .yes) == (name != nil && email != nil), word == .yes || postalCode == nil
        else { throw ValidationError("A yes has --name and --email, a no has neither.") }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.onlySubscription(of: subscription)
        let (answer, account) = try await client.asCustomer(of: id) { client, token in
            try await client.ask(
                .PUT, OptIns.own(id),
                StoreClient.members { json in
                    json.field("shares", word == .yes)
                    json.field("name", name)
                    json.field("email", email)
                    json.field("postalCode", postalCode)
                }, token: token)
        }
        let end = try await client.subscription(id).text("expires")
        try store.show(answer.with(["account": .string(account)]), of: which) { _ in
            [
                word == .yes
                    ? "\(account) shares name and e-mail address; the period ends \(end)"
                    : "\(account) shares nothing"
            ]
        }
    }
}

/// Revokes as a customer.
struct OptInRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Stop sharing with the publisher, as a customer.",
        discussion: """
            The store erases the details. A bonus stays.

              perennial app opt-in revoke anna
            """)

    @Argument(
        help: "A subscription's identifier, or the account that has one.",
        transform: Reading.account)
    var subscription: String

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        let id = try await client.onlySubscription(of: subscription)
        let (answer, account) = try await client.asCustomer(of: id) { client, token in
            try await client.ask(.DELETE, OptIns.own(id), nil, token: token)
        }
        let told = answer.with([
            "originalTransactionId": .string(id), "account": .string(account),
            "shares": .bool(false),
        ])
        try store.show(told, of: which) { _ in ["\(account) shares nothing"] }
    }
}

extension StoreClient {
    /// Asks in the place of a subscription's customer.
    fileprivate func asCustomer(
        of id: String, _ body: (StoreClient, String) async throws -> Answer
    ) async throws -> (answer: Answer, account: String) {
        let own = try await subscription(id)
        let account = try own.text("account")
        let token = try await signIn(account, in: own.text("bundleId"))
        return (
            try await body(naming([.account: account, .subscription: id]), token), account
        )
    }
}

/// Sharing with the publisher, in words.
enum OptIns {
    static func terms(_ app: String) -> StorePath {
        StorePath("connect", "v1", "apps", app, "opt-in")
    }

    static func own(_ subscription: String) -> StorePath {
        StorePath("storefront", "v1", "opt-ins", subscription)
    }

    /// A locale and a name, of `en_US=Garden`.
    static func parts(_ text: String) -> (String, String)? {
        guard let sign = text.firstIndex(of: "=") else { return nil }
        let (locale, name) = (text[..<sign], text[text.index(after: sign)...])
        return locale.isEmpty || name.isEmpty ? nil : (String(locale), String(name))
    }

    static func words(_ terms: Answer) throws -> [String] {
        let names = try terms.list("names")
        guard !names.isEmpty else {
            return [
                "nobody is asked; `perennial app opt-in set --name en_US=NAME` does"
            ]
        }
        return try names.map { "\(try $0.text("locale")): \(try $0.text("name"))" }
            + [terms.optionalText("bonus").map { "a yes is rewarded with \($0)" } ?? "no bonus"]
    }

    static func table(_ answer: Answer, _ style: Style) throws -> [String] {
        let all = try answer.list("optIns")
        guard !all.isEmpty else { return ["nobody shares anything"] }
        var table = Columns(
            [
                ("shared", .left), ("name", .left), ("e-mail", .left), ("postal code", .left),
                ("storefront", .left), ("product", .left),
            ], first: ["name", "e-mail"])
        for one in all {
            table.add([
                try one.moment("shared").plainText, try one.text("name"), try one.text("email"),
                one.optionalText("postalCode") ?? "", try one.text("storefront"),
                try one.text("productId"),
            ])
        }
        return table.lines(style)
    }
}

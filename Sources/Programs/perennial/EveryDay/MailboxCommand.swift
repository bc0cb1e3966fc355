import AppStoreWire
import ArgumentParser
import ConnectAnswers
import SubscriptionRules
import Timeline

/// Lists and shows the mails that customers were written.
struct MailboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mailbox",
        abstract: "List mails, pushes and messages to customers, newest first, or show one.",
        discussion: """
            Lists every mail, delivered or not. In Production, accounts with an email address get \
            email, unless the app's settings say otherwise. Pushes and messages in the app are \
            listed too; pushes are not delivered.

              perennial mailbox
              perennial mailbox --account anna@example.com
              perennial mailbox --channel push
              perennial mailbox 17
              perennial mailbox 17 --eml > 17.eml
            """)

    @Argument(help: ArgumentHelp("The mail to show; none for the list.", valueName: "id"))
    var mail: String?

    @Flag(help: "The message as the relay gets it, which mail programs open.")
    var eml = false

    @Option(
        help: ArgumentHelp("Only those to this account.", valueName: "account"),
        transform: Reading.account)
    var account: String?

    @Option(help: ArgumentHelp("Only those of this kind, such as receipt.", valueName: "kind"))
    var kind: String?

    @Option(help: ArgumentHelp("Only those that stand so, such as refused.", valueName: "state"))
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Only those that come this way: mail, push or inApp.", valueName: "channel"))
    var channel: String?

    @Option(
        help: ArgumentHelp("Only those from this moment on.", valueName: "instant"),
        transform: Reading.moment)
    var since: Instant?

    @Option(
        help: ArgumentHelp("How many at most. (default: 20)", valueName: "n"),
        transform: Reading.count)
    var limit = 20

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func validate() throws {
        guard mail != nil || !eml else { throw ValidationError("--eml needs the mail's id.") }
        guard
            mail == nil
                || [account, kind, state, channel, since?.iso8601].allSatisfy({ $0 == nil })
        else {
            throw ValidationError("A mail is shown alone: leave the other conditions out.")
        }
    }

    func run() async throws {
        let client = try store.client(of: which)
        let mailbox = StorePath("connect", "v1", "mailbox")
        guard let mail else {
            let path = mailbox.with("account", account).with("kind", kind)
                .with("state", state).with("channel", channel).with("since", since?.iso8601)
            let answer = try await client.pages(
                path, list: "mails", limit: limit, where: try await client.isOfItsApp()
            ) { path, last in path.with("before", try last?.text("id")) }
            return try store.show(answer, of: which) { style in
                try Self.words(answer, of: account, style)
            }
        }
        if eml {
            let path = StorePath("connect", "v1", "mailbox", mail, "message.eml")
            return Output.write(try await client.text(path))
        }
        let answer = try await client.get(StorePath("connect", "v1", "mailbox", mail))
        try store.show(answer) { _ in try Self.sheet(answer) }
    }

    /// The list.
    static func words(
        _ answer: Answer, of account: String? = nil, _ style: Style
    ) throws -> [String] {
        let mails = try answer.list("mails")
        guard !mails.isEmpty else {
            return [none(because: answer.optionalText("emptyBecause"), account)]
        }
        var table = Columns(
            [
                ("created", .left), ("id", .right), ("account", .left), ("channel", .left),
                ("subject", .left), ("state", .left),
            ], first: ["created", "subject", "state"], without: [])
        for mail in mails {
            table.add([
                try mail.moment("created").plainText, try mail.text("id"),
                try mail.text("account"), try mail.text("channel"), try mail.text("subject"),
                try mail.text("state"),
            ])
        }
        return table.lines(style) + (try answer.bool("hasMore") ? ["and more: --limit"] : [])
    }

    /// Why there are none, and what brings some.
    private static func none(because reason: String?, _ account: String?) -> String {
        switch reason {
        case "mailsOff":
            return "no mails: no app sends any; `perennial app set --mails addressed` turns them "
                + "on for customers with an address"
        case "sandboxMailsOff":
            return "no mails: no app sends any in Sandbox; `perennial app set --sandbox-mails on` "
                + "turns them on"
        case "noAddress":
            let why =
                account.map { "\($0) has no mail address" } ?? "no customer has a mail address"
            let command = "perennial customer set \(account.map(Remedies.word) ?? "ACCOUNT")"
            return "no mails: \(why); `\(command) --email ada@example.com` sets one"
        case "nothingDue":
            return "no mails: nothing was due" + (account.map { " for \($0)" } ?? "")
        case "filtered": return "no mails match; `perennial mailbox` lists all that there are"
        // Those that there are belong to other apps.
        default: return "no mails match"
        }
    }

    /// One mail as its reader has it.
    static func sheet(_ mail: Answer) throws -> [String] {
        let (state, account) = (try mail.text("state"), try mail.text("account"))
        let elsewhere =
            switch try mail.text("channel") {
            case "push": "the devices of \(account)"
            case "inApp": "\(account), in the app"
            default: "nobody, \(account) has no address"
            }
        var lines = [
            "Subject: \(try mail.text("subject"))",
            "To:      " + (mail.optionalText("to") ?? elsewhere),
            "Date:    \(try mail.moment("created").plainText)",
            "State:   \(state)" + (mail.optionalText("reason").map { ", \($0)" } ?? ""),
        ]
        for attempt in try mail.list("attempts") {
            let reply = attempt.optionalText("reply").map { " (\($0))" } ?? ""
            lines.append(
                "         \(try attempt.moment("at").plainText) "
                    + "\(try attempt.text("outcome"))\(reply)")
        }
        // Line by line, since a line break is shown as what cannot be shown.
        let text = mail.value["text"]?.string ?? ""
        return lines + [""]
            + text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
                String(line.filter { !$0.unicodeScalars.contains(where: \.isControl) })
            }
    }
}

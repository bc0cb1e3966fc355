import AppStoreWire
import ArgumentParser
import ConnectAnswers
import Journal
import SubscriptionRules
import Timeline

/// Draws the life of a subscription.
struct TimelineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Draw the life of a subscription.",
        discussion: """
            Draws a band of the periods, then lists each event with its charge and its \
            notification, sent or not. `perennial notifications` lists the notifications and their \
            deliveries. Each period has its transaction, which `perennial refunds issue \
            --transaction` takes. Colours vanish in a pipe or with NO_COLOR set.

              perennial timeline anna
              perennial timeline anna --all
              perennial timeline 400000000000005 --ascii
              perennial timeline anna --json
            """)

    @Argument(help: "A subscription's identifier, or an account.", transform: Reading.account)
    var target: String

    @Flag(help: "Draw with ASCII characters only.")
    var ascii = false

    @Flag(help: "Fold nothing: a line for every renewal, with its transaction.")
    var all = false

    @OptionGroup var which: AppOption

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client(of: which)
        guard !store.json else {
            let answer = try await client.timeline(try await client.onlySubscription(of: target))
            Output.line(PrettyJSON.text(of: answer.value))
            return
        }
        let now = try await client.get(StorePath("connect", "v1", "clock")).moment("now")
        let target = try await client.target(target)
        let ids = try await client.subscriptions(of: target)
        guard !ids.isEmpty else {
            _ = try await client.onlySubscription(of: target)
            return
        }
        for (index, id) in ids.enumerated() {
            let answer = try await client.timeline(id)
            let life = try Life(
                answer.object("subscription"), entries: answer.list("entries"), now: now)
            if index > 0 { Output.line("") }
            let style = Output.style(wantsASCII: ascii)
            for line in try StatusCommand.share(answer.object("subscription")) {
                Output.line(line)
            }
            for line in TimelineDrawing.lines(of: life, style: style, folds: !all) {
                Output.line(line)
            }
        }
        let newest = try await client.notifications(limit: 1).list("notifications").first
        // One that nobody will send is kept all the same.
        let isSent = try newest.map { one in
            try !one.list("attempts").isEmpty || one.optionalMoment("nextAttempt") != nil
        }
        Output.line(
            isSent == true
                ? "Names in capitals are what an event stands for; `perennial notifications` says "
                    + "how each one fared."
                : "Names in capitals are what an event stands for: none was sent, since no "
                    + "notification URL was set.")
    }
}

extension StoreClient {
    /// All pages of a subscription's timeline.
    func timeline(_ id: String) async throws -> Answer {
        try await pages(
            StorePath("connect", "v1", "subscriptions", id, "timeline"), list: "entries",
            limit: .max, largestPage: 1000
        ) { path, last in
            path.with("after", try last?.text("sequence"))
        }
    }
}

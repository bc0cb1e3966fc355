import ArgumentParser
import ConnectAnswers
import SubscriptionRules

/// The store's clock.
struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show the store's clock, and move it to the next event.",
        discussion: """
            `perennial advance P1M` moves it by a step of time.

              perennial clock
              perennial clock step
              perennial clock until DID_RENEW
            """,
        subcommands: [ClockShowCommand.self, StepCommand.self, UntilCommand.self],
        defaultSubcommand: ClockShowCommand.self)
}

/// Shows the store's clock.
struct ClockShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the store's clock, and when the next event happens.",
        discussion: """
              perennial clock show
              perennial clock show --json
            """)

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let answer = try await store.client().get(StorePath("connect", "v1", "clock"))
        try store.show(answer) { _ in try Self.words(answer) }
    }

    /// The clock in words.
    static func words(_ answer: Answer) throws -> [String] {
        let now = try answer.moment("now").plainText
        let mode = try answer.text("mode")
        let next =
            answer.optionalMoment("nextEvent").map { "next event \($0.plainText)" }
            ?? "nothing is ahead"
        let line = "\(now) UTC, \(mode), \(next)"
        switch answer.optionalText("held") {
        case "machineIsBehind":
            let seconds = try answer.integer("behindMilliseconds") / 1000
            return [
                line,
                "it stands still: the machine's clock went back and needs \(seconds) s to catch up",
            ]
        case "rangeHasEnded":
            return [line, "it stands still: the machine's clock is beyond 2099"]
        default: return [line]
        }
    }
}

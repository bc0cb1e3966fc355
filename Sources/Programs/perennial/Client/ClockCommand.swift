import ArgumentParser
import ConnectAnswers
import SubscriptionRules

/// Shows the store's clock.
struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show what the store's clock shows and when something happens next.",
        discussion: """
              perennial clock
              perennial clock --json
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

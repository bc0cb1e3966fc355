import AppStoreWire
public import ArgumentParser
import ConnectAnswers
import NIOHTTP1
public import Store

/// What the parser reads, by the names on the wire.
extension FaultKind: ExpressibleByArgument {}

extension FaultCommand {
    /// Makes a rule.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a rule.",
            discussion: """
                For notifications: dropNotifications (an attempt fails), loseNotifications (it \
                counts as delivered but never arrives), repeatNotifications (it arrives again), \
                delayNotifications, reorderNotifications. For calls of the App Store Server API: \
                failCalls, limitCalls (429), slowCalls.

                  perennial fault add dropNotifications --type DID_RENEW --count 2
                  perennial fault add repeatNotifications --times 3 --percent 10
                  perennial fault add delayNotifications --by PT5M --seed monday
                  perennial fault add reorderNotifications --by PT10M
                  perennial fault add failCalls --error 5000001
                  perennial fault add limitCalls --operation getTransactionInfo
                  perennial fault add slowCalls --by PT2S
                """)

        @Argument(help: "What goes wrong, by the name that the API has for it.")
        var kind: FaultKind

        @Option(
            help: ArgumentHelp(
                "Only this notification, such as EXPIRED/VOLUNTARY.", valueName: "type"),
            transform: NoticeName.init)
        var type: NoticeName?

        @Option(
            help: ArgumentHelp(
                "Only calls of this endpoint, such as getTransactionInfo.", valueName: "name"))
        var operation: String?

        @Option(
            help: ArgumentHelp("How long, such as PT5M.", valueName: "duration"),
            transform: Reading.step)
        var by: String?

        @Option(
            help: ArgumentHelp(
                "How often it arrives again after the first time, up to 100. (default: 1)",
                valueName: "n"), transform: Reading.number(1...100))
        var times: Int?

        @Option(
            help: ArgumentHelp(
                "What a call is answered, such as 5000001; verifyReceipt also 21005 and others.",
                valueName: "code"),
            transform: Reading.number(1...Int64.max))
        var error: Int64?

        @Option(
            help: ArgumentHelp("How many of a hundred.", valueName: "n"),
            transform: Reading.number(1...100))
        var percent: Int?

        @Option(
            help: ArgumentHelp("The same seed makes the same choices.", valueName: "text"))
        var seed: String?

        @Option(
            help: ArgumentHelp("Applies so many times at most.", valueName: "n"),
            transform: Reading.number(1...1_000_000))
        var count: Int?

        @Option(help: ArgumentHelp("Only for this app.", valueName: "id"))
        var bundleId: String?

        @OptionGroup var store: StoreOptions

        func validate() throws {
            if kind == .failCalls, error == nil {
                throw ValidationError("Say what calls are answered: --error 5000001.")
            }
            if kind == .delayNotifications || kind == .slowCalls, by == nil {
                throw ValidationError("Say for how long: --by PT5M.")
            }
        }

        func run() async throws {
            let answer = try await store.client().send(.POST, FaultCommand.path) { json in
                json.field("kind", kind.rawValue)
                json.field("bundleId", bundleId)
                json.field("notificationType", type?.type)
                json.field("subtype", type?.subtype)
                json.field("operation", operation)
                json.field("by", by)
                json.field("times", times)
                json.field("errorCode", error)
                json.field("percent", percent)
                json.field("seed", seed)
                json.field("count", count)
            }
            try store.show(answer) { _ in
                ["rule \(try answer.text("id")): \(try FaultCommand.what(answer))"]
            }
        }
    }
}

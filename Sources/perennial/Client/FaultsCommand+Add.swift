import AppStoreWire
import ArgumentParser
import NIOHTTP1
import Store

extension FaultsCommand {
    /// Makes a rule.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Make a rule.",
            discussion: """
                Notifications: drop (an attempt fails), lose (it counts as delivered),
                repeat, delay, reorder. Calls of the App Store Server API: fail, limit
                (429), slow.

                  perennial faults add drop --type DID_RENEW --count 2
                  perennial faults add repeat --times 3 --percent 10 --seed monday
                  perennial faults add delay --by PT5M
                  perennial faults add reorder --by PT10M
                  perennial faults add fail --error 5000001
                  perennial faults add limit --by PT1H --operation getTransactionInfo
                  perennial faults add slow --by PT2S
                """)

        /// What can go wrong.
        enum What: String, ExpressibleByArgument, CaseIterable {
            case drop, lose, `repeat`, delay, reorder, fail, limit, slow

            var kind: FaultKind {
                switch self {
                case .drop: .dropNotifications
                case .lose: .loseNotifications
                case .repeat: .repeatNotifications
                case .delay: .delayNotifications
                case .reorder: .reorderNotifications
                case .fail: .failCalls
                case .limit: .limitCalls
                case .slow: .slowCalls
                }
            }
        }

        @Argument(help: "What goes wrong.")
        var what: What

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

        @Option(help: ArgumentHelp("How many copies.", valueName: "n"), transform: Reading.count)
        var times: Int?

        @Option(
            help: ArgumentHelp("What a call is answered, such as 5000001.", valueName: "code"))
        var error: Int64?

        @Option(
            help: ArgumentHelp("How many of a hundred.", valueName: "n"),
            transform: Reading.count)
        var percent: Int?

        @Option(
            help: ArgumentHelp("The same seed makes the same choices.", valueName: "text"))
        var seed: String?

        @Option(
            help: ArgumentHelp("Applies so many times at most.", valueName: "n"),
            transform: Reading.count)
        var count: Int?

        @Option(help: ArgumentHelp("Only for this app.", valueName: "id"))
        var bundleId: String?

        @OptionGroup var store: StoreOptions

        func validate() throws {
            if what == .fail, error == nil {
                throw ValidationError("Say what calls are answered: --error 5000001.")
            }
            if what == .delay || what == .slow, by == nil {
                throw ValidationError("Say for how long: --by PT5M.")
            }
        }

        func run() async throws {
            let answer = try await store.client().send(.POST, FaultsCommand.path) { json in
                json.field("kind", what.kind.rawValue)
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
                ["rule \(try answer.text("id")): \(try FaultsCommand.what(answer))"]
            }
        }
    }
}

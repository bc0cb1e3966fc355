import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import Timeline

/// Copies the world and serves the copy.
struct ForkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Copy the whole world and serve the copy beside the original.",
        discussion: """
            The fork has two ports of its own, and the same keys, customers and operator token. \
            You can move its clock. Nothing in it changes this world: it never asks an outside \
            bank, and it posts nothing without --deliveries.

              perennial world forks create try
              perennial extensions grant-all com.example.garden.estate.monthly --days 7 --watch \\
                  --ready perennial-data/forks/try/ready.json
              perennial advance P1M --ready perennial-data/forks/try/ready.json
              perennial world forks remove try
            """)

    @Argument(
        help: "A letter and then letters, digits and hyphens, all lower case, 32 at most.",
        transform: Reading.copyName)
    var name: String

    @Flag(help: "Post its notifications to the same URLs.")
    var deliveries = false

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client()
        let answer = try await Copying.watch("copying", client) {
            try await client.send(.POST, Copying.path(of: Forks.self)) { json in
                json.field("name", name)
                json.field("deliveries", deliveries)
            }
        }
        try store.show(answer) { style in try Copying.words(ofFork: answer, style) }
    }
}

/// The forks.
struct ForksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forks",
        abstract: "List, create and remove forks.",
        discussion: """
              perennial world forks
              perennial world forks remove try
            """,
        subcommands: [List.self, ForkCommand.self, RemoveCopyCommand<Forks>.self],
        defaultSubcommand: List.self)

    /// Lists them.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the forks by name, and where they answer.",
            discussion: """
                  perennial world forks list
                  perennial world forks list --json
                """)

        @OptionGroup var store: WholeAppOptions

        func validate() throws { try store.checkNoEnvironment() }

        func run() async throws {
            let answer = try await store.client().copies(Forks.self)
            try store.show(answer) { style in
                let forks = try answer.list("forks")
                guard !forks.isEmpty else {
                    return ["no forks; `perennial world forks create NAME` makes one"]
                }
                let parts = try forks.map { try Copying.words(ofFork: $0, style) }
                return Array(parts.joined(separator: [""]))
            }
        }
    }
}

/// Whether notifications are posted.
struct DeliveriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deliveries",
        abstract: "Show whether the store posts notifications, or switch it on or off.",
        discussion: """
            While deliveries are off, the log keeps all notifications. They are sent once \
            deliveries are on.

              perennial world deliveries
              perennial world deliveries off
              perennial world deliveries on --ready perennial-data/forks/try/ready.json
            """)

    @Argument(help: "On or off; without it, the command shows the present state.")
    var deliveries: Switch?

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client()
        let answer =
            if let deliveries {
                try await client.send(.PATCH, Copying.world) { json in
                    json.field("deliveries", deliveries == .on)
                }
            } else {
                try await client.get(Copying.world)
            }
        try store.show(answer) { _ in
            let state = Copying.words(ofDeliveries: try answer.bool("deliveries"))
            return [try answer.bool("isFork") ? "\(state); this world is a fork" : state]
        }
    }
}

import AppStoreWire
import ArgumentParser
import ConnectAnswers
import NIOHTTP1
import SubscriptionRules
import Timeline

/// Copies the world, to come back to.
struct SnapshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Save a named copy of the whole world, to rewind to later.",
        discussion: """
            Copies both environments, as of one moment, while the store runs. `perennial world \
            rewind NAME` restores the world.

              perennial world snapshots create before-the-campaign
              perennial world snapshots
              perennial world rewind before-the-campaign
            """)

    @Argument(
        help: "A letter and then letters, digits and hyphens, all lower case, 32 at most.",
        transform: Reading.copyName)
    var name: String

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client()
        let answer = try await Copying.watch("copying", client) {
            try await client.send(.POST, Copying.path(of: Snapshots.self)) { json in
                json.field("name", name)
            }
        }
        try store.show(answer) { _ in
            let moment = try answer.moment("now").plainText
            let size = Copying.size(try answer.integer("size"))
            return [
                "\(name) is the world as of \(moment) UTC, \(size); "
                    + "`perennial world rewind \(word: name)` puts it back."
            ]
        }
    }
}

/// The snapshots.
struct SnapshotsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshots",
        abstract: "List, create and remove snapshots.",
        discussion: """
              perennial world snapshots
              perennial world snapshots remove before-the-campaign
            """,
        subcommands: [List.self, SnapshotCommand.self, RemoveCopyCommand<Snapshots>.self],
        defaultSubcommand: List.self)

    /// Lists them.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the snapshots by name.",
            discussion: """
                  perennial world snapshots list
                  perennial world snapshots list --json
                """)

        @OptionGroup var store: WholeAppOptions

        func validate() throws { try store.checkNoEnvironment() }

        func run() async throws {
            let answer = try await store.client().copies(Snapshots.self)
            try store.show(answer) { style in
                let snapshots = try answer.list("snapshots")
                guard !snapshots.isEmpty else {
                    return ["no snapshots; `perennial world snapshots create NAME` makes one"]
                }
                var table = Columns(
                    [("name", .left), ("the world as of", .left), ("size", .right)],
                    first: ["name"])
                for snapshot in snapshots {
                    table.add([
                        try snapshot.text("name"), try snapshot.moment("now").plainText,
                        Copying.size(try snapshot.integer("size")),
                    ])
                }
                return table.lines(style)
            }
        }
    }
}

/// Puts the world back.
struct RewindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewind",
        abstract: "Restore the whole world from a snapshot.",
        discussion: """
            Restores all of it or nothing. Everything since the snapshot is lost, unless you take \
            a snapshot of it first. The clock continues from the moment of the snapshot, unless it \
            is the machine's. The snapshot stays.

              perennial world snapshots create before
              perennial advance P1Y
              perennial world rewind before
            """)

    @Argument(help: "The snapshot's name.", transform: Reading.copyName)
    var name: String

    @OptionGroup var store: WholeAppOptions

    func validate() throws { try store.checkNoEnvironment() }

    func run() async throws {
        let client = try store.client()
        let answer = try await Copying.watch("rewinding", client) {
            try await client.send(.POST, Copying.path(of: Snapshots.self, name, "rewind"))
        }
        try store.show(answer) { _ in
            ["the world is as \(name) has it, \(try answer.moment("now").plainText) UTC"]
        }
    }
}

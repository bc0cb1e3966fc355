import ArgumentParser

/// A whole world: its copies, its processes, and what is damaged in it.
struct WorldCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "world",
        abstract: "Copy a world, rewind it, check it, and list its processes.",
        discussion: """
              perennial world snapshots create before-the-campaign
              perennial world rewind before-the-campaign
              perennial world forks create try
              perennial world check
            """,
        subcommands: [
            SnapshotsCommand.self, RewindCommand.self, ForksCommand.self, DeliveriesCommand.self,
            ProcessesCommand.self, CheckCommand.self,
        ])
}

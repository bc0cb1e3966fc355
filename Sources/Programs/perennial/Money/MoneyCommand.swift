import ArgumentParser

/// What customers paid, and what the developer gets of it.
struct MoneyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "money",
        abstract: "Show an app's proceeds, and the ledger of all charges and refunds.",
        discussion: """
              perennial money proceeds
              perennial money ledger --account anna
            """,
        subcommands: [ProceedsCommand.self, LedgerCommand.self])
}

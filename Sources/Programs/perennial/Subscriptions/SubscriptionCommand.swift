import ArgumentParser

/// What an operator does to one subscription, beyond what its customer does.
struct SubscriptionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription",
        abstract: "Show the next bill of a subscription, or end the subscription.",
        discussion: """
            `perennial status` and `perennial timeline` show a subscription; `perennial renewal \
            ACCOUNT off` lets it end with its period.

              perennial subscription next-bill anna
              perennial subscription cancel anna
              perennial subscription expire anna
            """,
        subcommands: [NextBillCommand.self, CancelCommand.self, ExpireCommand.self])
}

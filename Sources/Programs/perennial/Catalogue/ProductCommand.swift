import ArgumentParser

/// How and where a product is sold. What it costs is set by `price`.
struct ProductCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "product",
        abstract: "Set where and how a product is sold, or delete it.",
        discussion: """
            `perennial price list` lists the products with their prices.

              perennial product availability com.example.garden.estate.monthly off
              perennial product monthly-billing com.example.garden.estate.yearly on --price 3.99
              perennial product discontinue com.example.garden.seeds.100
            """,
        subcommands: [
            AvailabilityCommand.self, MonthlyBillingCommand.self, GenericCommand.self,
            DiscontinueCommand.self,
        ])
}

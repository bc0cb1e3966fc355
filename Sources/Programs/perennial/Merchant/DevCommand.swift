import ArgumentParser

/// Runs a store and a merchant that are wired to each other.
struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev",
        abstract: "Run a store and a merchant, wired to each other.",
        // Its options are those of `serve`, whose name the parser would show.
        usage: "perennial dev [<options>] [<file>]",
        discussion: """
            The store sends its notifications to the merchant, `perennial buy` sends the purchase \
            to it as the app would, and the merchant says who has access and why. Its time is the \
            store's: `perennial advance` returns when it has handled what was delivered.

            It prints an address to open: a customer's phone, the store and \
            the merchant on one page, with forms that move the clock.

              perennial dev Garden.storekit
              perennial buy com.example.garden.estate.monthly --account anna
              perennial merchant why anna
              perennial advance P2M
              perennial merchant status anna

            The ready file holds both: {"store":{…},"merchant":{"url","operatorToken",\
            "database","apps":[{"bundleId","appToken","serverToken","notificationUrls"}]}}.
            """)

    @Option(
        help: ArgumentHelp(
            "The merchant's port; 0 picks a free one. (default: 8090)",
            valueName: "n"),
        transform: Reading.number(0...65535))
    var merchantPort = 8090

    @OptionGroup var store: ServeCommand

    func validate() throws {
        guard store.notify == nil else {
            throw ValidationError(
                "--notify goes with `perennial serve`: here the notifications go to the merchant.")
        }
    }

    func run() async throws {
        var plan = try store.completePlan()
        plan.merchantPort = merchantPort
        try await Serving.run(plan)
    }
}

import ArgumentParser

/// The one subscription that a command is about.
struct SubscriptionArgument: ParsableArguments {
    @Argument(
        help: "The subscription's identifier, or the account that has only one.",
        transform: Reading.account)
    var subscription: String
}

/// A payment that goes back, or comes again.
struct PaymentArgument: ParsableArguments {
    @Argument(
        help: """
            A subscription's identifier, or the account that has only one; or the transaction of \
            a renewal or of another purchase.
            """, transform: Reading.account)
    var subscription: String?

    @Option(
        help: ArgumentHelp(
            "This transaction, be it a subscription's first.", valueName: "id"))
    var transaction: String?

    func validate() throws {
        guard (subscription == nil) != (transaction == nil) else {
            throw ValidationError(
                "Say which payment: a subscription, or --transaction and its identifier.")
        }
    }
}

/// The storefronts to which a command is narrowed; all where none is named.
struct StorefrontFilter: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only there; repeat it for several.", valueName: "code"),
        transform: Reading.storefront)
    var storefront: [String] = []
}

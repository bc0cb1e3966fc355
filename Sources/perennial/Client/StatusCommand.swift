import ArgumentParser

/// Shows a customer or a subscription as it is now.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show an account with its subscriptions, or one subscription.",
        discussion: """
              perennial status anna
              perennial status 400000000000005 --json
            """)

    @Argument(help: "An account, or a subscription's identifier.")
    var target: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let client = try store.client()
        if StoreClient.looksLikeID(target) {
            let answer = try await client.subscription(target)
            try store.show(answer) { style in try Self.subscription(answer, style) }
        } else {
            let answer = try await client.customer(target)
            try store.show(answer) { style in try Self.customer(answer, style) }
        }
    }

    /// A customer and a row for each subscription.
    static func customer(_ answer: Answer, _ style: Style) throws -> [String] {
        let subscriptions = try answer.list("subscriptions")
        var lines = [
            style.paint(try answer.text("account"), .strong)
                + ", \(try answer.text("storefront")), "
                + CustomersCommand.payment(try answer.object("paymentMethod"))
        ]
        guard !subscriptions.isEmpty else { return lines + ["no subscriptions"] }
        var table = Columns([
            ("subscription", .left), ("product", .left), ("state", .left), ("until", .left),
            ("renews", .left),
        ])
        for subscription in subscriptions {
            table.add([
                try subscription.text("originalTransactionId"),
                try subscription.text("productId"), try subscription.text("state"),
                subscription.optionalMoment("expires")?.minuteText ?? "",
                try subscription.bool("autoRenew") ? "yes" : "no",
            ])
        }
        lines += table.lines(style)
        return lines
    }

    /// A subscription in a few lines.
    static func subscription(_ answer: Answer, _ style: Style) throws -> [String] {
        let life = try Life(answer, entries: [], now: answer.optionalMoment("expires"))
        var lines = [
            style.paint(life.productID, .strong),
            "\(life.account), \(life.condition)",
            "\(life.priceText), "
                + counted(Int(answer.optionalInteger("renewalCount") ?? 0), "renewal")
                + " since the last purchase",
        ]
        if let next = answer.optionalMoment("nextEvent") {
            lines.append("next event \(next.minuteText)")
        }
        return lines
    }
}

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
            try store.show(answer) { style in
                try Self.customer(answer, style, isSandbox: store.sandbox)
            }
        }
    }

    /// A customer and a few lines for each subscription.
    static func customer(
        _ answer: Answer, _ style: Style, isSandbox: Bool = false
    ) throws -> [String] {
        let subscriptions = try answer.list("subscriptions")
        let speed = try isSandbox ? ", a month lasts \(answer.integer("sandboxSpeed")) minutes" : ""
        let lines = [
            style.paint(try answer.text("account"), .strong)
                + ", \(try answer.text("storefront")), "
                + CustomersCommand.payment(try answer.object("paymentMethod")) + speed
        ]
        guard !subscriptions.isEmpty else { return lines + ["no subscriptions"] }
        return try lines
            + subscriptions.flatMap { try [""] + subscription($0, style, account: nil) }
    }

    /// A subscription in a few lines.
    static func subscription(_ answer: Answer, _ style: Style) throws -> [String] {
        try subscription(answer, style, account: try answer.text("account"))
    }

    private static func subscription(
        _ answer: Answer, _ style: Style, account: String?
    ) throws -> [String] {
        let life = try Life(answer, entries: [], now: answer.optionalMoment("expires"))
        let renewals = counted(Int(answer.optionalInteger("renewalCount") ?? 0), "renewal")
        let passages = [
            [account, "subscription \(life.id)", life.condition].compactMap(\.self),
            [
                life.priceText, "transaction \(try answer.text("transactionId"))",
                "\(renewals) since the last purchase",
            ],
        ]
        var lines = [style.paint(life.productID, .strong)]
        for parts in passages {
            lines += Passage.lines(
                parts.map { Passage.Part($0) }, separator: ", ", width: style.columns,
                style: style)
        }
        if life.state == "grace", let until = answer.optionalMoment("graceUntil") {
            lines.append("has access until \(until.minuteText)")
        }
        if let next = life.nextProductID {
            lines.append("chose \(next) from the next renewal on")
        }
        if let increase = try Increases.words(answer) { lines.append(increase) }
        if let next = answer.optionalMoment("nextEvent") {
            lines.append("next event \(next.minuteText)")
        }
        return lines
    }
}

import ConnectAnswers

/// What a name means that may be an account's or a subscription's number.
enum Target: Hashable, Sendable {
    case account(String)
    /// By its identifier, be it unknown.
    case subscription(String)
}

extension StoreClient {
    /// What a name means. An account may be named like a number: it is meant where no subscription
    /// has that number. Where one has, it is said that the subscription was meant.
    func target(_ name: String) async throws -> Target {
        guard Self.looksLikeID(name) else { return .account(name) }
        let one = try await unless(refused: "unknownSubscription") {
            try await subscription(name)
        }
        let path = StorePath("connect", "v1", "customers", name)
        let account = try await unless(refused: "unknownAccount") { try await get(path) }
        guard one != nil else { return account == nil ? .subscription(name) : .account(name) }
        if let account, !isSilent { Output.line(try Self.reading(of: name, not: account)) }
        return .subscription(name)
    }

    /// That a subscription was meant and not the account of the same name.
    private static func reading(of name: String, not account: Answer) throws -> String {
        let own = try account.list("subscriptions").map { try $0.text("originalTransactionId") }
        return "\(name) was read as the subscription with that number. The account with that name "
            + (own.isEmpty
                ? "has no subscription."
                : "is meant by the numbers of its own: \(own.joined(separator: ", ")).")
    }
}

extension Failure {
    /// A name that means several subscriptions.
    static func ambiguous(_ name: String, _ all: [Answer], _ message: String) throws -> Failure {
        var failure = Failure.refused(message)
        failure.choices = Choices(
            name: name,
            all: try all.map {
                Choice(
                    id: try $0.text("originalTransactionId"), productID: try $0.text("productId"),
                    bundleID: try $0.text("bundleId"))
            })
        return failure
    }
}

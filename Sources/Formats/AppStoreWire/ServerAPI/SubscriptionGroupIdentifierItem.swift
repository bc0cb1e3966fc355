/// The subscriptions of one group (API-5.3).
public struct SubscriptionGroupIdentifierItem: WireEncodable, Decodable, Hashable, Sendable {
    /// The group.
    public var subscriptionGroupIdentifier: String
    /// One entry per subscription.
    public var lastTransactions: [LastTransactionsItem]

    /// Makes an entry.
    public init(subscriptionGroupIdentifier: String, lastTransactions: [LastTransactionsItem]) {
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.lastTransactions = lastTransactions
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("subscriptionGroupIdentifier", subscriptionGroupIdentifier)
            json.field("lastTransactions", lastTransactions)
        }
    }
}

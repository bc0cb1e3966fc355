/// A set of subscriptions of which a customer has at most one at a time (GRP-1, GRP-2).
public struct SubscriptionGroup: Hashable, Sendable {
    public var id: String
    /// The developer's own name for it.
    public var referenceName: String
    public var localizations: [Localization]

    public init(id: String, referenceName: String, localizations: [Localization] = []) {
        self.id = id
        self.referenceName = referenceName
        self.localizations = localizations
    }
}

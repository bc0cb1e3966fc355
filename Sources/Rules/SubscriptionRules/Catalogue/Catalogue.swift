/// Everything that one app sells.
public struct Catalogue: Hashable, Sendable {
    /// The subscription groups, in the order in which they were defined.
    public var groups: [SubscriptionGroup]
    /// All products, in the order in which they were defined; identifiers are unique.
    public var products: [Product]
    /// What the app promises and asks; empty where it is not said.
    public var policies: AppPolicies

    public init(
        groups: [SubscriptionGroup] = [], products: [Product] = [],
        policies: AppPolicies = AppPolicies()
    ) {
        self.groups = groups
        self.products = products
        self.policies = policies
    }

    /// The product with an identifier.
    public func product(_ id: String) -> Product? { products.first { $0.id == id } }
}

/// Everything that one app sells.
public struct Catalogue: Hashable, Sendable {
    /// The subscription groups, in the order in which they were defined.
    public var groups: [SubscriptionGroup]
    /// All products, in the order in which they were defined; identifiers are unique.
    public var products: [Product]

    public init(groups: [SubscriptionGroup] = [], products: [Product] = []) {
        self.groups = groups
        self.products = products
    }

    /// The product with an identifier.
    public func product(_ id: String) -> Product? { products.first { $0.id == id } }
}

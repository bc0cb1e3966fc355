import SubscriptionRules

/// What values of the rules look like.
extension Schema {
    /// The code of a storefront.
    package static func storefront(_ about: String) -> Schema { text(about, 3...3, .storefront) }

    /// All storefronts, for the one schema that storefronts refer to.
    package static let storefronts = choice(
        "The three-letter code of a storefront.", Storefront.all.map(\.code).sorted())

    /// What one of something costs.
    package static func price(_ about: String) -> Schema { money(about, 0...1_000_000_000_000) }

    /// An amount of one purchase, which may be of ten, or of a hundred items.
    package static func total(_ about: String) -> Schema { money(about, 0...100_000_000_000_000) }

    private static func money(_ about: String, _ range: ClosedRange<Int64>) -> Schema {
        integer("\(about), in milliunits of the currency: 1990 is 1.99.", range)
    }

    package static func currency() -> Schema { text("The ISO 4217 code of the currency.", 3...3) }
}

/// What a family shares, and when, whoever asks.
public enum FamilySharing {
    /// How many people a family has at most, the organiser included (FAM-1).
    public static let mostMembers = 6

    /// Whether a purchase is shared with the purchaser's family.
    ///
    /// The purchaser's own choice for it counts. Without one, a new purchase is shared as the
    /// purchaser shares new purchases; what was bought before its product could be shared stays
    /// as it was, until the purchaser turns sharing on (FAM-3).
    ///
    /// - Parameters:
    ///   - product: what was bought.
    ///   - isOlder: whether the purchase was made, or the service began that goes on, before
    ///     sharing was turned on for the product.
    ///   - choice: what the purchaser chose for this purchase, if anything.
    ///   - sharesNew: whether the purchaser shares new purchases.
    public static func isShared(
        _ product: Product, isOlder: Bool, choice: Bool?, sharesNew: Bool
    ) -> Bool {
        guard product.isFamilyShareable, product.type.canBeShared else { return false }
        if let choice { return choice }
        return sharesNew && !isOlder
    }

    /// The minutes by which a family's first access can be later than the purchase (FAM-4).
    public static let delayMinutesAllowed = 0...60

    /// How much later a family has access at first; renewals come at once (FAM-4). In Sandbox
    /// minutes are as short as its days.
    public static func delay(minutes: Int, at tempo: Tempo) -> Span {
        let day = tempo.span(days: 1, of: .month)
        return Span(milliseconds: day.milliseconds * Int64(minutes) / (24 * 60))
    }
}

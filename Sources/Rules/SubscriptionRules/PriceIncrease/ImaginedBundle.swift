/// A subscriber to several items of a merchant's, of whom no more is said than what decides about
/// their prices, so that they can be explained without a store.
public struct ImaginedBundle: Hashable, Sendable {
    /// One item, whose price rises, falls or stays.
    public struct Item: Hashable, Sendable {
        /// The merchant's name for it.
        public var sku: String
        /// In milliunits of the storefront's currency, offers aside.
        public var oldPrice: Int64
        public var newPrice: Int64
        /// When an increased price of it was last charged (THR-1 c).
        public var lastIncrease: Instant?
        /// The offer that runs on it. Beside other items it counts in the plan's periods (LIN-2).
        public var offer: ImaginedSubscriber.RunningOffer?
        /// The items that end with it where its increase is refused or unanswered (ACS-3).
        public var dependents: [String]

        public init(
            sku: String, oldPrice: Int64, newPrice: Int64, lastIncrease: Instant? = nil,
            offer: ImaginedSubscriber.RunningOffer? = nil, dependents: [String] = []
        ) {
            self.sku = sku
            self.oldPrice = oldPrice
            self.newPrice = newPrice
            self.lastIncrease = lastIncrease
            self.offer = offer
            self.dependents = dependents
        }
    }

    /// Why there can be no such bundle.
    public enum Impossibility: Error, Hashable {
        /// There is no item, or there are too many.
        case itemCount
        /// Two items have one name.
        case repeatedItem(String)
        /// Something depends on an item that is not there, or on itself.
        case unknownDependent(String)
        /// An item that others depend on depends on another one (ACS-3).
        case chain(String)
        /// A bundle is sold by Advanced Commerce alone.
        case route
        /// There is no such subscriber to one of the items.
        case item(String, ImaginedSubscriber.Impossibility)
    }

    /// The most items of a request (0035).
    public static let mostItems = 100

    /// The subscriber, with the offer and the last increase of no item.
    public var subscriber: ImaginedSubscriber
    public var items: [Item]

    public init(_ subscriber: ImaginedSubscriber, items: [Item]) {
        self.subscriber = subscriber
        self.items = items
    }

    /// What the new prices mean for this subscriber, item by item and together.
    ///
    /// - Parameter live: when the merchant calls the store; where the merchant tells the customers,
    ///   when it decides.
    public func explanation(
        in currency: Currency, route: PriceChangeRoute, live: Instant,
        thresholds: ConsentThresholds
    ) throws(Impossibility) -> BundlePriceExplanation {
        guard route != .appStoreConnect else { throw .route }
        try check()
        var explained: [BundlePriceExplanation.Item] = []
        for item in items {
            var one = subscriber
            one.lastIncrease = item.lastIncrease
            one.offer = item.offer
            if items.count > 1 { one.offer?.period = nil }
            do throws(ImaginedSubscriber.Impossibility) {
                let change = PriceChange(from: item.oldPrice, to: item.newPrice, in: currency)
                explained.append(
                    .init(
                        sku: item.sku, dependents: item.dependents,
                        explanation: try one.explanation(
                            of: change, route: route, live: live, thresholds: thresholds)))
            } catch {
                throw .item(item.sku, error)
            }
        }
        return BundlePriceExplanation(explained, route: route, live: live, thresholds: thresholds)
    }

    private func check() throws(Impossibility) {
        guard (1...Self.mostItems).contains(items.count) else { throw .itemCount }
        var seen: Set<String> = []
        for item in items where !seen.insert(item.sku).inserted { throw .repeatedItem(item.sku) }
        let leading = Set(items.filter { !$0.dependents.isEmpty }.map(\.sku))
        for dependent in items.flatMap(\.dependents) where leading.contains(dependent) {
            throw .chain(dependent)
        }
        for dependent in items.flatMap(\.dependents) where !seen.contains(dependent) {
            throw .unknownDependent(dependent)
        }
    }
}

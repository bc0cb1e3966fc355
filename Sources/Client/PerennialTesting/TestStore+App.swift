import Store
public import SubscriptionRules

/// What becomes of customers' requests for refunds.
public enum RefundAnswer: Sendable, Hashable, CaseIterable {
    case granted
    case declined
    /// What your server prefers in its consumption data; granted where it says nothing.
    case asPreferred

    var policy: RefundPolicy {
        switch self {
        case .granted: .approve
        case .declined: .decline
        case .asPreferred: .developer
        }
    }
}

/// What existing subscribers pay after a price increase.
public enum ExistingSubscribers: Sendable, Hashable, CaseIterable {
    /// The new price, after notice or consent.
    case pay
    /// Their old price.
    case keepTheirPrice
}

extension TestStore {
    /// Sets the Billing Grace Period of the app; nil for none.
    public func setGracePeriod(_ length: GracePeriod?) async throws {
        let isSandbox = place == .sandbox
        try await store.configure(bundleID: bundleID) { settings in
            if isSandbox {
                settings.sandboxGracePeriod = length
            } else {
                settings.gracePeriod = length
            }
        }
    }

    /// Says what becomes of customers' requests for refunds; they are granted otherwise.
    public func answerRefunds(_ answer: RefundAnswer) async throws {
        let policy = answer.policy
        try await store.configure(bundleID: bundleID) { settings in
            settings.refundPolicy = policy
            settings.sandboxRefundPolicy = policy
        }
    }

    /// Sets a price, at once.
    ///
    /// - Parameter price: in thousandths: 19.99 is `19_990`.
    public func setPrice(
        of product: String, to price: Int64, existing: ExistingSubscribers,
        storefront: String = "USA"
    ) async throws {
        guard let place = Storefront(code: storefront) else {
            throw TestStoreFailure("\(storefront) is no storefront: write USA, DEU or another.")
        }
        let rest: ScheduledPrice.Existing = existing == .pay ? .apply : .preserve
        try await store.schedule(
            PriceOrder(productID: product, storefront: place, price: price, existing: rest),
            bundleID: bundleID)
        try await store.settle()
    }

    /// Makes a custom code that customers redeem for an offer with codes.
    ///
    /// - Parameters:
    ///   - offer: the offer's identifier.
    ///   - count: how many customers may redeem it.
    public func makeOfferCode(
        _ code: String, for offer: String, of product: String, count: Int = 1000
    ) async throws {
        _ = try await store.makeOfferCodes(
            OfferCodeOrder(productID: product, offerID: offer, custom: code, count: count),
            bundleID: bundleID, in: place)
    }

    /// Refunds a transaction that no customer asked about.
    public func refund(
        _ transaction: SignedTransaction, _ extent: RefundablePeriod.Extent = .full
    ) async throws {
        _ = try await store.refund(
            transaction: try number(of: transaction), extent, reason: .other, in: place)
        try await store.settle()
    }

    /// Undoes a refund after a dispute.
    public func reverseRefund(of transaction: SignedTransaction) async throws {
        try await store.reverseRefund(transaction: try number(of: transaction), in: place)
        try await store.settle()
    }

    func number(of transaction: SignedTransaction) throws(TestStoreFailure) -> Int64 {
        guard let number = Int64(transaction.id) else {
            throw TestStoreFailure("\(transaction.id) is no identifier of this store.")
        }
        return number
    }
}

import AppStoreWire
public import Store
public import SubscriptionRules
public import TestFloor
public import Testing

/// What a family can share, and what it cannot.
public enum FamilyCatalogue {
    public static let all = Catalogue(
        groups: [SubscriptionGroup(id: "club", referenceName: "Club")],
        products: [
            plan("family.plus", level: 1, .month, 19_990, isShared: true),
            plan("family.monthly", level: 2, .month, 9_990, isShared: true),
            plan("single.monthly", level: 2, .month, 4_990, isShared: false),
            plan(
                "family.trial", level: 2, .month, 9_990, isShared: true,
                offer: Offer(kind: .introductory, mode: .freeTrial, period: .week)),
            Product(
                id: "lifetime", type: .nonConsumable, isFamilyShareable: true, basePrice: 49_990),
            Product(id: "poster", type: .nonConsumable, basePrice: 2_990),
            Product(id: "coins", type: .consumable, basePrice: 990),
        ])

    private static func plan(
        _ id: String, level: Int, _ period: CalendarPeriod, _ price: Int64, isShared: Bool,
        offer: Offer? = nil
    ) -> Product {
        Product(
            id: id, type: .autoRenewableSubscription, isFamilyShareable: isShared,
            basePrice: price,
            subscription: SubscriptionTerms(
                groupID: "club", level: level, period: period, offers: offer.map { [$0] } ?? []))
    }
}

extension World {
    /// A world in which a family can share.
    public static func shareable(
        _ backend: Backend, at start: String = "2026-01-01T00:00:00Z",
        configure: @escaping @Sendable (inout App.Settings) -> Void = { _ in }
    ) async throws -> World {
        try await World(backend, at: start, catalogue: FamilyCatalogue.all, configure: configure)
    }

    /// What the developer was told since the last time, each with whose it is: such as
    /// `bea 2026-01-01 SUBSCRIBED/INITIAL_BUY 1 family.monthly 0.00 until 2026-02-01`.
    public func told(
        in environment: StoreEnvironment = .production, _ lines: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await tellings(in: environment) == lines, sourceLocation: sourceLocation)
    }

    /// The same without an expectation.
    public func tellings(in environment: StoreEnvironment = .production) async throws -> [String] {
        try await store.settle()
        var found: [String] = []
        for arrival in listener.takeArrivals() {
            let id = arrival.transaction.flatMap { Int64($0.transactionId) } ?? 0
            let owner = try await owner(ofTransaction: id, in: environment)
            found.append("\(owner ?? "nobody") \(arrival.line)")
        }
        return found
    }

    /// Whose a transaction is.
    public func owner(
        ofTransaction id: Int64, in environment: StoreEnvironment = .production
    ) async throws -> String? {
        try await store.search("\(id)", in: environment, limit: 1).first?.customer.account
    }

    /// What a device's customer has access to now: the products, those of the family with a star.
    public func has(_ device: DeviceSession) async throws -> [String] {
        try await store.entitlements(for: device).map { entitlement in
            let payload: JWSTransactionDecodedPayload = try JWSText.decode(entitlement.signed)
            return payload.productId
                + (payload.inAppOwnershipType == .familyShared ? "*" : "")
        }.sorted()
    }

    /// Buys something once, without saying anything about notifications.
    ///
    /// - Returns: its transaction.
    public func buyOnce(_ product: String, by device: DeviceSession) async throws -> Int64 {
        let signed = try #require(
            try await store.purchase(PurchaseRequest(productID: product), by: device))
        let transaction: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return try #require(Int64(transaction.transactionId))
    }
}

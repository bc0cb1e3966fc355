import AppStoreWire
import Journal
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// A world in which a merchant sells what it describes itself, and its requests.
enum MerchantWorld {
    static let generic = "generic.subscription"
    static let charge = "generic.charge"

    static func world(
        _ backend: Backend, at start: String, mailroom: Mailroom? = nil
    ) async throws -> World {
        let world = try await World(backend, at: start, mailroom: mailroom)
        try await world.store.importCatalogue(
            Catalogue(
                groups: [SubscriptionGroup(id: "generic", referenceName: "Generic")],
                products: [
                    Product(
                        id: generic, type: .autoRenewableSubscription, basePrice: 990,
                        subscription: SubscriptionTerms(
                            groupID: "generic", level: 1, period: .month)),
                    Product(id: charge, type: .consumable, basePrice: 990),
                ]), bundleID: World.bundleID)
        for product in [generic, charge] {
            try await world.store.setGeneric(true, product: product, bundleID: World.bundleID)
        }
        return world
    }

    /// Ada has had a bundle since 1 January, monthly.
    ///
    /// - Returns: the world, her device, her first transaction and its number.
    static func bundle(
        _ backend: Backend, _ items: KeyValuePairs<String, Int64>
    ) async throws -> (World, DeviceSession, JWSTransactionDecodedPayload, Int64) {
        let world = try await world(backend, at: "2026-01-01")
        let ada = try await world.device()
        let first = try await buy(
            create(1, items.map { item($0.key, $0.value) }), by: ada, in: world)
        try await world.settle(expecting: ["SUBSCRIBED/INITIAL_BUY"])
        return (world, ada, first, try #require(Int64(first.transactionId)))
    }

    static func reference(_ number: Int) -> AdvancedCommerceRequestInfo {
        let tail = String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
        return AdvancedCommerceRequestInfo(
            requestReferenceId: "00000000-0000-4000-8000-\(tail)")
    }

    static func item(
        _ sku: String, _ price: Int64, offer: AdvancedCommerceOffer? = nil
    ) -> AdvancedCommerceSubscriptionCreateItem {
        AdvancedCommerceSubscriptionCreateItem(
            sku: sku, displayName: "The \(sku)", description: "All of \(sku)", price: price,
            offer: offer)
    }

    static func create(
        _ number: Int, _ items: [AdvancedCommerceSubscriptionCreateItem],
        period: AdvancedCommercePeriod = .oneMonth, previous: String? = nil,
        storefront: String? = nil, currency: String = "USD"
    ) -> PurchaseRequest {
        let request = AdvancedCommerceSubscriptionCreateRequest(
            requestInfo: reference(number), currency: currency, taxCode: "C003-00-1",
            descriptors: AdvancedCommerceDescriptors(
                displayName: "The paper", description: "News and more"),
            period: period, previousTransactionId: previous, storefront: storefront, items: items)
        return signed(.createSubscription(request), of: generic, nonce: number)
    }

    static func signed(
        _ request: AdvancedCommerceInAppRequest, of product: String, nonce: Int
    ) -> PurchaseRequest {
        var purchase = PurchaseRequest(productID: product)
        purchase.advancedCommerce = SignedInAppRequest(nonce: "nonce \(nonce)", request)
        return purchase
    }

    static func buy(
        _ request: PurchaseRequest, by device: DeviceSession, in world: World
    ) async throws -> JWSTransactionDecodedPayload {
        let signed = try await world.store.buy(request, by: device).signedTransaction
        return try JWSText.decode(try #require(signed))
    }

    static func newest(
        of first: JWSTransactionDecodedPayload, in world: World
    ) async throws -> JWSTransactionDecodedPayload {
        let id = try #require(Int64(first.transactionId))
        let newest = try await world.store.subscription(id).1.newestPeriod.transactionID
        return try JWSText.decode(
            try await world.store.transactionInfo(newest, for: production))
    }

    static func change(
        _ number: Int, _ prices: [(String, Int64)], dependents: [String]? = nil,
        token: String? = nil
    ) -> AdvancedCommerceSubscriptionPriceChangeRequest {
        var info = reference(number)
        info.consistencyToken = token
        return AdvancedCommerceSubscriptionPriceChangeRequest(
            requestInfo: info, currency: "USD",
            items: prices.map {
                AdvancedCommerceSubscriptionPriceChangeItem(
                    sku: $0.0, price: $0.1, dependentSKUs: dependents)
            })
    }

    static let production = Caller(bundleID: World.bundleID, environment: .production)

    static func expect(
        _ error: APIError, _ body: () async throws -> Void,
        _ place: SourceLocation = #_sourceLocation
    ) async {
        do {
            try await body()
            Issue.record("nothing was refused", sourceLocation: place)
        } catch StoreError.advancedCommerce(let refused) {
            #expect(refused.code == error.code, sourceLocation: place)
        } catch {
            Issue.record("\(error)", sourceLocation: place)
        }
    }

    /// A request that changes the subscription of a transaction.
    static func modify(
        _ number: Int, _ first: JWSTransactionDecodedPayload, keepsCycle: Bool = true,
        _ fill: (inout AdvancedCommerceSubscriptionModifyInAppRequest) -> Void
    ) -> PurchaseRequest {
        var request = AdvancedCommerceSubscriptionModifyInAppRequest(
            transactionId: first.transactionId, requestInfo: reference(number), currency: "USD",
            retainBillingCycle: keepsCycle)
        fill(&request)
        return signed(.modifySubscription(request), of: generic, nonce: number)
    }

    static func reactivate(
        _ number: Int, _ first: JWSTransactionDecodedPayload, _ skus: [String]? = nil
    ) -> PurchaseRequest {
        let request = AdvancedCommerceSubscriptionReactivateInAppRequest(
            transactionId: first.transactionId, requestInfo: reference(number),
            items: skus?.map { AdvancedCommerceSubscriptionReactivateItem(sku: $0) })
        return signed(.reactivateSubscription(request), of: generic, nonce: number)
    }

    static func added(
        _ sku: String, _ price: Int64, offer: AdvancedCommerceOffer? = nil, prorated: Int64? = nil
    ) -> AdvancedCommerceSubscriptionModifyAddItem {
        AdvancedCommerceSubscriptionModifyAddItem(
            sku: sku, displayName: "The \(sku)", description: "All of \(sku)", price: price,
            offer: offer, proratedPrice: prorated)
    }

    static func changed(
        _ current: String, to sku: String, _ price: Int64, offer: AdvancedCommerceOffer? = nil,
        prorated: Int64? = nil, _ effective: AdvancedCommerceEffective = .immediately
    ) -> AdvancedCommerceSubscriptionModifyChangeItem {
        AdvancedCommerceSubscriptionModifyChangeItem(
            currentSKU: current, sku: sku, displayName: "The \(sku)",
            description: "All of \(sku)", price: price, offer: offer, proratedPrice: prorated,
            effective: effective, reason: offer == nil ? .upgrade : .applyOffer)
    }

    static func removed(_ skus: String...) -> [AdvancedCommerceSubscriptionModifyRemoveItem] {
        skus.map { AdvancedCommerceSubscriptionModifyRemoveItem(sku: $0) }
    }

    /// A transaction as it is told now.
    static func transaction(
        _ id: String, in world: World
    ) async throws -> JWSTransactionDecodedPayload {
        try JWSText.decode(
            try await world.store.transactionInfo(try #require(Int64(id)), for: production))
    }
}

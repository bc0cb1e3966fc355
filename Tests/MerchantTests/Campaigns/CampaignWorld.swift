import AppStoreWire
import Merchant
import MerchantRules
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// Subscribers for campaigns, and the campaigns.
extension MerchantWorld {
    /// Buys at the store, and lets the account have it at the merchant.
    @discardableResult
    func subscribe(
        _ account: String, _ product: String, storefront: String = "USA", claims: Bool = true
    ) async throws -> JWSTransactionDecodedPayload {
        let device = try await world.device(account, storefront: storefront)
        return try await subscribe(
            account, PurchaseRequest(productID: product), by: device, claims: claims)
    }

    /// The same of items that the merchant describes itself.
    @discardableResult
    func subscribe(
        _ account: String, to items: KeyValuePairs<String, Int64>, number: Int = 1
    ) async throws -> JWSTransactionDecodedPayload {
        let tail = String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
        let request = AdvancedCommerceSubscriptionCreateRequest(
            requestInfo: AdvancedCommerceRequestInfo(
                requestReferenceId: "00000000-0000-4000-8000-\(tail)"),
            currency: "USD", taxCode: "C003-00-1",
            descriptors: AdvancedCommerceDescriptors(
                displayName: "The paper", description: "News and more"),
            period: .oneMonth, previousTransactionId: nil, storefront: nil,
            items: items.map { sku, price in
                AdvancedCommerceSubscriptionCreateItem(
                    sku: sku, displayName: "The \(sku)", description: "All of \(sku)",
                    price: price, offer: nil)
            })
        var purchase = PurchaseRequest(productID: Self.generic)
        purchase.advancedCommerce = SignedInAppRequest(
            nonce: "nonce \(number)", .createSubscription(request))
        return try await subscribe(
            account, purchase, by: try await world.device(account), claims: true)
    }

    private func subscribe(
        _ account: String, _ request: PurchaseRequest, by device: DeviceSession, claims: Bool
    ) async throws -> JWSTransactionDecodedPayload {
        let signed = try #require(try await world.store.purchase(request, by: device))
        if claims {
            _ = try await merchant.take(
                transaction: signed, from: account, of: World.bundleID)
        }
        try await deliver()
        return try JWSText.decode(signed)
    }

    static let generic = "generic.subscription"

    /// Lets the store sell what a merchant describes itself.
    func addGeneric() async throws {
        try await world.store.importCatalogue(
            Catalogue(
                groups: [SubscriptionGroup(id: "generic", referenceName: "Generic")],
                products: [
                    Product(
                        id: Self.generic, type: .autoRenewableSubscription, basePrice: 990,
                        subscription: SubscriptionTerms(
                            groupID: "generic", level: 1, period: .month))
                ]), bundleID: World.bundleID)
        try await world.store.setGeneric(
            true, product: Self.generic, bundleID: World.bundleID)
    }

    /// Keeps how an account is reached.
    func reach(_ account: String) async throws {
        let token = String(repeating: "ab", count: 32)
        let device = try #require(PushToken(token, environment: .production))
        _ = try await merchant.setContact(
            AccountContact(
                email: "\(account)@example.com", locale: "en", pushTokens: [device]),
            of: account, in: World.bundleID)
    }

    /// New prices by the App Store's own way.
    static func prices(
        _ targets: [String: [String: Int64]], route: PriceChangeRoute = .appStoreConnect,
        live: String, name: String = "spring",
        exclusions: PriceCampaign.Exclusions = PriceCampaign.Exclusions()
    ) -> CampaignDefinition {
        CampaignDefinition(
            .price(
                PriceCampaign(
                    name: name, bundleID: World.bundleID, route: route, targets: targets,
                    exclusions: exclusions, live: World.instant(live))),
            periods: route == .appStoreConnect
                ? Dictionary(uniqueKeysWithValues: targets.keys.map { ($0, .month) }) : [:])
    }

    /// Plans a campaign, and reads the plan: `ada included notice 9990 11990`, a line for each.
    func plan(_ definition: CampaignDefinition) async throws -> (CampaignPlan, [PlannedSubscriber])
    {
        let plan = try await merchant.plan(definition, file: "", attachments: [:])
        let all = try await merchant.subscribers(of: plan.id, limit: 1000)
        // Whatever is decided, everybody is counted once.
        #expect(plan.totals.audience == Int64(all.count))
        #expect(plan.totals.counts.reduce(0) { $0 + $1.count } == plan.totals.audience)
        #expect(try await merchant.campaignPlan(plan.id) == plan)
        return (plan, all)
    }
}

extension PlannedSubscriber {
    /// `ada included notice 9990 11990`.
    var line: String {
        let prices = [oldPrice, newPrice].map { $0.map { String($0) } ?? "-" }
        return ([account ?? "nobody", decision.rawValue, reason] + prices).joined(separator: " ")
    }
}

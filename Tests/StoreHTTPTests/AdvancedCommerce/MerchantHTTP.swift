import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

/// What a merchant's server and the customers' devices send in tests of Advanced Commerce.
enum MerchantHTTP {
    static let generic = "generic.subscription"
    static let charge = "generic.charge"
    /// Where signatures are kept that were used, by an attempt that was refused as well.
    static let spent: Set = ["offer_signature"]

    /// A world whose catalogue has a product for all subscriptions and one for all charges.
    static func world(
        options: StoreServer.Options = StoreServer.Options()
    ) async throws -> HTTPWorld {
        let world = try await HTTPWorld(isListening: false, options: options)
        try await world.world.store.importCatalogue(
            Catalogue(
                groups: SampleCatalogue.all.groups + [
                    SubscriptionGroup(id: "generic", referenceName: "Generic")
                ],
                products: SampleCatalogue.all.products + [
                    Product(
                        id: generic, type: .autoRenewableSubscription, basePrice: 990,
                        subscription: SubscriptionTerms(
                            groupID: "generic", level: 1, period: .month)),
                    Product(id: charge, type: .consumable, basePrice: 990),
                ]), bundleID: World.bundleID)
        for product in [generic, charge] {
            try await world.world.store.setGeneric(
                true, product: product, bundleID: World.bundleID)
        }
        return world
    }

    /// The `requestReferenceId` of a number.
    static func reference(_ number: Int) -> String {
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count)
            + "\(number)"
    }

    /// The nonce of a number.
    static func nonce(_ number: Int) -> String {
        "10000000-0000-4000-8000-" + reference(number).suffix(12)
    }

    /// The member that names a request.
    static func info(_ number: Int, _ more: String = "") -> String {
        #""requestInfo":{"requestReferenceId":"\#(reference(number))"\#(more)}"#
    }

    static func item(_ sku: String, _ price: String) -> String {
        #"{"SKU":"\#(sku)","displayName":"The \#(sku)","description":"All of it","#
            + #""price":\#(price)}"#
    }

    /// A subscription of items as it is asked for.
    static func create(
        _ number: Int, items: [String] = [item("news", "9990"), item("chess", "2990")],
        more: String = ""
    ) -> String {
        #"{"operation":"CREATE_SUBSCRIPTION","version":"1",\#(info(number)),"currency":"USD","#
            + #""taxCode":"C003-00-1","period":"P1M","descriptors":{"displayName":"The paper","#
            + #""description":"News"},"items":[\#(items.joined(separator: ","))]\#(more)}"#
    }

    /// A one-time charge as it is asked for.
    static func charge(_ number: Int, price: String = "24990") -> String {
        #"{"operation":"CREATE_ONE_TIME_CHARGE","version":"1",\#(info(number)),"currency":"USD","#
            + #""taxCode":"C003-00-2","item":\#(item("lesson", price))}"#
    }
}

extension Client {
    /// Signs a request as the merchant's server does.
    func sign(
        _ request: String, nonce: Int, key: APIKey = HTTPWorld.key,
        bundleID: String = World.bundleID, after: Double = 0
    ) throws -> String {
        try key.sign(
            inAppRequest: Array(request.utf8), bundleID: bundleID,
            nonce: MerchantHTTP.nonce(nonce),
            now: Double(world.machine.now.milliseconds) / 1000 + after)
    }

    /// Buys with a signed text on a device.
    func buy(
        jws: String, of product: String = MerchantHTTP.generic, as token: String
    ) async throws -> Reply {
        try await ours(
            .post, "/storefront/v1/purchases",
            #"{"productId":"\#(product)","advancedCommerce":{"jws":\#(jws.jsonText())}}"#,
            as: .bearer(token))
    }

    /// Buys with a request that is signed on the way.
    func buy(
        _ request: String, nonce: Int, of product: String = MerchantHTTP.generic, as token: String
    ) async throws -> Reply {
        try await buy(jws: sign(request, nonce: nonce), of: product, as: token)
    }

    /// A bundle of two items, bought by an account; its first transaction.
    func bundle(
        _ number: Int = 1, by account: String = "ada", storefront: String = "USA"
    ) async throws -> String {
        let token = try await signIn(account, storefront: storefront)
        return try await bought(MerchantHTTP.create(number), nonce: number, as: token)
    }

    /// Buys with a request that must be taken; the transaction of it.
    func bought(_ request: String, nonce: Int, as token: String) async throws -> String {
        let reply = try await buy(request, nonce: nonce, as: token)
        let signed = try #require(reply["signedTransactionInfo"]?.string, "\(reply.text)")
        return try await verifier().verifyTransaction(signed).transactionId
    }

    /// Calls a server endpoint, and holds the reply against the description.
    func call(
        _ endpoint: AdvancedCommerceEndpoint, _ id: String, _ body: String,
        as credential: Credential = .developer, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Reply {
        let path = endpoint.path.replacing("{transactionId}", with: id)
        let reply = try await send(.post, path, body, as: credential)
        let problems = OpenAPI.serverAPI(in: environment).problems(of: reply, to: .post, path)
        #expect(problems.isEmpty, "\(path)", sourceLocation: sourceLocation)
        return reply
    }
}

/// Expects one of Apple's errors on a surface of our own, which has its number and name.
func expect(
    _ reply: Reply, onDevice error: APIError, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(reply.status == error.status, "\(reply.text)", sourceLocation: sourceLocation)
    #expect(
        reply["errorCode"]?.integer == error.code, "\(reply.text)", sourceLocation: sourceLocation)
    #expect(reply["errorName"]?.string == error.name, sourceLocation: sourceLocation)
    #expect(reply["field"]?.string == "advancedCommerce", sourceLocation: sourceLocation)
    #expect(reply.complaint != nil, sourceLocation: sourceLocation)
}

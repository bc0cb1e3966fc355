import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Purchases that wait, over HTTP")
struct PurchaseRequestTests {
    private static let requests = "/connect/v1/purchase-requests"
    private static let customer = "/connect/v1/customers/ada"

    private func buy(
        _ client: Client, _ product: String, as token: String
    ) async throws -> Reply {
        try await client.ours(
            .post, "/storefront/v1/purchases", #"{"productId":"\#(product)"}"#,
            as: .bearer(token))
    }

    @Test("A child's purchase is pending, listed, approved, and comes up unfinished")
    func approve() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            let set = try await client.ours(.patch, Self.customer, #"{"asksToBuy":true}"#)
            #expect(set["asksToBuy"] == .bool(true))
            #expect(set["interruptsPurchases"] == .bool(false))
            #expect(set["canMakePayments"] == .bool(true))
            let asked = try await buy(client, "silver.monthly", as: token)
            #expect(asked.status == 200)
            #expect(asked["result"] == .string("pending"))
            #expect(asked["signedTransactionInfo"] == nil && asked["billId"] == nil)
            let id = try #require(asked["requestId"]?.string)
            let listed = try await client.ours(
                .get, "\(Self.requests)?state=waiting&reason=askToBuy&account=ada")
            #expect(listed["purchaseRequests"]?.array?.count == 1)
            let one = try await client.ours(.get, "\(Self.requests)/\(id)")
            #expect(one["state"] == .string("waiting"))
            #expect(one["price"] == .integer(9990))
            #expect(one["lapses"] == .string("2026-01-02T00:00:00Z"))
            let own = try await client.ours(
                .get, "/storefront/v1/purchase-requests", as: .bearer(token))
            #expect(own["purchaseRequests"]?.array?.first?["id"] == .string(id))
            let refused = try await client.ours(
                .post, "/storefront/v1/purchase-requests/\(id)/settle", as: .bearer(token))
            #expect(refused.complaint == "needsApproval")
            let approved = try await client.ours(.post, "\(Self.requests)/\(id)/approve")
            #expect(approved["state"] == .string("approved"))
            let transaction = try #require(approved["transactionId"]?.string)
            let queue = try await client.ours(
                .get, "/storefront/v1/transactions?unfinished=true", as: .bearer(token))
            let unfinished = queue["transactions"]?.array?.first
            #expect(unfinished?["transactionId"] == .string(transaction))
            for act in ["approve", "decline"] {
                let again = try await client.ours(.post, "\(Self.requests)/\(id)/\(act)")
                #expect(again.status == 409)
                #expect(again.complaint == "requestClosed")
                #expect(again.text.contains("was approved"))
            }
            #expect(
                try await client.ours(.get, "\(Self.requests)/99").complaint
                    == "unknownPurchaseRequest")
            #expect(
                try await client.ours(.get, "\(Self.requests)?account=nobody").complaint
                    == "unknownAccount")
        }
    }

    @Test("Requests are given out a page at a time")
    func pages() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            _ = try await client.ours(.patch, Self.customer, #"{"asksToBuy":true}"#)
            for product in ["coins", "season", "lifetime"] {
                _ = try await buy(client, product, as: token)
            }
            let first = try await client.ours(.get, "\(Self.requests)?limit=2")
            let products = first["purchaseRequests"]?.array?.compactMap { $0["productId"]?.string }
            #expect(products == ["lifetime", "season"])
            #expect(first["hasMore"] == .bool(true))
            let last = try #require(first["purchaseRequests"]?.array?.last?["id"]?.string)
            let second = try await client.ours(
                .get, "\(Self.requests)?limit=2&before=\(last)")
            #expect(
                second["purchaseRequests"]?.array?.compactMap { $0["productId"]?.string }
                    == ["coins"])
            #expect(second["hasMore"] == .bool(false))
            let due = try await client.ours(.get, "/connect/v1/clock/due?until=P2D")
            #expect(
                due["counts"]?.array?.contains { $0["kind"] == .string("purchaseRequest") }
                    == true)
        }
    }

    @Test("An interrupted purchase fails by its code until the customer settles it")
    func interrupted() async throws {
        let world = try await HTTPWorld()
        try await world.with(.sandbox) { client in
            let token = try await client.signIn()
            _ = try await client.ours(.patch, Self.customer, #"{"interruptsPurchases":true}"#)
            let failed = try await buy(client, "coins", as: token)
            #expect(failed.status == 409)
            #expect(failed.complaint == "purchaseInterrupted")
            let id = try #require(failed["requestId"]?.string)
            let settled = try await client.ours(
                .post, "/storefront/v1/purchase-requests/\(id)/settle", as: .bearer(token))
            #expect(settled.status == 200)
            #expect(settled["reason"] == .string("interrupted"))
            #expect(settled["transactionId"]?.string != nil)
        }
    }

    @Test("Who may not pay reads so, and is refused")
    func mayNotPay() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            _ = try await client.ours(.patch, Self.customer, #"{"canMakePayments":false}"#)
            let shop = try await client.ours(
                .get, "/storefront/v1/products", as: .bearer(token))
            #expect(shop["canMakePayments"] == .bool(false))
            let signedIn = try await client.ours(
                .post, "/storefront/v1/sign-in",
                #"{"bundleId":"com.example.app","account":"ada"}"#, as: .nothing)
            #expect(signedIn["canMakePayments"] == .bool(false))
            let refused = try await buy(client, "coins", as: token)
            #expect(refused.status == 403)
            #expect(refused.complaint == "paymentsNotAllowed")
        }
    }

    @Test("A change of plan tells which request it waits for")
    func planChange() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let token = try await client.signIn()
            _ = try await buy(client, "silver.monthly", as: token)
            _ = try await client.ours(.patch, Self.customer, #"{"asksToBuy":true}"#)
            let shown = try await client.ours(
                .get, "/storefront/v1/subscriptions", as: .bearer(token))
            let id = try #require(
                shown["subscriptions"]?.array?.first?["originalTransactionId"]?.string)
            let changed = try await client.ours(
                .patch, "/storefront/v1/subscriptions/\(id)", #"{"productId":"gold.monthly"}"#,
                as: .bearer(token))
            #expect(changed["productId"] == .string("silver.monthly"))
            let request = try #require(changed["requestId"]?.string)
            let declined = try await client.ours(
                .post, "\(Self.requests)/\(request)/decline")
            #expect(declined["state"] == .string("declined"))
            #expect(declined["originalTransactionId"] == .string(id))
        }
    }

    @Test("Sandbox approves nothing unless the app is set so (ATB-3)")
    func sandbox() async throws {
        let world = try await HTTPWorld()
        try await world.with(.sandbox) { client in
            let token = try await client.signIn()
            _ = try await client.ours(.patch, Self.customer, #"{"asksToBuy":true}"#)
            let app = "/connect/v1/apps/\(World.bundleID)"
            #expect(
                try await client.ours(.get, app)["sandboxApprovesPurchases"] == .bool(false))
            let asked = try await buy(client, "coins", as: token)
            let id = try #require(asked["requestId"]?.string)
            let refused = try await client.ours(.post, "\(Self.requests)/\(id)/approve")
            #expect(refused.status == 409)
            #expect(refused.complaint == "sandboxCannotApprove")
            let set = try await client.ours(
                .patch, app, #"{"sandboxApprovesPurchases":true}"#)
            #expect(set["sandboxApprovesPurchases"] == .bool(true))
            let approved = try await client.ours(.post, "\(Self.requests)/\(id)/approve")
            #expect(approved["state"] == .string("approved"))
        }
    }
}

import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Connect: what a Sandbox account can be set to")
struct SandboxAccountTests {
    private static let customer = "/connect/v1/customers/ada"

    @Test("Its purchase history is cleared, and it may have a trial again")
    func clear() async throws {
        let world = try await HTTPWorld()
        try await world.with(.sandbox) { client in
            let token = try await client.signIn()
            func buy() async throws -> Reply {
                try await client.ours(
                    .post, "/storefront/v1/purchases", #"{"productId":"silver.trial"}"#,
                    as: .bearer(token))
            }
            _ = try await buy()
            #expect(try await buy().complaint == "alreadySubscribed")
            let cleared = try await client.ours(.post, "\(Self.customer)/clear-history")
            #expect(cleared["account"] == .string("ada"))
            #expect(cleared["history"] == .string("ada (history 1)"))
            let again: JWSTransactionDecodedPayload = try JWSText.decode(
                try #require(try await buy()["signedTransactionInfo"]?.string))
            #expect(again.offerDiscountType == .freeTrial)
            let nobody = try await client.ours(
                .post, "/connect/v1/customers/nobody/clear-history")
            #expect(nobody.complaint == "unknownAccount")
        }
        try await world.with { client in
            _ = try await client.signIn()
            let refused = try await client.ours(.post, "\(Self.customer)/clear-history")
            #expect(refused.status == 409)
            #expect(refused.complaint == "sandboxOnly")
        }
    }

    @Test("Purchases and renewals fail while they are not allowed")
    func allows() async throws {
        let world = try await HTTPWorld()
        try await world.with(.sandbox) { client in
            let token = try await client.signIn()
            for (isAllowed, status) in [(false, 402), (true, 200)] {
                let set = try await client.ours(
                    .patch, Self.customer, #"{"allowsPurchasesAndRenewals":\#(isAllowed)}"#)
                #expect(
                    set["paymentMethod"]?["behaviour"]
                        == .string(isAllowed ? "approve" : "decline"))
                let bought = try await client.ours(
                    .post, "/storefront/v1/purchases", #"{"productId":"coins"}"#,
                    as: .bearer(token))
                #expect(bought.status == status)
            }
        }
        try await world.with { client in
            _ = try await client.signIn()
            let refused = try await client.ours(
                .patch, Self.customer, #"{"allowsPurchasesAndRenewals":false}"#)
            #expect(refused.complaint == "sandboxOnly")
        }
    }
}

import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Years that are billed monthly over HTTP")
struct CommitmentHTTPTests {
    private let app = "/connect/v1/apps/com.example.app"
    private var billing: String { "\(app)/products/silver.yearly/monthly-billing" }
    private let monthly = #"{"productId":"silver.yearly","billingPlanType":"MONTHLY"}"#

    private func sold(_ client: Client) async throws {
        let reply = try await client.ours(.put, billing, #"{"price":9000,"enabled":true}"#)
        #expect(reply.status == 204, "\(reply.text)")
    }

    private func listed(_ client: Client, to token: String) async throws -> JSONValue? {
        try await client.ours(
            .get, "/storefront/v1/products?id=silver.yearly", as: .bearer(token))["products"]?
            .array?.first?["subscription"]
    }

    @Test("Both prices are disclosed where it is sold, and nothing where it is not")
    func disclosed() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let ada = try await client.signIn("ada", storefront: "DEU")
            #expect(try await listed(client, to: ada)?["monthlyBilling"] == nil)
            try await sold(client)
            let price = #"{"price":8500,"billingPlanType":"MONTHLY"}"#
            #expect(
                try await client.ours(
                    .put, "\(app)/products/silver.yearly/prices/DEU", price
                ).status == 204)
            let shown = try await listed(client, to: ada)?["monthlyBilling"]
            #expect(shown?["billingPlanType"] == .string("MONTHLY"))
            #expect(shown?["price"] == .integer(8_500))
            #expect(shown?["commitmentPrice"] == .integer(102_000))
            #expect(shown?["period"] == .string("P1M"))
            #expect(shown?["commitmentPeriod"] == .string("P1Y"))
            let ben = try await client.signIn("ben", storefront: "USA")
            #expect(try await listed(client, to: ben)?["monthlyBilling"] == nil)
            let product = try await client.ours(.get, "\(app)/catalogue")["products"]?.array?
                .first { $0["id"] == .string("silver.yearly") }
            let kept = product?["subscription"]?["monthlyBilling"]
            #expect(kept?["price"] == .integer(9_000) && kept?["enabled"] == .bool(true))
            #expect(kept?["prices"]?.array?.first?["storefront"] == .string("DEU"))
        }
    }

    @Test("A month says which one it is, and the subscription what was agreed to")
    func bought() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            try await sold(client)
            let ada = try await client.signIn("ada", storefront: "DEU")
            let bought = try await client.ours(
                .post, "/storefront/v1/purchases", monthly, as: .bearer(ada))
            #expect(bought["result"] == .string("success"), "\(bought.text)")
            let signed = try #require(bought["signedTransactionInfo"]?.string)
            let members = try JWSText.members(signed)
            #expect(members["billingPlanType"] == .string("MONTHLY"))
            #expect(members["expiresDate"] == .integer(World.instant("2026-02-01").milliseconds))
            let commitment = members["commitmentInfo"]
            #expect(commitment?["billingPeriodNumber"] == .integer(1))
            #expect(commitment?["totalBillingPeriods"] == .integer(12))
            #expect(commitment?["commitmentPrice"] == .integer(108_000))
            #expect(
                commitment?["commitmentExpiresDate"]
                    == .integer(World.instant("2027-01-01").milliseconds))

            let id = try #require(members["originalTransactionId"]?.string)
            let path = "/storefront/v1/subscriptions/\(id)"
            let off = try await client.ours(
                .patch, path, #"{"autoRenew":false}"#, as: .bearer(ada))
            #expect(off["autoRenew"] == .bool(false))
            #expect(off["commitmentMonth"] == .integer(1))
            #expect(off["commitmentExpires"] == .string("2027-01-01T00:00:00Z"))
            let renewal = try JWSText.members(try #require(off["signedRenewalInfo"]?.string))
            #expect(renewal["autoRenewStatus"] == .integer(1))
            #expect(renewal["commitmentInfo"]?["commitmentAutoRenewStatus"] == .integer(0))
            let seen = try await client.ours(.get, "/connect/v1/subscriptions/\(id)")
            #expect(seen["billingPlanType"] == .string("MONTHLY"))
            #expect(seen["commitment"]?["month"] == .integer(1))
            #expect(seen["commitment"]?["ends"] == .string("2027-01-01T00:00:00Z"))
            #expect(seen["commitment"]?["price"] == .integer(108_000))
            let other = try await client.ours(
                .patch, path, #"{"productId":"silver.yearly","billingPlanType":"BILLED_UPFRONT"}"#,
                as: .bearer(ada))
            #expect(other["autoRenew"] == .bool(true))
            #expect(
                try await client.ours(.get, "/connect/v1/subscriptions/\(id)")[
                    "nextBillingPlanType"] == .string("BILLED_UPFRONT"))
        }
    }

    @Test("What cannot be billed monthly is refused, and nothing changes")
    func refused() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let ben = try await client.signIn("ben", storefront: "USA")
            let before = try await client.world.everything()
            for (product, body, status, code) in [
                ("silver.monthly", #"{"price":9000,"enabled":true}"#, 400, "invalidSetting"),
                ("silver.yearly", #"{"enabled":true}"#, 400, "invalidSetting"),
                ("silver.yearly", #"{"price":0,"enabled":true}"#, 400, "invalidSetting"),
                ("coins", #"{"price":9000,"enabled":true}"#, 409, "notASubscription"),
                ("nothing", #"{"price":9000,"enabled":true}"#, 404, "unknownProduct"),
            ] {
                let reply = try await client.ours(
                    .put, "\(app)/products/\(product)/monthly-billing", body)
                #expect(reply.status == status && reply.complaint == code, "\(reply.text)")
            }
            let unset = try await client.ours(
                .put, "\(app)/products/silver.yearly/prices/DEU",
                #"{"price":9000,"billingPlanType":"MONTHLY"}"#)
            #expect(unset.complaint == "notBilledMonthly")
            #expect(try await client.world.everything() == before)
            try await sold(client)
            let now = try await client.world.everything()
            let reply = try await client.ours(
                .post, "/storefront/v1/purchases", monthly, as: .bearer(ben))
            #expect(reply.status == 409 && reply.complaint == "notBilledMonthly")
            #expect(reply.text.contains("USA"))
            #expect(try await client.world.everything() == now)
        }
    }

    @Test("An offer belongs to one of the two plans")
    func offers() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let path = "\(app)/products/silver.yearly/offers"
            let trial = """
                {"type":"INTRODUCTORY","referenceName":"try","mode":"FREE_TRIAL","period":"P1W",
                "billingPlanType":"MONTHLY"}
                """
            #expect(try await client.ours(.post, path, trial).complaint == "notBilledMonthly")
            try await sold(client)
            let made = try await client.ours(.post, path, trial)
            #expect(made.status == 201 && made["billingPlanType"] == .string("MONTHLY"))
            let discount = """
                {"type":"PROMOTIONAL","id":"spring","mode":"PAY_AS_YOU_GO","period":"P1M",
                "periodCount":2,"price":5000,"billingPlanType":"MONTHLY"}
                """
            #expect(try await client.ours(.post, path, discount).status == 201)
            let ada = try await client.signIn("ada", storefront: "DEU")
            let shown = try await listed(client, to: ada)
            #expect(shown?["introductoryOffer"] == nil)
            #expect(shown?["monthlyBilling"]?["introductoryOffer"]?["period"] == .string("P1W"))
            let bought = try await client.ours(
                .post, "/storefront/v1/purchases", monthly, as: .bearer(ada))
            let members = try JWSText.members(
                try #require(bought["signedTransactionInfo"]?.string))
            #expect(members["offerDiscountType"] == .string("FREE_TRIAL"))
            #expect(members["commitmentInfo"] == nil)
        }
    }
}

import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

private typealias Errors = APIError.AdvancedCommerce

/// That refusals give the reason that holds.
@Suite("What refusals of Advanced Commerce say")
struct MerchantWordsHTTPTests {
    private typealias Make = MerchantHTTP

    private func said(_ reply: Reply, _ error: APIError, _ words: String) {
        #expect(reply["errorCode"]?.integer == error.code, "\(reply.text)")
        #expect(reply["errorMessage"]?.string?.contains(words) == true, "\(reply.text)")
    }

    @Test("A SKU that another item has is said to be taken, be it of the past or not")
    func taken() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            for (number, effective) in [(11, "IMMEDIATELY"), (12, "NEXT_BILL_CYCLE")] {
                let renamed =
                    #"{\#(Make.info(number)),"items":[{"currentSKU":"news","SKU":"chess","#
                    + #""effective":"\#(effective)"}]}"#
                said(
                    try await client.call(.changeMetadata, id, renamed),
                    Errors.invalidProductChanges, "Another item of the subscription is called so.")
            }
        }
    }

    @Test("What began as Advanced Commerce is not said to have been migrated")
    func migrated() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let body =
                #"{\#(Make.info(11)),"descriptors":{"displayName":"The paper","description":"#
                + #""News"},"items":[{"SKU":"golf","displayName":"Golf","description":"All"}],"#
                + #""targetProductId":"generic.subscription","taxCode":"C003-00-1"}"#
            said(
                try await client.call(.migrate, id, body), Errors.subscriptionAlreadyMigrated,
                "one of Advanced Commerce already")
        }
    }

    @Test("A price that is too high is said to be that, and nothing of refunds")
    func high() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let body = #"{\#(Make.info(11)),"items":[{"SKU":"news","price":9000000000000}]}"#
            let reply = try await client.call(.changePrice, id, body)
            said(reply, Errors.invalidAmount, "is more than the store takes")
            #expect(!reply.text.contains("refund"), "\(reply.text)")
        }
    }

    @Test("While a payment is missing, that is why no price is changed")
    func unpaid() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            try await world.world.store.setPaymentMethod(
                .declines(until: nil, left: nil), account: "ada", in: .production)
            _ = try await world.world.store.advance(
                by: try #require(CalendarStep(iso8601: "P40D")))
            let body = #"{\#(Make.info(11)),"items":[{"SKU":"news","price":10990}]}"#
            said(
                try await client.call(.changePrice, id, body), Errors.subscriptionNotEligible,
                "The last renewal was not paid")
        }
    }
}

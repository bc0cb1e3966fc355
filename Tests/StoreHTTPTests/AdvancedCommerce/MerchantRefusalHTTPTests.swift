import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

private typealias Errors = APIError.AdvancedCommerce

/// What each call refuses of its own, over HTTP: the documented number, and nothing changed.
@Suite("What calls of Advanced Commerce refuse of their own")
struct MerchantRefusalHTTPTests {
    private typealias Make = MerchantHTTP

    /// Makes each call about a bundle, or about what `id` is, and expects its number.
    private func refuse(
        _ endpoint: AdvancedCommerceEndpoint, _ cases: [(String, APIError)],
        _ id: String, _ client: Client
    ) async throws {
        let before = try await client.world.everything()
        for (members, error) in cases {
            let body = "{\(Make.info(70)),\(members)}"
            expect(try await client.call(endpoint, id, body), error)
        }
        #expect(try await client.world.everything() == before)
    }

    @Test("Names that change nothing, are too long, or belong to others")
    func metadata() async throws {
        let world = try await Make.world()
        try await world.with { client in
            func item(_ sku: String, _ more: String) -> String {
                #""items":[{"currentSKU":"\#(sku)","effective":"IMMEDIATELY"\#(more)}]"#
            }
            let long = String(repeating: "a", count: 46)
            try await refuse(
                .changeMetadata,
                [
                    (#""x":1"#, Errors.invalidProductChanges),
                    (#""items":[]"#, Errors.atLeastOneItem),
                    (
                        #""descriptors":{"effective":"IMMEDIATELY"}"#,
                        Errors.atLeastOneOfDisplayNameOrDescription
                    ),
                    (#""descriptors":{"displayName":"X"}"#, Errors.nullEffective),
                    (
                        #""descriptors":{"effective":"IMMEDIATELY","displayName":"\#(long)"}"#,
                        Errors.displayNameLengthExceeded
                    ),
                    (item("news", #","description":"\#(long)""#), Errors.descriptionLengthExceeded),
                    (item("golf", #","displayName":"Golf""#), Errors.invalidProduct),
                    (item("news", #","SKU":"coins""#), Errors.invalidSKU),
                    (item("news", #","SKU":"chess""#), Errors.invalidProductChanges),
                    (item("news", ""), Errors.invalidProductChanges),
                    (item("news", #","displayName":"The paper""#), Errors.invalidDisplayName),
                    (
                        #""descriptors":{"effective":"NEXT_BILL_CYCLE","displayName":"The news"}"#,
                        Errors.invalidDisplayName
                    ),
                    (#""taxCode":"C003-00-2""#, Errors.invalidTaxProductCode),
                ], try await client.bundle(), client)
        }
    }

    @Test("Moves to what stands for nothing, with too many items, or of what was moved")
    func migrations() async throws {
        let world = try await Make.world()
        try await world.with { client in
            func request(
                _ target: String = Make.generic, items: [String] = ["classic"], more: String = ""
            ) -> String {
                let all = items.map {
                    #"{"SKU":"\#($0)","displayName":"The \#($0)","description":"All of it"}"#
                }
                return #""descriptors":{"displayName":"The paper","description":"News"},"items":["#
                    + all.joined(separator: ",")
                    + #"],"targetProductId":"\#(target)","taxCode":"C003-00-1"\#(more)"#
            }
            let bob = try await client.signIn("bob")
            let ordinary = try await client.buy("silver.monthly", as: bob)
            try await refuse(
                .migrate,
                [
                    (request("silver.yearly"), Errors.invalidTargetProductId),
                    (request("nothing"), Errors.productNotFound),
                    (request(Make.charge), Errors.invalidTargetProductId),
                    (request(items: []), Errors.atLeastOneItem),
                    (request(items: (0..<101).map { "i\($0)" }), Errors.itemLimitExceeded),
                    (request(items: ["a", "a"]), Errors.multipleOperationsOnSingleSKU),
                    (request(items: ["coins"]), Errors.invalidSKU),
                    (request(more: #","storefront":"DEU""#), Errors.mismatchedStorefront),
                    (
                        request(more: #","renewalItems":[{"SKU":"b","displayName":"B","#)
                            + #""description":"B"}]"#, Errors.pendingChangesMismatch
                    ),
                ], ordinary.transactionId, client)
            try await refuse(
                .migrate, [(request(), Errors.subscriptionAlreadyMigrated)],
                try await client.bundle(), client)
        }
    }

    private static func item(
        _ sku: String, _ type: String, _ more: String = "", revoke: Bool = false,
        reason: String = "LEGAL"
    ) -> String {
        #"{"SKU":"\#(sku)","refundReason":"\#(reason)","refundType":"\#(type)","#
            + #""revoke":\#(revoke)\#(more)}"#
    }

    private static func refund(_ items: String...) -> String {
        #""items":[\#(items.joined(separator: ","))],"refundRiskingPreference":false"#
    }

    private static let simulated = item("news", "FULL", reason: "SIMULATE_REFUND_DECLINE")

    /// Refunds of a bundle of news and chess.
    private static let wrongRefunds: [(String, APIError)] = [
        (refund(), Errors.nullItems),
        (
            refund((0..<101).map { item("i\($0)", "FULL") }.joined(separator: ",")),
            Errors.moreItemsThanAllowed
        ),
        (
            refund(item("news", "FULL"), item("news", "FULL")),
            Errors.multipleOperationsOnSingleSKU
        ),
        (refund(item("golf", "FULL")), Errors.productNotOwned),
        (refund(item("news", "HALF")), Errors.invalidRefundType),
        (refund(item("news", "FULL", reason: "WHY")), Errors.invalidRefundReason),
        (refund(item("news", "CUSTOM")), Errors.nullRefundAmount),
        (
            refund(item("news", "FULL", #","refundAmount":1000"#)),
            Errors.refundAmountWithoutCustom
        ),
        (refund(item("news", "CUSTOM", #","refundAmount":-10"#)), Errors.negativeRefundAmount),
        (refund(item("news", "CUSTOM", #","refundAmount":0"#)), Errors.invalidAmount),
        (refund(item("news", "CUSTOM", #","refundAmount":1005"#)), Errors.invalidAmount),
        (refund(item("news", "CUSTOM", #","refundAmount":10000"#)), Errors.insufficientFunds),
        (
            refund(item("news", "FULL", revoke: true), item("chess", "FULL", revoke: true)),
            Errors.removalAllNotAllowed
        ),
        (refund(simulated, item("chess", "FULL")), Errors.partialSimulateRefundDecline),
        (refund(simulated), Errors.simulateRefundDeclineOnlyInSandbox),
        (#""items":[\#(item("news", "FULL"))]"#, Errors.nullRefundRisking),
        (refund(item("news", "FULL")) + #","currency":"EUR""#, Errors.invalidCurrency),
    ]

    @Test("Refunds of what was not paid, of more than was paid, of everything, and twice")
    func refunds() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            try await refuse(.requestRefund, Self.wrongRefunds, id, client)
            let all = Self.refund(Self.item("news", "FULL"))
            let once = try await client.call(.requestRefund, id, "{\(Make.info(80)),\(all)}")
            #expect(once.status == 200, "\(once.text)")
            try await refuse(.requestRefund, [(all, Errors.alreadyRefunded)], id, client)
        }
    }

    @Test("Revocations that say too little, of what is over, and declined in Production")
    func revocations() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            func request(_ type: String, _ reason: String = "LEGAL") -> String {
                #""refundType":"\#(type)","refundReason":"\#(reason)","#
                    + #""refundRiskingPreference":false"#
            }
            try await refuse(
                .revoke,
                [
                    (request("CUSTOM"), Errors.invalidRefundType),
                    (request("FULL", "WHY"), Errors.invalidRefundReason),
                    (#""refundType":"FULL""#, Errors.nullRefundReason),
                    (#""refundReason":"LEGAL""#, Errors.nullRefundType),
                    (
                        #""refundType":"FULL","refundReason":"LEGAL""#, Errors.nullRefundRisking
                    ),
                    (
                        request("FULL", "SIMULATE_REFUND_DECLINE"),
                        Errors.simulateRefundDeclineOnlyInSandbox
                    ),
                ], id, client)
            #expect(
                try await client.call(.revoke, id, "{\(Make.info(81)),\(request("FULL"))}").status
                    == 200)
            try await refuse(
                .revoke, [(request("FULL"), Errors.revokeOnInactiveSubscription)], id, client)
        }
    }
}

import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

private typealias Errors = APIError.AdvancedCommerce

/// What a signed request changes of a subscription: each refusal has its number, and changes
/// nothing.
@Suite("Signed changes of a subscription, over HTTP")
struct ModificationHTTPTests {
    private typealias Make = MerchantHTTP

    private static let now = "IMMEDIATELY"
    private static let next = "NEXT_BILL_CYCLE"

    private static func change(_ sku: String, _ when: String, _ more: String = "") -> String {
        #""changeItems":[{"currentSKU":"\#(sku)","reason":"UPGRADE","#
            + #""effective":"\#(when)"\#(more),"#
            + Make.item("\(sku).plus", "19990").dropFirst() + "]"
    }

    private static func add(_ sku: String, _ price: String = "990", _ more: String = "") -> String {
        #""addItems":[\#(Make.item(sku, price).dropLast())\#(more)}]"#
    }

    private static func remove(_ skus: String...) -> String {
        #""removeItems":[\#(skus.map { #"{"SKU":"\#($0)"}"# }.joined(separator: ","))]"#
    }

    private static func period(_ when: String) -> String {
        #""periodChange":{"period":"P1Y","effective":"\#(when)"}"#
    }

    /// Changes of a subscription of news and chess, in its cycle.
    private static let kept: [(String, APIError)] = [
        (#""x":1"#, Errors.oneItemNeededInModify),
        (#""addItems":[]"#, Errors.emptyAddChangeItems),
        (period(now), Errors.missingUpdatedItemsWithPeriodChange),
        (period(now) + "," + change("news", now), Errors.periodResetWithRetainBillingCycle),
        (
            period(next) + "," + change("news", next) + "," + add("golf"),
            Errors.periodChangeEffectiveConflict
        ),
        (remove("news", "chess"), Errors.removalAllNotAllowed),
        (remove("golf"), Errors.removeItemNotFound),
        (change("golf", next), Errors.changeItemNotFound),
        (remove("news") + "," + add("news"), Errors.multipleOperationsOnSingleSKU),
        (add("chess"), Errors.productAlreadyExists), (add("golf", "995"), Errors.invalidAmount),
        (add("golf", "990", #","proratedPrice":995"#), Errors.invalidProratedPrice),
        (add("golf", "990", #","proratedPrice":5"#), Errors.invalidAmount),
        (
            change("news", next, #","proratedPrice":990"#),
            Errors.invalidProratedPriceForChangeItemWithEffectiveLater
        ),
        (add("coins"), Errors.invalidSKU),
        (
            add("golf").replacing("The golf", with: "The paper"), Errors.invalidDisplayName
        ),
        (
            #""descriptors":{"effective":"\#(next)","displayName":"The chess"}"#,
            Errors.invalidDisplayName
        ),
    ]

    /// The same with a new cycle.
    private static let begun: [(String, APIError)] = [
        (change("news", next), Errors.billingCycleResetWithEffectiveLater),
        (remove("news"), Errors.removeItemsWithoutAddOrChangeItems),
        (
            period(now) + "," + change("news", next),
            Errors.periodChangeImmediateWithEffectiveAtNextBillingCycle
        ),
        (period(now) + "," + change("news", now), Errors.missingUpdatedItemsWithPeriodChange),
    ]

    private func modify(
        _ number: Int, _ id: String, keepsCycle: Bool, _ members: String
    ) -> String {
        #"{"operation":"MODIFY_SUBSCRIPTION","version":"1",\#(Make.info(number)),"#
            + #""transactionId":"\#(id)","retainBillingCycle":\#(keepsCycle),\#(members)}"#
    }

    @Test("Changes that do not fit the subscription, its cycle or one another")
    func refusals() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let ada = try await client.signIn()
            let before = try await world.everything(besides: Make.spent)
            let cases = Self.kept.map { (true, $0) } + Self.begun.map { (false, $0) }
            for (number, (keepsCycle, (members, error))) in cases.enumerated() {
                let request = modify(number + 50, id, keepsCycle: keepsCycle, members)
                expect(
                    try await client.buy(request, nonce: number + 50, as: ada), onDevice: error)
            }
            #expect(try await world.everything(besides: Make.spent) == before)
        }
    }

    @Test("Nobody changes what is another's, and nothing is turned on that is on")
    func others() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let ada = try await client.signIn()
            let bob = try await client.signIn("bob")
            let before = try await world.everything(besides: Make.spent)
            let reactivate =
                #"{"operation":"REACTIVATE_SUBSCRIPTION","version":"1",\#(Make.info(90)),"#
                + #""transactionId":"\#(id)"}"#
            for (number, request) in [
                reactivate, modify(91, id, keepsCycle: true, Self.add("golf")),
            ].enumerated() {
                expect(
                    try await client.buy(request, nonce: 90 + number, as: bob),
                    onDevice: Errors.transactionIdNotFound)
            }
            expect(
                try await client.buy(reactivate, nonce: 95, as: ada),
                onDevice: Errors.subscriptionAlreadyActive)
            #expect(try await world.everything(besides: Make.spent) == before)
        }
    }

    @Test("A signed request that was refused is used up")
    func spent() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let ada = try await client.signIn()
            let jws = try client.sign(
                modify(60, id, keepsCycle: true, Self.add("chess")), nonce: 60)
            expect(try await client.buy(jws: jws, as: ada), onDevice: Errors.productAlreadyExists)
            expect(try await client.buy(jws: jws, as: ada), onDevice: Errors.invalidSignature)
        }
    }
}

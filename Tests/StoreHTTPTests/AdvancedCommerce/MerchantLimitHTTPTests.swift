import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

private typealias Errors = APIError.AdvancedCommerce

/// How much a request may hold, over HTTP: items, the decimals of a currency, and sums.
@Suite("How much a request of Advanced Commerce may hold")
struct MerchantLimitHTTPTests {
    private typealias Make = MerchantHTTP

    private static func list(_ count: Int, _ item: (Int) -> String) -> String {
        "[" + (0..<count).map(item).joined(separator: ",") + "]"
    }

    private static func added(_ count: Int) -> String {
        #""addItems":"# + list(count) { Make.item("more \($0)", "990") }
    }

    private static func changed(_ count: Int) -> String {
        #""changeItems":"#
            + list(count) {
                #"{"currentSKU":"item \#($0)","reason":"UPGRADE","effective":"IMMEDIATELY","#
                    + Make.item("plus \($0)", "1990").dropFirst()
            }
    }

    private static func removed(_ count: Int) -> String {
        #""removeItems":"# + list(count) { #"{"SKU":"item \#($0)"}"# }
    }

    private static func modify(
        _ number: Int, _ id: String, _ members: String, keepsCycle: Bool = true
    ) -> String {
        #"{"operation":"MODIFY_SUBSCRIPTION","version":"1",\#(Make.info(number)),"#
            + #""transactionId":"\#(id)","retainBillingCycle":\#(keepsCycle),\#(members)}"#
    }

    private static func bundle(_ count: Int, _ price: String = "990") -> [String] {
        (0..<count).map { Make.item("item \($0)", price) }
    }

    @Test("No items and 101 items change nothing, whatever they are sent for")
    func items() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let id = try await client.bought(
                Make.create(1, items: Self.bundle(3)), nonce: 1, as: ada)
            let before = try await world.everything(besides: Make.spent)
            let reactivated = #"{"operation":"REACTIVATE_SUBSCRIPTION","version":"1","#
            let tail = #","transactionId":"\#(id)","items":"#
            for (number, (request, error)) in [
                (Self.modify(50, id, Self.added(0)), Errors.emptyAddChangeItems),
                (Self.modify(51, id, Self.changed(0)), Errors.emptyAddChangeItems),
                (Self.modify(52, id, Self.added(101)), Errors.moreItemsThanAllowed),
                (Self.modify(53, id, Self.changed(101)), Errors.moreItemsThanAllowed),
                (Self.modify(54, id, Self.removed(101)), Errors.moreItemsThanAllowed),
                // A hundred with the three that there are.
                (Self.modify(55, id, Self.added(98)), Errors.itemLimitExceeded),
                (
                    reactivated + Make.info(56) + tail + Self.list(101) { #"{"SKU":"i\#($0)"}"# }
                        + "}", Errors.moreItemsThanAllowed
                ),
            ].enumerated() {
                expect(
                    try await client.buy(request, nonce: 50 + number, as: ada), onDevice: error)
            }
            let names = Self.list(101) {
                #"{"currentSKU":"i\#($0)","effective":"IMMEDIATELY","displayName":"A"}"#
            }
            expect(
                try await client.call(
                    .changeMetadata, id, #"{\#(Make.info(60)),"items":\#(names)}"#),
                Errors.moreItemsThanAllowed)
            #expect(try await world.everything(besides: Make.spent) == before)
            // 97 more are a hundred.
            _ = try await client.bought(
                Self.modify(61, id, Self.added(97)), nonce: 61, as: ada)
        }
    }

    @Test("In a currency without decimals whole amounts alone are taken, by every request")
    func yen() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let kenji = try await client.signIn("kenji", storefront: "JPN")
            let id = try await client.bought(
                Make.create(1, items: Self.bundle(2, "500000")).replacing("USD", with: "JPY"),
                nonce: 1, as: kenji)
            let offer = #","offer":{"period":"P1M","periodCount":1,"reason":"RETENTION","price":"#
            let item = Make.item("golf", "500000").dropLast()
            func refund(_ amount: String) -> String {
                #"{\#(Make.info(70)),"refundRiskingPreference":false,"items":[{"SKU":"item 0","#
                    + #""refundReason":"LEGAL","refundType":"CUSTOM","revoke":false,"#
                    + #""refundAmount":\#(amount)}]}"#
            }
            func price(_ number: Int, _ price: String, _ currency: String = "JPY") -> String {
                #"{\#(Make.info(number)),"currency":"\#(currency)","items":[{"SKU":"item 0","#
                    + #""price":\#(price)}]}"#
            }
            let before = try await world.everything(besides: Make.spent)
            for (number, members) in [
                #""addItems":[\#(Make.item("golf", "500010"))]"#,
                #""addItems":[\#(item)\#(offer)100010}}]"#,
                #""addItems":[\#(item),"proratedPrice":100010}]"#,
            ].enumerated() {
                expect(
                    try await client.buy(
                        Self.modify(50 + number, id, members), nonce: 50 + number, as: kenji),
                    onDevice: Errors.invalidAmount)
            }
            expect(
                try await client.call(.changePrice, id, price(60, "510500")), Errors.invalidAmount)
            expect(
                try await client.call(.changePrice, id, price(60, "510000", "USD")),
                Errors.invalidCurrency)
            expect(
                try await client.call(.requestRefund, id, refund("100010")), Errors.invalidAmount)
            #expect(try await world.everything(besides: Make.spent) == before)
            #expect(try await client.call(.requestRefund, id, refund("100000")).status == 200)
            #expect(try await client.call(.changePrice, id, price(61, "510000")).status == 200)
            // What is left of a period goes back in whole yen.
            _ = try await world.world.store.advance(to: World.instant("2026-01-11"))
            _ = try await client.bought(
                Self.modify(62, id, Self.added(1), keepsCycle: false).replacing(
                    "990", with: "99000"),
                nonce: 62, as: kenji)
            let ledger = try await client.ours(.get, "/connect/v1/ledger?limit=50")
            let entries = try #require(ledger["entries"]?.array, "\(ledger.text)")
            #expect(entries.contains { $0["kind"]?.string == "proration" })
            #expect(entries.allSatisfy { ($0["customer"]?.integer ?? 1) % 1_000 == 0 })
        }
    }

    @Test("The dearest bundle that there can be is repriced, begun anew and given back")
    func largestSums() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let id = try await client.bought(
                Make.create(1, items: Self.bundle(99, "1000000000000")), nonce: 1, as: ada)
            let prices = Self.list(99) { #"{"SKU":"item \#($0)","price":999999999990}"# }
            let repriced = try await client.call(
                .changePrice, id, #"{\#(Make.info(2)),"items":\#(prices)}"#)
            #expect(repriced.status == 200, "\(repriced.text)")
            let begun = try await client.bought(
                Self.modify(3, id, Self.added(1), keepsCycle: false), nonce: 3, as: ada)
            let revoked = try await client.call(
                .revoke, begun,
                #"{\#(Make.info(4)),"refundReason":"LEGAL","refundType":"FULL","#
                    + #""refundRiskingPreference":false}"#)
            #expect(revoked.status == 200, "\(revoked.text)")
            // 99 charges that went back, and a hundred: nothing is left with anybody.
            let first200 = try await client.ours(.get, "/connect/v1/ledger?limit=200")
            var entries = try #require(first200["entries"]?.array, "\(first200.text)")
            while let last = entries.last?["sequence"]?.integer {
                let page = try await client.ours(
                    .get, "/connect/v1/ledger?limit=200&after=\(last)")
                let more = try #require(page["entries"]?.array, "\(page.text)")
                entries += more
                if more.isEmpty { break }
            }
            #expect(entries.count == 398)
            for party in ["customer", "developer", "store"] {
                let gains = try entries.map { try #require($0[party]?.integer) }
                #expect(gains.reduce(0, +) == 0)
            }
        }
    }
}

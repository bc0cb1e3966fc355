import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

private typealias Errors = APIError.AdvancedCommerce

/// What a signed request asks for, on a device: each kind of fault that issue 13 names.
@Suite("What signed requests ask for, over HTTP")
struct RequestedPurchaseHTTPTests {
    private typealias Make = MerchantHTTP

    private static func items(_ count: Int, _ price: String = "990") -> [String] {
        (0..<count).map { Make.item("item \($0)", price) }
    }

    @Test("No items, 101 items, a SKU twice, prices that are none: nothing changes")
    func items() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let before = try await world.everything(besides: Make.spent)
            for (number, (items, error)) in [
                ([], Errors.atLeastOneItem), (Self.items(101), Errors.moreItemsThanAllowed),
                (
                    [Make.item("a", "990"), Make.item("a", "990")],
                    Errors.multipleOperationsOnSingleSKU
                ),
                ([Make.item("a", "995")], Errors.invalidAmount),
                ([Make.item("a", "9999")], Errors.invalidAmount),
                ([Make.item("a", "-10")], Errors.negativePrice),
                ([Make.item("a", "1000000000010")], Errors.invalidAmount),
                ([Make.item("a", "9223372036854775807")], Errors.invalidAmount),
                ([Make.item("a", "9223372036854775808")], Errors.malformedPayload),
                ([Make.item("a", "1e400")], Errors.malformedPayload),
                ([Make.item("a", "9.99")], Errors.malformedPayload),
                ([Make.item(String(repeating: "a", count: 129), "990")], Errors.skuLengthExceeded),
                ([Make.item("coins", "990")], Errors.invalidSKU),
                ([Make.item(Make.charge, "990")], Errors.invalidSKU),
            ].enumerated() {
                expect(
                    try await client.buy(Make.create(number, items: items), nonce: number, as: ada),
                    onDevice: error)
            }
            #expect(try await world.everything(besides: Make.spent) == before)
        }
    }

    @Test("Codes that are unknown, periods that are none, places that are others'")
    func codes() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let before = try await world.everything(besides: Make.spent)
            for (number, (text, wrong, error)) in [
                ("C003-00-1", "C003-00-9", Errors.invalidTaxProductCode),
                ("C003-00-1", "C003-00-2", Errors.invalidTaxProductCode),
                ("P1M", "P4M", Errors.invalidRenewalPeriod),
                ("USD", "EUR", Errors.invalidCurrency), ("USD", "ZZZ", Errors.invalidCurrency),
                ("USD", "usd", Errors.invalidCurrency),
                (#""version":"1""#, #""version":"2""#, Errors.unexpectedVersion),
                ("CREATE_SUBSCRIPTION", "CREATE", Errors.invalidOperation),
                (#""currency""#, #""storefront":"DEU","currency""#, Errors.mismatchedStorefront),
                (#""currency""#, #""storefront":"ZZZ","currency""#, Errors.invalidStorefront),
                (
                    #""currency""#, #""previousTransactionId":"123","currency""#,
                    Errors.invalidPreviousTransactionId
                ),
                (Make.reference(11), "11", Errors.invalidRequestReferenceId),
            ].enumerated() {
                let request = Make.create(number).replacing(text, with: wrong)
                #expect(request != Make.create(number))
                expect(try await client.buy(request, nonce: number, as: ada), onDevice: error)
            }
            #expect(try await world.everything(besides: Make.spent) == before)
        }
    }

    @Test("In a currency without decimals prices are whole")
    func yen() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let kenji = try await client.signIn("kenji", storefront: "JPN")
            func request(_ number: Int, _ price: String) -> String {
                Make.create(number, items: [Make.item("news", price)])
                    .replacing("USD", with: "JPY")
            }
            let before = try await world.everything(besides: Make.spent)
            expect(
                try await client.buy(request(1, "500500"), nonce: 1, as: kenji),
                onDevice: Errors.invalidAmount)
            #expect(try await world.everything(besides: Make.spent) == before)
            #expect(
                try await client.buy(request(2, "500000"), nonce: 2, as: kenji).status == 200)
        }
    }

    @Test("The dearest bundle that there can be is charged at its sum and booked in balance")
    func largestSum() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let request = Make.create(1, items: Self.items(100, "1000000000000"))
            let bought = try await client.buy(request, nonce: 1, as: ada)
            let signed = try #require(bought["signedTransactionInfo"]?.string, "\(bought.text)")
            let payload = try await client.verifier().verifyTransaction(signed)
            #expect(payload.price == 100_000_000_000_000)
            #expect(payload.advancedCommerceInfo?.items.count == 100)
            let ledger = try await client.ours(.get, "/connect/v1/ledger?limit=200")
            let entries = try #require(ledger["entries"]?.array, "\(ledger.text)")
            #expect(entries.count == 100)
            for entry in entries {
                let sum = ["customer", "developer", "store"].compactMap {
                    entry[$0]?.integer
                }.reduce(0, +)
                #expect(sum == 0)
            }
        }
    }

    @Test("What stands for nothing, is of the other kind or is owned already is not sold")
    func products() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let before = try await world.everything(besides: Make.spent)
            for (nonce, product) in ["coins", "silver.monthly", Make.charge].enumerated() {
                expect(
                    try await client.buy(Make.create(1), nonce: nonce, of: product, as: ada),
                    onDevice: Errors.invalidSalable)
            }
            expect(
                try await client.buy(Make.charge(1), nonce: 4, as: ada),
                onDevice: Errors.invalidSalable)
            #expect(try await world.everything(besides: Make.spent) == before)
            #expect(
                try await client.buy(Make.charge(1), nonce: 5, of: Make.charge, as: ada).status
                    == 200)
        }
    }

    @Test("What the bank declines is not bought")
    func declined() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let ada = try await client.signIn()
            _ = try await client.ours(
                .put, "/connect/v1/customers/ada/payment-method", #"{"behaviour":"decline"}"#)
            let reply = try await client.buy(Make.create(1), nonce: 1, as: ada)
            #expect(reply.status == 402 && reply.complaint == "paymentDeclined")
            let shown = try await client.ours(.get, "/connect/v1/customers/ada")
            #expect(shown["subscriptions"]?.array?.isEmpty == true)
        }
    }

    @Test("The developer's own name for the customer is the transaction's from the first on")
    func accountToken() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let ada = try await client.signIn()
            let own = "20000000-0000-4000-8000-000000000001"
            let request = Make.create(1).replacing(
                Make.info(1), with: Make.info(1, #","appAccountToken":"\#(own)""#))
            let bought = try await client.buy(request, nonce: 1, as: ada)
            let signed = try #require(bought["signedTransactionInfo"]?.string, "\(bought.text)")
            let payload = try await client.verifier().verifyTransaction(signed)
            #expect(payload.appAccountToken == own)
        }
    }
}

import AppStoreWire
import Foundation
import PerennialKit
import Testing

@Suite("Products, subscriptions and what is around them")
struct AroundTests {
    private let store = FakeStore()

    @Test("Products have exact prices, texts, periods and offers")
    func products() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let products = try await Product.allProducts(in: session)
        #expect(products.map(\.id) == ["monthly", "coins"])
        let monthly = products[0]
        #expect(monthly.type == .autoRenewableSubscription)
        #expect(monthly.priceMilliunits == 9_007_199_254_740_993)
        #expect(monthly.price == Decimal(string: "9007199254740.993"))
        #expect(products[1].displayPrice == "$0.99")
        #expect(products[1].subscription == nil)
        let terms = try #require(monthly.subscription)
        #expect(terms.subscriptionGroupID == "group")
        #expect(terms.subscriptionPeriod == .init(unit: .month, value: 1))
        let offer = try #require(terms.introductoryOffer)
        #expect(offer.paymentMode == .payAsYouGo)
        #expect(offer.period.iso8601 == "P2W")
        #expect(offer.periodCount == 3)
        #expect(offer.price == Decimal(string: "1.99"))
        let loyal = try #require(terms.promotionalOffers.first)
        #expect(loyal.id == "loyal" && loyal.name == "Loyal" && loyal.type == .promotional)
        #expect(loyal.paymentMode == .freeTrial && loyal.priceMilliunits == 0)
        let back = try #require(terms.winBackOffers.first)
        #expect(back.id == "back" && back.name == nil && back.type == .winBack)
        #expect(back.period.iso8601 == "P6M" && back.price == Decimal(string: "9.99"))
        #expect(try await terms.isEligibleForIntroOffer(in: session))
        let others = try await Product.SubscriptionInfo.isEligibleForIntroOffer(
            for: "other", in: session)
        #expect(!others)
        let json = try JSONValue(parsing: Array(monthly.jsonRepresentation))
        #expect(json["subscription"]?["period"] == .string("P1M"))
        #expect(try await AppStore.canMakePayments(in: session))
        #expect(try await Storefront.current(in: session).countryCode == "USA")
        await session.close()
    }

    @Test("Before the sign-in products are the storefront's; what is about a customer is refused")
    func beforeSigningIn() async throws {
        let phone = try Phone(store)
        let session = try phone.start { $0.storefront = "DEU" }
        let products = try await Product.products(for: ["coins"], in: session)
        #expect(products.map(\.id) == ["coins"])
        #expect(try await Storefront.current(in: session).countryCode == "DEU")
        let paths = store.requests(to: "/storefront/v1/products").map(\.path)
        #expect(
            paths[0] == "/storefront/v1/products?id=coins&bundleId=com.example.app"
                + "&storefront=DEU&locale=en_US")
        await #expect(throws: StoreKitError.notSignedIn) {
            try await AppStore.canMakePayments(in: session)
        }
        await #expect(throws: StoreKitError.notSignedIn) {
            try await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "group", in: session)
        }
        await #expect(throws: StoreKitError.notSignedIn) { try await products[0].purchase() }
        await session.close()
    }

    @Test(
        "Prices are written as the storefront writes them, in the customer's language",
        arguments: [
            ("USA", "en", "$0.99"), ("DEU", "en", "0,99\u{A0}US$"), ("DEU", "de_AT", "0,99\u{A0}$"),
            ("CHE", "fr", "$US\u{A0}0,99"), ("XKS", "sq", "0,99\u{A0}US$"),
        ])
    func prices(storefront: String, locale: String, text: String) async throws {
        let phone = try Phone(store)
        let session = try phone.start {
            $0.storefront = storefront
            $0.locale = locale
        }
        let coins = try #require(try await Product.products(for: ["coins"], in: session).first)
        #expect(coins.displayPrice == text)
        await session.close()
    }

    @Test("Who asks for no product asks nobody, and what is unknown is left out")
    func noProducts() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        #expect(try await Product.products(for: [], in: session).isEmpty)
        #expect(store.requests(to: "/storefront/v1/products").isEmpty)
        #expect(try await Product.products(for: ["a b&c=é"], in: session).isEmpty)
        let paths = store.requests(to: "/storefront/v1/products").map(\.path)
        #expect(paths == ["/storefront/v1/products?id=a%20b%26c%3D%C3%A9"])
        await session.close()
    }

    @Test("All transactions come page by page, and the newest of a product is the latest")
    func history() async throws {
        let ids = (0..<8).map { _ in store.sell() }
        store.sell("coins", type: .consumable)
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        var found: [String] = []
        for try await result in Transaction.all(in: session) {
            found.append(String(try result.payloadValue.id))
        }
        #expect(found.count == 9)
        #expect(Array(found.prefix(8)) == ids)
        let latest = try await Transaction.latest(for: "monthly", in: session)
        #expect(try String(#require(latest).payloadValue.id) == ids[7])
        #expect(try await Transaction.latest(for: "none", in: session) == nil)
        let entitlement = try await Transaction.currentEntitlement(for: "coins", in: session)
        #expect(try #require(entitlement).payloadValue.productType == .consumable)
        await session.close()
    }

    private func subscription(_ id: String, renews: Bool, status: Int64 = 1) -> JSONValue {
        let sale = store.look { core in core.sales.first { $0.payload.transactionId == id } }
        guard let sale else { preconditionFailure("there is no sale \(id)") }
        let renewal = JWSRenewalInfoDecodedPayload(
            originalTransactionId: id, productId: "monthly", autoRenewProductId: "monthly",
            autoRenewStatus: renews ? .on : .off, renewalPrice: 9990, currency: "USD",
            eligibleWinBackOfferIds: ["back"], environment: .sandbox,
            signedDate: 1_770_000_000_000)
        return .object([
            "originalTransactionId": .string(id), "subscriptionGroupIdentifier": .string("group"),
            "status": .integer(status), "entitled": .bool(true), "familyShared": .bool(false),
            "signedTransactionInfo": .string(store.sign(sale.payload)),
            "signedRenewalInfo": .string(store.sign(renewal)),
        ])
    }

    @Test("A subscription's status has its state, transaction and what comes next, verified")
    func status() async throws {
        let id = store.sell()
        let entry = subscription(id, renews: true, status: 4)
        store.change { $0.subscriptions[id] = entry }
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let found = try await Product.SubscriptionInfo.status(for: "group", in: session)
        let status = try #require(found.first)
        #expect(status.state == .inGracePeriod)
        #expect("\(status.state)" == "inGracePeriod")
        #expect(try String(status.transaction.payloadValue.id) == id)
        let renewal = try status.renewalInfo.payloadValue
        #expect(renewal.willAutoRenew)
        #expect(renewal.autoRenewPreference == "monthly")
        #expect(renewal.renewalPrice == Decimal(string: "9.99"))
        #expect(renewal.eligibleWinBackOfferIDs == ["back"])
        #expect(try await Product.SubscriptionInfo.status(for: "x", in: session).isEmpty)
        let same = try await status.transaction.payloadValue.subscriptionStatus
        #expect(same?.state == .inGracePeriod)
        await session.close()
    }

    @Test("A change is sent as the surface describes it; a refusal has StoreKit's name")
    func managing() async throws {
        let id = store.sell()
        let entry = subscription(id, renews: true)
        store.change { $0.subscriptions[id] = entry }
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let status = try #require(
            try await Product.SubscriptionInfo.allStatuses(in: session).first)
        let path = "/storefront/v1/subscriptions/\(id)"
        let changed = StoreResponse.json { json in
            for (name, value) in subscription(id, renews: false).object ?? [:] {
                json.field(named: name, value)
            }
        }
        store.fail(path, .answer(changed))
        guard case .changed(let now) = try await status.setAutoRenew(false) else {
            Issue.record("it waits for somebody")
            return
        }
        #expect(try !now.renewalInfo.payloadValue.willAutoRenew)
        #expect(try now.renewalInfo.payloadValue.autoRenewPreference == nil)
        store.fail(path, .answer(changed), .answer(changed))
        _ = try await status.changePlan(to: "yearly", billingPlan: .monthly)
        _ = try await status.answerPriceIncrease(agrees: false)
        let bodies = store.requests(to: path).map {
            String(decoding: $0.body ?? [], as: UTF8.self)
        }
        #expect(
            bodies == [
                #"{"autoRenew":false}"#,
                #"{"productId":"yearly","billingPlanType":"MONTHLY"}"#,
                #"{"priceIncrease":"decline"}"#,
            ])
        store.fail(path, .answer(.refusal(402, "paymentDeclined")))
        await #expect(throws: Product.PurchaseError.paymentDeclined) {
            try await status.changePlan(to: "yearly")
        }
        // Whether it was done nobody knows: it is not sent again by itself.
        store.fail(path, .late)
        await #expect(throws: StoreKitError.networkError(.timedOut)) {
            try await status.changePlan(to: "yearly")
        }
        #expect(store.requests(to: path).count == 5)
        await session.close()
    }

    @Test("A refund is asked for; asked before, it is a duplicate, unless the answer was lost")
    func refunds() async throws {
        let id = store.sell()
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        var iterator = Transaction.all(in: session).makeAsyncIterator()
        let transaction = try #require(try await iterator.next()).payloadValue
        let path = "/storefront/v1/transactions/\(id)/refund-request"
        store.fail(path, .answer(StoreResponse(status: 202, body: Array("{}".utf8))))
        #expect(try await transaction.beginRefundRequest(reason: .legal) == .success)
        #expect(store.requests(to: path).last?.body == Array(#"{"reason":"LEGAL"}"#.utf8))
        let known = StoreResponse.refusal(409, "refundAlreadyRequested")
        store.fail(path, .answer(known))
        await #expect(throws: Transaction.RefundRequestError.duplicateRequest) {
            try await transaction.beginRefundRequest()
        }
        store.fail(path, .spoilt(StoreResponse(status: 500)), .answer(known))
        #expect(try await transaction.beginRefundRequest() == .success)
        store.fail(path, .answer(.refusal(409, "nothingPaid")))
        await #expect {
            try await transaction.beginRefundRequest()
        } throws: { error in
            guard case .failed(let refusal)? = error as? Transaction.RefundRequestError else {
                return false
            }
            return refusal.code == "nothingPaid"
        }
        await session.close()
    }

    @Test("The app's receipt is handed over as bytes; what is no Base64 is no receipt")
    func receipt() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let path = "/storefront/v1/receipt"
        store.fail(path, .answer(.json { $0.field("receipt", "MIAGCQ==") }))
        #expect(try await AppStore.receipt(in: session) == Data([0x30, 0x80, 0x06, 0x09]))
        store.fail(path, .answer(.json { $0.field("receipt", "?") }))
        await #expect(throws: StoreKitError.invalidResponse("the receipt is not Base64")) {
            try await AppStore.receipt(in: session)
        }
        await session.close()
    }

    @Test("Signing in gives the customer's copy of the app, verified")
    func appTransaction() async throws {
        let phone = try Phone(store)
        let session = try phone.start()
        let copy = try await session.signIn(account: "ada", storefront: "DEU").payloadValue
        #expect(copy.bundleID == FakeStore.bundleID)
        #expect(copy.environment == .sandbox)
        #expect(copy.originalAppVersion == "1.0")
        let sent = try JSONValue(
            parsing: store.requests(to: "/storefront/v1/sign-in")[0].body ?? [])
        #expect(sent["storefront"] == .string("DEU"))
        #expect(sent["device"] == .string("phone"))
        store.fail(
            "/storefront/v1/app-transaction",
            .answer(.json { $0.field("signedAppTransactionInfo", copy.jwsRepresentation) }))
        #expect(try await AppTransaction.shared(in: session).payloadValue == copy)
        await session.close()
    }

    @Test("Messages and price increases are read, seen and answered")
    func messages() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let path = "/storefront/v1/in-app-messages"
        let message = JSONValue.object([
            "id": .string("7"), "kind": .string("billingProblem"), "title": .string("Title"),
            "body": .string("Body"), "buttons": .array([.string("Pay")]),
            "language": .string("de"), "originalTransactionId": .string("100"),
        ])
        for isLast in [false, true] {
            store.fail(
                path,
                .answer(
                    .json { json in
                        json.list("messages", [message])
                        json.field("hasMore", !isLast)
                    }))
        }
        var found: [Message] = []
        for try await message in Message.messages(in: session) { found.append(message) }
        #expect(found.count == 2)
        #expect(found[0].reason == .billingIssue)
        #expect(found[0].originalTransactionID == 100)
        #expect(store.requests(to: path).map(\.path) == [path, path + "?after=7"])
        store.fail(path, .answer(StoreResponse(status: 204)))
        try await found[0].markSeen()
        #expect(store.requests(to: path).last?.path == path + "/7/seen")
        await session.close()
    }

    @Test("A code is redeemed as a purchase is made: once, whatever happens to the answer")
    func redeeming() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.retry.attempts = 1 }
        let path = "/storefront/v1/redemptions"
        store.fail(
            path, .answer(StoreResponse(status: 500)),
            .answer(.json { $0.field("result", "pending") }))
        await #expect(throws: StoreKitError.self) {
            try await AppStore.redeemOfferCode("SPRING", in: session)
        }
        guard case .pending = try await AppStore.redeemOfferCode("SPRING", in: session) else {
            Issue.record("it does not wait")
            return
        }
        let keys = store.requests(to: path).map { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 2 && Set(keys).count == 1)
        store.fail(path, .answer(.refusal(404, "unknownCode")))
        await #expect {
            try await AppStore.redeemOfferCode("X", in: session)
        } throws: { error in
            guard case .refused(let refusal)? = error as? StoreKitError else { return false }
            return refusal.code == "unknownCode"
        }
        #expect(try phone.kept("purchases").isEmpty)
        await session.close()
    }
}

import AppStoreWire
import Foundation
import PerennialKit
import Testing

@Suite("Buying")
struct PurchaseTests {
    private let store = FakeStore()

    private func coins(_ session: StoreSession) async throws -> Product {
        try #require(try await Product.products(for: ["coins"], in: session).first)
    }

    private func bought(_ result: Product.PurchaseResult) throws -> Transaction {
        guard case .success(let verification) = result else {
            throw Unexpected(what: "\(result)")
        }
        return try verification.payloadValue
    }

    struct Unexpected: Error { let what: String }

    @Test("What is bought is verified, kept until it is finished, and not told as an update")
    func buying() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        let transaction = try bought(try await coins(session).purchase())
        #expect(transaction.productID == "coins")
        #expect(transaction.priceMilliunits == 9990)
        #expect(transaction.price == Decimal(string: "9.99"))
        #expect(try phone.kept("queue").count == 1)
        #expect(try phone.kept("purchases").isEmpty)
        try await transaction.finish()
        #expect(try phone.kept("queue").isEmpty)
        #expect(try phone.kept("finishes").allSatisfy { $0["told"]?.bool == true })
        #expect(store.unfinished().isEmpty)
        // Whatever had come before this one would have been heard.
        let marker = store.sell()
        #expect(await listening.atLeast(1).map { String($0.unsafePayloadValue.id) } == [marker])
        await session.close()
    }

    @Test("An update that overtakes the answer of its purchase is not told")
    func overtaking() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let listening = Listening(session)
        let marker = store.sell()
        _ = await listening.atLeast(1)
        let opening = Opening()
        store.fail("/storefront/v1/purchases", .held(opening))
        let product = try await coins(session)
        async let result = product.purchase()
        await opening.hasArrived()
        // The long poll has brought it and asks for what comes next.
        let last = String(store.look { $0.changes })
        while store.requests(to: "/storefront/v1/updates?after=\(last)&").isEmpty {
            await Task.yield()
        }
        #expect(try phone.kept("queue").count == 2)
        opening.release()
        let id = try bought(try await result).id
        let next = store.sell()
        let ids = await listening.atLeast(2).map { String($0.unsafePayloadValue.id) }
        #expect(ids == [marker, next])
        #expect(!ids.contains(String(id)))
        await session.close()
    }

    @Test("A lost answer is asked for again under the same key, and nothing is paid twice")
    func lostAnswer() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        store.fail("/storefront/v1/purchases", .lostAnswer, .late, .answer(.refusal(503, "busy")))
        let transaction = try bought(try await coins(session).purchase())
        let requests = store.requests(to: "/storefront/v1/purchases")
        #expect(requests.count == 4)
        #expect(Set(requests.map { $0.headers["Idempotency-Key"] }).count == 1)
        #expect(store.charges == 1)
        #expect(store.unfinished() == [String(transaction.id)])
        await session.close()
    }

    @Test("A purchase whose answer never came arrives as an update after a restart, paid once")
    func restart() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.retry.attempts = 1 }
        store.fail("/storefront/v1/purchases", .lostAnswer)
        let product = try await coins(session)
        await #expect(throws: StoreKitError.self) { try await product.purchase() }
        #expect(try phone.kept("purchases").count == 1)
        let restarted = try phone.crash(session)
        let again = try restarted.start()
        let listening = Listening(again)
        let update = await listening.atLeast(1)[0]
        #expect(try update.payloadValue.productID == "coins")
        #expect(store.charges == 1)
        #expect(try restarted.kept("purchases").isEmpty)
        await again.close()
        await session.close()
    }

    @Test("A purchase that never came to the store is made once after a restart")
    func neverArrived() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.retry.attempts = 1 }
        // Something in between answered for the store: nobody knows whether it was asked.
        let gateway = StoreResponse(status: 502, body: Array("<html>".utf8))
        store.fail("/storefront/v1/purchases", .answer(gateway))
        let product = try await coins(session)
        await #expect { try await product.purchase() } throws: { error in
            if case .purchaseOutcomeUnknown? = error as? StoreKitError { true } else { false }
        }
        #expect(store.charges == 0)
        let restarted = try phone.crash(session)
        let again = try restarted.start()
        _ = await Listening(again).atLeast(1)
        #expect(store.charges == 1)
        await again.close()
        await session.close()
    }

    @Test("Buying the same again goes on with the purchase that was not answered")
    func buyingAgain() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.retry.attempts = 1 }
        store.fail("/storefront/v1/purchases", .lostAnswer)
        let product = try await coins(session)
        await #expect(throws: StoreKitError.self) { try await product.purchase() }
        _ = try bought(try await product.purchase())
        #expect(store.charges == 1)
        // Answered, it is over: the next one is another.
        _ = try bought(try await product.purchase())
        #expect(store.charges == 2)
        // With another quantity it would have been another purchase at once.
        store.fail("/storefront/v1/purchases", .lostAnswer)
        await #expect(throws: StoreKitError.self) { try await product.purchase() }
        _ = try bought(try await product.purchase(options: [.quantity(2)]))
        #expect(store.charges == 4)
        await session.close()
    }

    @Test("A purchase that is older than its lifetime is given up without buying")
    func lifetime() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn { $0.retry.attempts = 1 }
        store.fail("/storefront/v1/purchases", .answer(StoreResponse(status: 500)))
        let product = try await coins(session)
        await #expect(throws: StoreKitError.self) { try await product.purchase() }
        let restarted = try phone.crash(session)
        restarted.clock.advance(by: 86_400_001)
        let again = try restarted.start()
        let listening = Listening(again)
        let marker = store.sell()
        #expect(await listening.atLeast(1).map { String($0.unsafePayloadValue.id) } == [marker])
        #expect(store.charges == 0)
        #expect(try restarted.kept("purchases").isEmpty)
        await again.close()
        await session.close()
    }

    @Test("A store that cannot be reached sells nothing later either")
    func unreachable() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let product = try await coins(session)
        store.fail(
            "/storefront/v1/purchases", .unreachable, .unreachable, .unreachable, .unreachable)
        await #expect(throws: StoreKitError.networkError(.unreachable("fault"))) {
            try await product.purchase()
        }
        #expect(try phone.kept("purchases").isEmpty)
        await session.close()
    }

    @Test("A key of the app's own is sent as it is, and buys once")
    func ownKey() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let product = try await coins(session)
        let first = try bought(try await product.purchase(options: [.idempotencyKey("order-17")]))
        let again = try bought(try await product.purchase(options: [.idempotencyKey("order-17")]))
        #expect(first.id == again.id)
        #expect(store.charges == 1)
        #expect(
            store.requests(to: "/storefront/v1/purchases").map { $0.headers["Idempotency-Key"] }
                == ["order-17", "order-17"])
        await session.close()
    }

    @Test("Options become the members that the store's surface describes")
    func options() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let token = try #require(UUID(uuidString: "AAAAAAAA-0000-4000-8000-00000000000B"))
        _ = try await coins(session).purchase(options: [
            .quantity(3), .appAccountToken(token), .billingPlanType(.monthly),
            .promotionalOffer(
                offerID: "spring", keyID: "K", nonce: token, signature: Data([1, 2]),
                timestamp: 17),
        ])
        let last = try #require(store.requests(to: "/storefront/v1/purchases").last?.body)
        let body = try JSONValue(parsing: last)
        let uuid = JSONValue.string("aaaaaaaa-0000-4000-8000-00000000000b")
        #expect(
            body
                == .object([
                    "productId": .string("coins"), "quantity": .integer(3),
                    "billingPlanType": .string("MONTHLY"), "appAccountToken": uuid,
                    "offer": .object([
                        "type": .string("promotional"), "id": .string("spring"),
                        "keyId": .string("K"), "nonce": uuid, "signature": .string("AQI="),
                        "timestamp": .integer(17),
                    ]),
                ]))
        for (option, offer) in [
            (.winBackOffer("back"), ["type": .string("winBack"), "id": .string("back")]),
            (
                .promotionalOffer("p", compactJWS: "a.b.c"),
                ["type": .string("promotional"), "id": .string("p"), "jws": .string("a.b.c")]
            ),
            (
                .introductoryOfferEligibility(compactJWS: "a.b.c"),
                ["type": .string("introductory"), "jws": .string("a.b.c")]
            ),
        ] as [(Product.PurchaseOption, [String: JSONValue])] {
            _ = try await coins(session).purchase(options: [option])
            let sent = try JSONValue(
                parsing: store.requests(to: "/storefront/v1/purchases").last?.body ?? [])
            #expect(sent["offer"] == .object(offer))
        }
        _ = try await coins(session).purchase(options: [.advancedCommerceData("a.b.c")])
        let sent = try JSONValue(
            parsing: store.requests(to: "/storefront/v1/purchases").last?.body ?? [])
        #expect(sent["advancedCommerce"] == .object(["jws": .string("a.b.c")]))
        await session.close()
    }

    @Test("A refusal is thrown by its name, and nothing of it is kept")
    func refusals() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let product = try await coins(session)
        for (status, code, error) in [
            (402, "paymentDeclined", .paymentDeclined),
            (404, "unknownProduct", .productUnavailable),
            (409, "notForSale", .productUnavailable),
            (409, "alreadySubscribed", .alreadySubscribed),
            (403, "invalidOfferSignature", .invalidOfferSignature),
            (400, "missingOfferParameters", .missingOfferParameters),
            (404, "invalidOfferIdentifier", .invalidOfferIdentifier),
            (409, "ineligibleForOffer", .ineligibleForOffer),
            (400, "invalidQuantity", .invalidQuantity),
            (403, "paymentsNotAllowed", .purchaseNotAllowed),
            (409, "paymentPending", .paymentPending),
        ] as [(Int, String, Product.PurchaseError)] {
            store.fail("/storefront/v1/purchases", .answer(.refusal(status, code)))
            await #expect(throws: error) { try await product.purchase() }
        }
        store.fail("/storefront/v1/purchases", .answer(.refusal(409, "requestClosed")))
        await #expect { try await product.purchase() } throws: { error in
            guard case .refused(let refusal)? = error as? StoreKitError else { return false }
            return refusal.code == "requestClosed" && refusal.status == 409
                && refusal.message == "A sentence."
        }
        #expect(try phone.kept("purchases").isEmpty)
        #expect(store.charges == 0)
        await session.close()
    }

    @Test("What waits is pending, what begins later is scheduled, and a no sends nothing")
    func otherResults() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let product = try await coins(session)
        store.change { $0.purchaseResult = "pending" }
        guard case .pending = try await product.purchase() else { throw Unexpected(what: "1") }
        store.change { $0.purchaseResult = "scheduled" }
        guard case .scheduled = try await product.purchase() else { throw Unexpected(what: "2") }
        #expect(try phone.kept("purchases").isEmpty)
        let sent = store.requests(to: "/storefront/v1/purchases").count
        await session.close()

        let careful = try await phone.signedIn { $0.confirmPurchase = { $0.id != "coins" } }
        let refused = try await coins(careful).purchase()
        guard case .userCancelled = refused else { throw Unexpected(what: "\(refused)") }
        #expect(store.requests(to: "/storefront/v1/purchases").count == sent)
        await careful.close()
    }

    @Test("What was owned and is delivered again does not wait to be finished once more")
    func deliveredAgain() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let product = try await coins(session)
        let first = try bought(try await product.purchase())
        try await first.finish()
        store.change { $0.deliversAgain = true }
        #expect(try bought(try await product.purchase()).id == first.id)
        #expect(try phone.kept("queue").isEmpty)
        #expect(store.charges == 1)
        await session.close()
    }

    @Test("A purchase that cannot be written down is not sent")
    func fullDisk() async throws {
        let phone = try Phone(store)
        let session = try await phone.signedIn()
        let product = try await coins(session)
        try FileManager.default.removeItem(at: phone.folder)
        await #expect { try await product.purchase() } throws: { error in
            if case .systemError? = error as? StoreKitError { true } else { false }
        }
        #expect(store.requests(to: "/storefront/v1/purchases").isEmpty)
        await session.close()
    }
}

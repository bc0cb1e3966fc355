import AppStoreForgery
import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Forgeries over HTTP")
struct ForgeryHTTPTests {
    private let path = "/connect/v1/forgeries"

    /// Buys something as a customer; answers the transaction.
    @discardableResult
    private func buy(
        _ product: String, _ account: String, in client: Client
    ) async throws -> String {
        let world = client.world.world
        let signed = try await world.store.purchase(
            PurchaseRequest(productID: product),
            by: try await world.device(account, in: client.environment))
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(try #require(signed))
        return bought.transactionId
    }

    private func order(_ kind: String, _ more: String = "") -> String {
        #"{"kind":"\#(kind)","bundleId":"\#(World.bundleID)"\#(more)}"#
    }

    /// How our own verifier answers a text.
    private func verify(
        _ text: String, _ about: ForgerySubject, in client: Client
    ) async throws -> ForgeryAnswer {
        let app = try await client.world.world.store.app(bundleID: World.bundleID)
        let verifier = SignedDataVerifier(
            verifier: try JWSVerifier(rootDER: World.chain.rootDER), bundleID: World.bundleID,
            environment: client.environment.wire, appAppleID: app.appleID)
        let now = Double(client.world.machine.now.milliseconds) / 1000
        let tokens = RequestTokenVerifier(
            keys: [HTTPWorld.key.keyID: VerificationKey(HTTPWorld.key)],
            issuerID: HTTPWorld.key.issuerID)
        do {
            switch about {
            case .transaction: _ = try await verifier.verifyTransaction(text)
            case .renewalInfo: _ = try await verifier.verifyRenewalInfo(text)
            case .notification: _ = try await verifier.verifyNotification(text)
            case .appTransaction: _ = try await verifier.verifyAppTransaction(text)
            case .receipt: try await verify(receipt: text, in: client)
            case .requestToken: _ = try tokens.verify(text, now: now)
            case .inAppRequest:
                _ = try tokens.verify(inAppRequest: text, bundleID: World.bundleID, now: now)
            }
            return .accepted
        } catch let error as JWSVerificationError {
            return .signedData(error.code)
        } catch let error as ReceiptVerificationError {
            return .receipt(error.code)
        } catch let error as RequestTokenError {
            return .requestToken(error)
        } catch let error as InAppRequestTokenError {
            return .inAppRequest(error)
        }
    }

    private func verify(receipt: String, in client: Client) async throws {
        let now = try await client.world.world.store.now()
        _ = try await ReceiptVerifier(rootDER: [World.receiptChain.rootDER]).verify(
            base64: receipt,
            expecting: ReceiptExpectation(
                bundleID: World.bundleID,
                environments: client.environment == .production ? [.production] : [.sandbox],
                now: now.milliseconds))
    }

    @Test(
        "All are made of a purchase, each is answered as it says, and the world stays as it was",
        arguments: Backend.available, StoreEnvironment.allCases)
    func all(_ backend: Backend, _ environment: StoreEnvironment) async throws {
        let world = try await HTTPWorld(backend, isListening: false)
        try await world.with(environment) { client in
            try await buy("coins", "bob", in: client)
            try await buy("silver.monthly", "ada", in: client)
            let before = try await Tables(world.world.database)
            let reply = try await client.ours(.post, path, order("all"))
            #expect(reply.status == 200)
            #expect(reply.fields[.cacheControl] == "no-store")
            let made = try #require(reply["forgeries"]?.array)
            for forgery in made {
                let name = try #require(forgery["name"]?.string)
                let kind = try #require(ForgeryKind.named(name))
                let text = try #require(forgery["text"]?.string)
                let answer = try await verify(text, kind.about, in: client)
                #expect(answer == kind.answer, "\(name)")
                #expect(
                    forgery["mustBe"]
                        == .string(answer == .accepted ? "accepted" : "refused"), "\(name)")
                #expect(forgery["code"]?.string == answer.code, "\(name)")
            }
            let leftOut = try #require(reply["leftOut"]?.array).compactMap { $0["name"]?.string }
            let expected = ForgeryKind.all.filter {
                $0.onlyIn != nil && $0.onlyIn != environment.wire
            }
            #expect(leftOut == expected.map(\.name))
            #expect(made.count + leftOut.count == ForgeryKind.all.count)
            #expect(try await Tables(world.world.database).differences(from: before) == [])
        }
    }

    @Test("The store itself refuses every request token that it must, and no other (API-2)")
    func requestTokens() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let id = try await buy("silver.monthly", "ada", in: client)
            let reply = try await client.ours(
                .post, path, order("all", #","about":"request-token""#))
            for forgery in try #require(reply["forgeries"]?.array) {
                let name = try #require(forgery["name"]?.string)
                #expect(name.hasPrefix("request-token-"))
                let text = try #require(forgery["text"]?.string)
                // What cannot stand in a header field is no token either.
                guard !text.contains("\n") else { continue }
                let answer = try await client.send(
                    .get, "/inApps/v1/transactions/\(id)", as: .bearer(text))
                if forgery["mustBe"] == .string("refused") {
                    #expect(answer.status == 401, "\(name)")
                } else if forgery["lookAt"] == nil || name.hasSuffix("mirrored") {
                    #expect(answer.status == 200, "\(name)")
                } else {
                    // Of an app that is not there.
                    #expect(answer.status == 404, "\(name): \(answer.text)")
                }
            }
        }
    }

    @Test("Kinds are listed with what must be answered, all or those of one sort")
    func list() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let all = try await client.ours(.get, path)["forgeries"]?.array
            #expect(all?.count == ForgeryKind.all.count)
            #expect(all?.first?["name"] == .string("transaction-genuine"))
            let some = try await client.ours(.get, path + "?about=notification")
            let names = try #require(some["forgeries"]?.array).compactMap { $0["name"]?.string }
            #expect(names.allSatisfy { $0.hasPrefix("notification-") } && names.count > 40)
            #expect(try await client.ours(.get, path + "?about=receipts").status == 400)
        }
    }

    @Test("One is made of the transaction that is named, or of the newest subscription's")
    func one() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let coins = try await buy("coins", "ada", in: client)
            let silver = try await buy("silver.monthly", "ada", in: client)
            try await buy("coins", "ada", in: client)
            for (more, id) in [("", silver), (#","transactionId":"\#(coins)""#, coins)] {
                let reply = try await client.ours(
                    .post, path, order("transaction-genuine", more))
                #expect(reply["leftOut"] == .array([]))
                let made = try #require(reply["forgeries"]?.array)
                #expect(made.count == 1)
                let said: JWSTransactionDecodedPayload = try JWSText.decode(
                    try #require(made.first?["text"]?.string))
                #expect(said.transactionId == id)
            }
        }
    }

    @Test("What cannot be forged is refused, with what is missing")
    func refusals() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            func expect(_ body: String, _ status: Int, _ code: String) async throws {
                let reply = try await client.ours(.post, path, body)
                #expect(reply.status == status && reply.complaint == code, "\(reply.text)")
            }
            try await expect(order("transaction-genuine"), 409, "nothingToForge")
            let coins = try await buy("coins", "ada", in: client)
            let ofCoins = #","transactionId":"\#(coins)""#
            try await expect(order("renewal-info-genuine", ofCoins), 409, "notForgeable")
            try await expect(order("transaction-of-another-customer"), 409, "notForgeable")
            try await expect(
                order("transaction-genuine", #","transactionId":"7""#), 404, "unknownTransaction")
            try await expect(order("transaction-perfect"), 400, "invalidMember")
            try await expect(
                #"{"kind":"all","bundleId":"com.example.nobody"}"#, 404, "unknownApp")
            let reply = try await client.ours(.post, path, order("all"))
            let leftOut = try #require(reply["leftOut"]?.array)
            #expect(leftOut.contains { $0["name"] == .string("renewal-info-genuine") })
            #expect(leftOut.allSatisfy { $0["why"]?.string?.hasSuffix(".") == true })
        }
        try await world.with(.sandbox) { client in
            try await buy("coins", "ada", in: client)
            let reply = try await client.ours(
                .post, path, order("notification-wrong-app-apple-id"))
            #expect(reply.status == 409 && reply.text.contains("Production"), "\(reply.text)")
        }
        let withoutReceipts = HTTPWorld(
            try await World(.sqlite), forger: Forger(chain: World.chain, key: HTTPWorld.key))
        try await withoutReceipts.with { client in
            try await buy("coins", "ada", in: client)
            let reply = try await client.ours(.post, path, order("receipt-genuine"))
            #expect(reply.status == 409 && reply.complaint == "notForgeable", "\(reply.text)")
        }
        let keyless = HTTPWorld(try await World(.sqlite), forger: nil)
        try await keyless.with { client in
            let reply = try await client.ours(.post, path, order("all"))
            #expect(reply.status == 409 && reply.complaint == "noForgerHere")
        }
    }

    @Test("A transaction that was refunded since is replayed as it was")
    func replay() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let id = try await buy("silver.monthly", "ada", in: client)
            let refund = try await client.ours(
                .post, "/connect/v1/transactions/\(id)/refund", #"{"extent":"full"}"#)
            #expect(refund.status < 300, "\(refund.text)")
            let reply = try await client.ours(
                .post, path, order("transaction-replayed", #","transactionId":"\#(id)""#))
            let made = try #require(reply["forgeries"]?.array?.first)
            let now: JWSTransactionDecodedPayload = try JWSText.decode(
                try #require(made["first"]?.string))
            let then: JWSTransactionDecodedPayload = try JWSText.decode(
                try #require(made["text"]?.string))
            #expect(now.revocationDate != nil && then.revocationDate == nil)
            #expect(now.transactionId == id && then.transactionId == id)
            #expect(made["lookAt"]?.string?.contains("signedDate") == true)
        }
    }
}

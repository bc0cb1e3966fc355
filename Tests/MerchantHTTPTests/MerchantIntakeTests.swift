import AppStoreWire
import HTTPTypes
import Merchant
import Store
import TestFloor
import TestSupport
import Testing

/// What comes in beside signed data of today, and the replies of the table of intake.
@Suite("Merchant over HTTP: intake", .timeLimit(.minutes(15)))
struct MerchantIntakeTests {
    private static let versionOne = "/apple/v1/\(World.bundleID)"
    private static let transactions = "\(Client.path)/transactions"

    /// A notification of version 1 with a receipt.
    private func letter(_ receipt: String, password: String = MerchantHTTPWorld.secret) -> String {
        var json = JSONWriter()
        json.object { json in
            json.field("notification_type", "DID_RENEW")
            json.field("password", password)
            json.field("environment", "PROD")
            json.field("bid", World.bundleID)
            json.object("unified_receipt") { $0.field("latest_receipt", receipt) }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test(
        "A receipt and an app transaction are taken as a purchase is", arguments: Backend.available)
    func proofs(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend, takesReceipts: true)
        try await world.with { client in
            let ada = try await world.world.device()
            _ = try await world.buy("lifetime")
            let receipt = try await world.world.store.receipt(for: ada).base64
            let taken = try await client.send(
                .post, Self.transactions,
                #"{"account":"ada","receipt":"\#(receipt)","environment":"Production"}"#,
                token: MerchantHTTPWorld.app)
            #expect(taken.status == 200, "\(taken.text)")
            #expect(taken.entitlements == ["lifetime owned"])
            let signed = try await world.world.store.appTransaction(for: ada)
            let named = try await client.send(
                .post, Self.transactions,
                #"{"account":"ada","signedAppTransaction":"\#(signed)"}"#,
                token: MerchantHTTPWorld.app)
            let customer = named["storeCustomers"]?.array?.first
            #expect(customer?["appTransactionId"]?.string?.isEmpty == false)
            #expect(customer?["environment"] == .string("Production"))
        }
    }

    @Test(
        "Exactly one proof is sent, of the environment that is named", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend, takesReceipts: true) {
            $0.environments = [.production]
        }
        try await world.with { client in
            let ada = try await world.world.device()
            let receipt = try await world.world.store.receipt(for: ada).base64
            let before = try await world.tables()
            let bodies = [
                (#"{"account":"ada"}"#, "400 missingMember"),
                (#"{"account":"ada","receipt":""}"#, "400 invalidMember"),
                (#"{"account":"ada","receipt":"x","signedTransaction":"y"}"#, "400 oneProof"),
                (
                    #"{"account":"ada","receipt":"x","signedAppTransaction":"y"}"#,
                    "400 oneProof"
                ),
                (#"{"account":"ada","receipt":"AAAA"}"#, "400 notVerified"),
                (#"{"account":"ada","signedAppTransaction":"a.b.c"}"#, "400 notVerified"),
                (
                    #"{"account":"ada","receipt":"\#(receipt)","environment":"Xcode"}"#,
                    "400 invalidMember"
                ),
                (
                    #"{"account":"ada","receipt":"\#(receipt)","environment":"Sandbox"}"#,
                    "400 environmentNotTaken"
                ),
            ]
            for (body, expected) in bodies {
                let reply = try await client.send(
                    .post, Self.transactions, body, token: MerchantHTTPWorld.app)
                #expect(reply.summary == expected, "\(body.prefix(80)) \(reply.text)")
            }
            #expect(try await world.tables() == before)
        }
    }

    @Test("A receipt that nobody can judge now is answered 503", arguments: Backend.available)
    func away(_ backend: Backend) async throws {
        // Nobody listens at this port.
        let nowhere = "http://127.0.0.1:1/verifyReceipt"
        let world = try await MerchantHTTPWorld(backend) {
            $0.sharedSecret = AppSecret(MerchantHTTPWorld.secret)
            $0.receiptService = [.production: nowhere, .sandbox: nowhere]
        }
        try await world.with { client in
            let ada = try await world.world.device()
            let receipt = try await world.world.store.receipt(for: ada).base64
            let reply = try await client.send(
                .post, Self.transactions, #"{"account":"ada","receipt":"\#(receipt)"}"#,
                token: MerchantHTTPWorld.app)
            #expect(reply.summary == "503 receiptServiceAway")
            #expect(reply.fields[.retryAfter] == "30")
        }
    }

    @Test(
        "A notification of version 1 is kept for an app with a shared secret",
        arguments: Backend.available)
    func version1(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend, takesReceipts: true) {
            $0.sharedSecret = AppSecret(MerchantHTTPWorld.secret)
        }
        try await world.with { client in
            let ada = try await world.world.device()
            _ = try await world.buy("lifetime")
            let receipt = try await world.world.store.receipt(for: ada).base64
            let before = try await world.tables()
            let bodies = [
                ("{", "400 malformedJSON"), ("[]", "400 missingMember"),
                ("{}", "400 missingMember"), (#"{"password":1}"#, "400 missingMember"),
                (#"{"password":"x"}"#, "400 missingMember"),
                (letter(receipt, password: "wrong"), "400 wrongPassword"),
            ]
            for (body, expected) in bodies {
                let reply = try await client.send(.post, Self.versionOne, body)
                #expect(reply.summary == expected, "\(body.prefix(40))")
            }
            let large = String(repeating: "a", count: 1 << 22)
            #expect(
                try await client.send(.post, Self.versionOne, letter(large)).summary
                    == "413 bodyTooLarge")
            #expect(try await world.tables() == before)
            for expected in ["200 kept", "200 repeated"] {
                let reply = try await client.send(.post, Self.versionOne, letter(receipt))
                #expect(reply.summary == expected, "\(reply.text)")
            }
            let bound = try await client.send(
                .post, Self.transactions, #"{"account":"ada","receipt":"\#(receipt)"}"#,
                token: MerchantHTTPWorld.app)
            #expect(bound.entitlements == ["lifetime owned"])
            let kept = try await world.tables().rows["inbox"] ?? []
            #expect(!"\(kept)".contains(MerchantHTTPWorld.secret))
        }
    }

    @Test("Without a shared secret version 1 is not taken", arguments: Backend.available)
    func noSecret(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let reply = try await client.send(.post, Self.versionOne, letter("AAAA"))
            #expect(reply.summary == "404 noSharedSecret")
            let other = try await client.send(
                .post, "/apple/v1/com.example.other", letter("AAAA"))
            #expect(other.summary == "404 unknownApp")
        }
    }

    @Test(
        "A body over 256 KiB is 413, and without the database it is 503 with Retry-After",
        arguments: Backend.available)
    func limits(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend) {
            $0.sharedSecret = AppSecret(MerchantHTTPWorld.secret)
        }
        try await world.with { client in
            let start = #"{"signedPayload":""#
            let fitting = start + String(repeating: "a", count: 262_144 - start.count - 2) + #""}"#
            #expect(
                try await client.send(.post, Client.apple, fitting).summary == "400 notVerified")
            #expect(
                try await client.send(.post, Client.apple, fitting + " ").summary
                    == "413 bodyTooLarge")
            _ = try await world.buy("lifetime")
            try await world.world.store.settle()
            let arrival = try #require(world.world.listener.takeArrivals().first)
            await world.database.close()
            for reply in [
                try await client.notify(arrival.signedPayload),
                try await client.send(.post, Self.versionOne, letter("AAAA")),
            ] {
                #expect(reply.summary == "503 databaseUnavailable")
                #expect(reply.fields[.retryAfter] == "5")
            }
        }
    }

    @Test("What waits to be forwarded is listed, by its state", arguments: Backend.available)
    func forwarded(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend) {
            $0.forward = ["https://other.example/apple"]
        }
        try await world.with { client in
            _ = try await world.buy("lifetime")
            try await client.deliver()
            let path = "/v1/operator/forwarded"
            let all = try await client.send(.get, path, token: MerchantHTTPWorld.theOperator)
            let one = try #require(all["forwarded"]?.array?.first)
            #expect(one["url"] == .string("https://other.example/apple"))
            #expect(one["state"] == .string("waiting"))
            #expect(one["attempts"] == .integer(0))
            for (query, count) in [("waiting", 1), ("givenUp", 0)] {
                let some = try await client.send(
                    .get, "\(path)?state=\(query)", token: MerchantHTTPWorld.theOperator)
                #expect(some["forwarded"]?.array?.count == count)
            }
            let wrong = try await client.send(
                .get, "\(path)?state=lost", token: MerchantHTTPWorld.theOperator)
            #expect(wrong.summary == "400 invalidMember")
            let denied = try await client.send(.get, path, token: MerchantHTTPWorld.developer)
            #expect(denied.summary == "403 forbidden")
        }
    }
}

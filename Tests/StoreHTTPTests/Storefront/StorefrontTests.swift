import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Storefront: signing in and buying")
struct StorefrontTests {
    private static let path = "/storefront/v1"

    @Test("Signing in makes the account, and gives a token that nobody can guess")
    func signIn() async throws {
        let world = try await HTTPWorld()
        try await world.with(.sandbox) { client in
            let body = #"""
                {"bundleId":"com.example.app","account":"ada","storefront":"DEU","device":"phone",
                 "locale":"de_AT"}
                """#
            let reply = try await client.ours(
                .post, "\(Self.path)/sign-in", body, as: .nothing)
            #expect(reply.status == 200)
            #expect(reply["account"] == .string("ada"))
            #expect(reply["storefront"] == .string("DEU"))
            #expect(reply["environment"] == .string("Sandbox"))
            let copy = try #require(reply["appTransaction"]?.string)
            _ = try await client.verifier().verifyAppTransaction(copy)
            let token = try #require(reply["token"]?.string)
            #expect(token.count >= 64)
            let again = try await client.signIn()
            #expect(again != token)
            // Both devices stay signed in.
            for token in [token, again] {
                let reply = try await client.ours(
                    .get, "\(Self.path)/app-transaction", as: .bearer(token))
                #expect(reply.status == 200)
            }
        }
    }

    @Test(
        "A sign-in that cannot be right is refused by the member's name",
        arguments: [
            (#"{"account":"a"}"#, "missingMember", "bundleId"),
            (#"{"bundleId":"com.example.app"}"#, "missingMember", "account"),
            (#"{"bundleId":7,"account":"a"}"#, "invalidMember", "bundleId"),
            (#"{"bundleId":null,"account":"a"}"#, "invalidMember", "bundleId"),
            (#"{"bundleId":"a b","account":"a"}"#, "invalidMember", "bundleId"),
            (#"{"bundleId":"com.example.app","account":""}"#, "invalidMember", "account"),
            (#"{"bundleId":"com.example.app","account":"a\u0000"}"#, "invalidMember", "account"),
            (
                #"{"bundleId":"com.example.app","account":"a","storefront":"ZZZ"}"#,
                "invalidMember", "storefront"
            ),
            (
                #"{"bundleId":"com.example.app","account":"a","storefront":"US"}"#,
                "invalidMember", "storefront"
            ),
            (
                #"{"bundleId":"com.example.app","account":"a","locale":"d/e"}"#,
                "invalidMember", "locale"
            ),
            (
                #"{"bundleId":"com.example.app","account":"a","Device":"x"}"#,
                "unknownMember", "Device"
            ),
        ] as [(String, String, String)])
    func invalidSignIn(body: String, code: String, field: String) async throws {
        let world = try await HTTPWorld()
        let before = try await world.everything()
        try await world.with { client in
            let reply = try await client.ours(.post, "\(Self.path)/sign-in", body, as: .nothing)
            #expect(reply.status == 400)
            #expect(reply.complaint == code)
            #expect(reply["field"] == .string(field))
        }
        #expect(try await world.everything() == before)
    }

    @Test("Texts have lengths: an account of 256 characters, a device of 64")
    func lengths() async throws {
        let world = try await HTTPWorld()
        @Sendable func body(account: Int, device: Int) -> String {
            let account = String(repeating: "ä", count: account)
            let device = String(repeating: "d", count: device)
            return #"{"bundleId":"com.example.app","account":"\#(account)","device":"\#(device)"}"#
        }
        try await world.with { client in
            for (account, device, status) in [
                (256, 64, 200), (257, 1, 400), (1, 65, 400), (1, 0, 400),
            ] {
                let reply = try await client.ours(
                    .post, "\(Self.path)/sign-in", body(account: account, device: device),
                    as: .nothing)
                #expect(reply.status == status)
            }
        }
    }

    @Test(
        "A body that is no JSON object is refused",
        arguments: ["", "{", "[]", "7", "null", #"{"a":1,"a":2}"#, #"{"a":1} x"#])
    func malformed(body: String) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let reply = try await client.ours(.post, "\(Self.path)/sign-in", body, as: .nothing)
            #expect(reply.status == 400)
            #expect(reply.complaint == "malformedJSON")
        }
    }

    @Test("A body of another media type is refused")
    func mediaType() async throws {
        let world = try await HTTPWorld()
        let body = #"{"bundleId":"com.example.app","account":"ada"}"#
        try await world.with { client in
            for (type, status) in [
                ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("", 415),
                ("application/json; charset=utf-8", 200), ("Application/JSON", 200),
                ("application/merge-patch+json", 200),
            ] {
                let reply = try await client.ours(
                    .post, "\(Self.path)/sign-in", body, as: .nothing, [.contentType: type])
                #expect(reply.status == status, "\(type)")
            }
            let bare = try await client.send(
                .post, "\(Self.path)/sign-in", bytes: Array(body.utf8))
            #expect(bare.status == 200)
        }
    }

    @Test(
        "Devices that are not signed in see nothing",
        arguments: [
            ("GET", "/products"), ("POST", "/purchases"), ("GET", "/transactions"),
            ("POST", "/transactions/1/finish"), ("GET", "/entitlements"),
            ("GET", "/subscriptions"), ("PATCH", "/subscriptions/1"), ("GET", "/app-transaction"),
            ("GET", "/messages"), ("POST", "/transactions/1/refund-request"),
        ])
    func signedOut(method: String, path: String) async throws {
        let world = try await HTTPWorld()
        let method = try #require(HTTPRequest.Method(method))
        try await world.with { client in
            for credential in [
                Client.Credential.nothing, .bearer("device_0"), .operatorToken, .developer,
            ] {
                let reply = try await client.ours(method, Self.path + path, as: credential)
                #expect(reply.status == 401)
                #expect(reply.complaint == "unauthenticated")
                #expect(reply.fields[.wwwAuthenticate] == "Bearer")
            }
        }
    }

    @Test("Products have the prices of the customer's storefront, and the offer once")
    func products() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn(storefront: "JPN")
            let all = try await client.ours(.get, "\(Self.path)/products", as: .bearer(token))
            #expect(all["currency"] == .string("JPY"))
            #expect(all["products"]?.array?.count == SampleCatalogue.all.products.count)
            let wanted = "\(Self.path)/products?id=silver.trial&id=coins&id=nothing"
            let two = try await client.ours(.get, wanted, as: .bearer(token))
            let products = try #require(two["products"]?.array)
            #expect(products.compactMap { $0["id"]?.string } == ["silver.trial", "coins"])
            #expect(products[0]["price"] == .integer(10_000))
            let offer = products[0]["subscription"]?["introductoryOffer"]
            #expect(offer?["mode"] == .string("FREE_TRIAL"))
            #expect(products[1]["subscription"] == nil)
            try await client.buy("silver.trial", as: token)
            let after = try await client.ours(.get, wanted, as: .bearer(token))
            let trial = after["products"]?.array?.first?["subscription"]
            #expect(trial != nil)
            #expect(trial?["introductoryOffer"] == nil)
        }
    }

    @Test("Texts come in the customer's language, else in the next best one")
    func languages() async throws {
        let texts = ["en_US": "Sword", "de_DE": "Schwert", "fr_FR": "Épée"].sorted { $0 < $1 }
        let catalogue = Catalogue(products: [
            Product(
                id: "sword", type: .nonConsumable,
                localizations: texts.map {
                    Localization(locale: $0.key, displayName: $0.value, description: $0.key)
                }, basePrice: 990),
            Product(id: "nameless", type: .consumable, referenceName: "Ref", basePrice: 990),
        ])
        let world = try await HTTPWorld(catalogue: catalogue)
        try await world.with { client in
            for (locale, name) in [
                ("de_DE", "Schwert"), ("de_AT", "Schwert"), ("de", "Schwert"), ("fr-FR", "Épée"),
                ("ja_JP", "Sword"),
            ] {
                let body = #"""
                    {"bundleId":"com.example.app","account":"ada","locale":"\#(locale)"}
                    """#
                let token = try #require(
                    try await client.ours(.post, "\(Self.path)/sign-in", body, as: .nothing)[
                        "token"]?.string)
                let reply = try await client.ours(
                    .get, "\(Self.path)/products", as: .bearer(token))
                let names = reply["products"]?.array?.compactMap { $0["displayName"]?.string }
                #expect(names == [name, "Ref"])
            }
        }
    }

    @Test("A purchase is signed, and the same key buys only once")
    func purchase() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            let key: HTTPFields = [HTTPField.Name("Idempotency-Key")!: "order-1"]
            let body = #"""
                {"productId":"coins","quantity":3,
                 "appAccountToken":"7E3FB204-2D3B-4B4C-9F3E-1234567890AB"}
                """#
            var ids: Set<String> = []
            for _ in 0..<2 {
                let reply = try await client.ours(
                    .post, "\(Self.path)/purchases", body, as: .bearer(token), key)
                #expect(reply["result"] == .string("success"))
                let payload = try await client.verifier().verifyTransaction(
                    try #require(reply["signedTransactionInfo"]?.string))
                #expect(payload.quantity == 3)
                #expect(payload.appAccountToken == "7e3fb204-2d3b-4b4c-9f3e-1234567890ab")
                ids.insert(payload.transactionId)
            }
            #expect(ids.count == 1)
            let other = try await client.ours(
                .post, "\(Self.path)/purchases", #"{"productId":"lifetime"}"#,
                as: .bearer(token), key)
            #expect(other.status == 409)
            #expect(other.complaint == "idempotencyKeyReused")
        }
    }

    @Test("A downgrade waits: the answer says for which product and until when")
    func downgrade() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            try await client.buy("gold.monthly", as: token)
            let key: HTTPFields = [HTTPField.Name("Idempotency-Key")!: "order-1"]
            for _ in 0..<2 {
                let reply = try await client.ours(
                    .post, "\(Self.path)/purchases", #"{"productId":"bronze.monthly"}"#,
                    as: .bearer(token), key)
                #expect(
                    try reply.json()
                        == .object([
                            "result": .string("success"),
                            "autoRenewProductId": .string("bronze.monthly"),
                            "renewalDate": .string("2026-02-01T00:00:00Z"),
                        ]))
            }
        }
    }

    @Test(
        "A purchase that cannot be made changes nothing",
        arguments: [
            (#"{"productId":"nothing"}"#, 404, "unknownProduct"),
            (#"{"productId":"gold.monthly"}"#, 409, "alreadySubscribed"),
            (#"{"productId":"coins","quantity":11}"#, 400, "invalidMember"),
            (#"{"productId":"coins","quantity":0}"#, 400, "invalidMember"),
            (#"{"productId":"coins","quantity":1.5}"#, 400, "invalidMember"),
            (#"{"productId":"lifetime","quantity":2}"#, 400, "invalidQuantity"),
            (#"{"productId":"coins","offer":{"id":"x"}}"#, 400, "missingMember"),
            (#"{"productId":"coins","appAccountToken":"x"}"#, 400, "invalidMember"),
            (#"{"productID":"coins"}"#, 400, "unknownMember"), (#"{}"#, 400, "missingMember"),
            (#"{"productId":"season"}"#, 409, "notForSale"),
            (#"{"productId":"news.monthly"}"#, 402, "paymentDeclined"),
        ] as [(String, Int, String)])
    func refused(body: String, status: Int, code: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            try await client.buy("gold.monthly", as: token)
            try await world.world.store.setAvailability(
                false, product: "season", storefront: .usa, bundleID: World.bundleID)
            try await world.world.store.setPaymentMethod(
                .declines(until: nil, left: nil), account: "ada", in: .production)
            // That the bank declined is kept (0016), and nothing else.
            let kept: Set = code == "paymentDeclined" ? ["bill", "journal", "world"] : []
            let before = try await world.everything(besides: kept)
            let reply = try await client.ours(
                .post, "\(Self.path)/purchases", body, as: .bearer(token))
            #expect(reply.status == status)
            #expect(reply.complaint == code)
            #expect(try await world.everything(besides: kept) == before)
        }
    }

    @Test("A key of other characters is refused", arguments: ["", "a b", "ü", "\t"])
    func invalidKey(key: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            for key in [key, String(repeating: "k", count: 65)] {
                let reply = try await client.ours(
                    .post, "\(Self.path)/purchases", #"{"productId":"coins"}"#,
                    as: .bearer(token), [HTTPField.Name("Idempotency-Key")!: key])
                #expect(reply.complaint == "invalidMember")
            }
        }
    }

    @Test("What is owned is delivered again, and said to be, whatever key repeats it")
    func deliveredAgain() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let token = try await client.signIn()
            func buy(_ key: String) async throws -> JSONValue {
                try await client.ours(
                    .post, "\(Self.path)/purchases", #"{"productId":"lifetime"}"#,
                    as: .bearer(token), [HTTPField.Name("Idempotency-Key")!: key]
                ).json()
            }
            let (first, repeated) = (try await buy("1"), try await buy("1"))
            #expect(first["deliveredAgain"] == nil)
            #expect(repeated["deliveredAgain"] == nil)
            for key in ["2", "2"] {
                let again = try await buy(key)
                #expect(again["deliveredAgain"] == .bool(true))
                #expect(try transaction(again) == transaction(first))
            }
        }
    }

    private func transaction(_ reply: JSONValue) throws -> String {
        let payload: JWSTransactionDecodedPayload = try JWSText.decode(
            try #require(reply["signedTransactionInfo"]?.string))
        return payload.transactionId
    }
}

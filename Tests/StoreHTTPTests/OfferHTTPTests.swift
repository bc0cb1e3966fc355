import AppStoreSigning
import AppStoreWire
import FoundationEssentials
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Offers and codes over HTTP")
struct OfferHTTPTests {
    private let app = "/connect/v1/apps/com.example.app"
    var offers: String { "\(app)/products/silver.monthly/offers" }
    let spring = """
        {"type":"PROMOTIONAL","id":"spring","mode":"PAY_AS_YOU_GO","period":"P1M",
        "periodCount":3,"price":2990,"prices":[{"storefront":"DEU","price":1990}]}
        """
    private let welcome = """
        {"type":"OFFER_CODE","id":"WELCOME","mode":"FREE_TRIAL","period":"P1M",
        "audiences":["new","expired"],"stackable":false}
        """

    func nonce(_ number: Int) -> String {
        "00000000-0000-4000-8000-00000000\(1000 + number)"
    }

    func milliseconds(_ client: Client, ago: Span = .days(0)) -> Int64 {
        (client.world.machine.now - ago).milliseconds
    }

    func purchase(
        _ signature: DetachedOfferSignature, offer: String = "spring",
        product: String = "silver.monthly", appAccountToken: String? = nil,
        by token: String, _ client: Client
    ) async throws -> Reply {
        let account = appAccountToken.map { #","appAccountToken":"\#($0)""# } ?? ""
        return try await client.ours(
            .post, "/storefront/v1/purchases",
            """
            {"productId":"\(product)"\(account),"offer":{"type":"promotional","id":"\(offer)",
            "keyId":"\(signature.keyID)","nonce":"\(signature.nonce)",
            "timestamp":\(signature.timestamp),"signature":"\(signature.signature)"}}
            """, as: .bearer(token))
    }

    func purchase(
        jws: String, type: String = "promotional", by token: String, _ client: Client
    ) async throws -> Reply {
        let id = type == "promotional" ? #""id":"spring","# : ""
        return try await client.ours(
            .post, "/storefront/v1/purchases",
            #"{"productId":"silver.monthly","offer":{"type":"\#(type)",\#(id)"jws":"\#(jws)"}}"#,
            as: .bearer(token))
    }

    @Test("An offer is made, listed and ended")
    func life() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            #expect(try await client.ours(.get, offers)["offers"]?.array?.isEmpty == true)
            #expect(try await client.ours(.post, offers, spring).status == 201)
            #expect(try await client.ours(.post, offers, spring).complaint == "invalidSetting")
            let listed = try await client.ours(.get, offers)["offers"]?.array
            #expect(listed?.count == 1)
            #expect(listed?.first?["prices"]?.array?.first?["price"] == .integer(1990))
            #expect(try await client.ours(.delete, "\(offers)/PROMOTIONAL/spring").status == 204)
            #expect(
                try await client.ours(.delete, "\(offers)/PROMOTIONAL/spring").complaint
                    == "invalidOfferIdentifier")
            let ended = try await client.ours(.get, offers)["offers"]?.array?.first
            #expect(ended?["ends"] == .string("2026-01-01T00:00:00Z"))
        }
    }

    @Test(
        "What is wrong with a new offer is named",
        arguments: [
            (
                "silver.monthly", #"{"type":"PROMOTIONAL","id":"x","mode":"FREE"}"#, 400,
                "invalidMember"
            ),
            ("silver.monthly", #"{"type":"PROMOTIONAL","id":"x"}"#, 400, "missingMember"),
            (
                "silver.monthly",
                #"{"type":"PROMOTIONAL","id":"x","mode":"PAY_UP_FRONT","period":"P1W","price":9}"#,
                400, "invalidSetting"
            ),
            (
                "silver.monthly",
                #"{"type":"PROMOTIONAL","id":"x","mode":"FREE_TRIAL","period":"P0W"}"#, 400,
                "invalidMember"
            ),
            (
                "silver.monthly",
                #"{"type":"WIN_BACK","id":"x","mode":"FREE_TRIAL","period":"P1M","#
                    + #""winBack":{"months":3}}"#, 400, "unknownMember"
            ),
            (
                "silver.monthly",
                #"{"type":"PROMOTIONAL","id":"x","mode":"PAY_UP_FRONT","period":"P1M","#
                    + #""price":990,"prices":[{"storefront":"DEU"}]}"#, 400, "invalidMember"
            ),
            (
                "silver.monthly",
                #"{"type":"WIN_BACK","id":"x","mode":"FREE_TRIAL","period":"P1M","#
                    + #""begins":"2026-01-02T00:00:00Z","winBack":{"paidMonths":0}}"#, 400,
                "invalidMember"
            ),
            (
                "silver.monthly",
                #"{"type":"WIN_BACK","id":"x","mode":"FREE_TRIAL","period":"P1M","#
                    + #""begins":"2026-01-02T00:00:00Z"}"#, 400, "invalidSetting"
            ),
            (
                "silver.monthly",
                #"{"type":"WIN_BACK","id":"x","mode":"FREE_TRIAL","period":"P1M","#
                    + #""winBack":{"paidMonths":1}}"#, 400, "invalidSetting"
            ),
            (
                "silver.monthly",
                #"{"type":"INTRODUCTORY","mode":"FREE_TRIAL","period":"P1W"}"#, 400,
                "invalidSetting"
            ),
            (
                "coins", #"{"type":"PROMOTIONAL","id":"x","mode":"FREE_TRIAL","period":"P1M"}"#,
                409, "notASubscription"
            ),
            (
                "nothing", #"{"type":"PROMOTIONAL","id":"x","mode":"FREE_TRIAL","period":"P1M"}"#,
                404, "unknownProduct"
            ),
        ] as [(String, String, Int, String)])
    func refused(product: String, body: String, status: Int, code: String) async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let reply = try await client.ours(.post, "\(app)/products/\(product)/offers", body)
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.complaint == code)
        }
    }

    @Test("Offers of what is bought once are made, listed, redeemed and ended (COD-6)")
    func oneTime() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let coins = "\(app)/products/coins/offers"
            let half = #"{"type":"OFFER_CODE","id":"HALF","mode":"ONE_TIME","#
            for wrong in [
                #""audiences":["new"]}"#, #""audiences":[]}"#, #""price":990}"#,
                #""audiences":["nonSpender"],"period":"P1M"}"#,
                #""audiences":["nonSpender"],"price":990}"#,
            ] {
                let reply = try await client.ours(.post, coins, half + wrong)
                #expect(reply.status == 400 && reply.complaint == "invalidSetting", "\(reply.text)")
            }
            let good = half + #""price":490,"audiences":["nonSpender","churnedSpender"]}"#
            #expect(try await client.ours(.post, offers, good).complaint == "invalidSetting")
            let made = try await client.ours(.post, coins, good)
            #expect(made.status == 201)
            #expect(made["price"] == .integer(490) && made["period"] == nil)
            #expect(try await client.ours(.get, coins)["offers"]?.array?.count == 1)
            let codes = try await client.ours(
                .post, "\(app)/offer-codes",
                #"{"productId":"coins","offerId":"HALF","custom":"COINS","count":5}"#)
            #expect(codes.status == 201, "\(codes.text)")
            let ada = try await client.signIn()
            func redeem() async throws -> Reply {
                try await client.ours(
                    .post, "/storefront/v1/redemptions", #"{"code":"coins"}"#, as: .bearer(ada))
            }
            #expect(try await redeem()["signedTransactionInfo"] != nil)
            #expect(try await redeem().complaint == "offerRedeemedBefore")
            #expect(try await client.ours(.delete, "\(coins)/OFFER_CODE/HALF").status == 204)
            #expect(
                try await client.ours(.delete, "\(coins)/PROMOTIONAL/HALF").complaint
                    == "invalidOfferIdentifier")
        }
    }

    @Test("The older form of a signature holds for what was signed, once and for 24 hours (PRO-1)")
    func detached() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.ours(.post, offers, spring)
            let ada = try await client.signIn()
            try await client.buy("silver.monthly", as: ada)
            let account = "11111111-2222-4333-8444-555555555555"
            func sign(
                _ number: Int, offer: String = "spring", product: String = "silver.monthly",
                bundleID: String = World.bundleID, key: APIKey = HTTPWorld.key,
                token: String? = nil, ago: Span = .days(0)
            ) throws -> DetachedOfferSignature {
                try key.sign(
                    offer: offer, of: product, bundleID: bundleID, appAccountToken: token,
                    nonce: nonce(number), timestamp: milliseconds(client, ago: ago))
            }
            let before = try await client.world.everything()
            let wrong = [
                try sign(1, offer: "autumn"), try sign(2, product: "gold.monthly"),
                try sign(3, bundleID: "com.example.other"),
                try sign(4, key: HTTPWorld.makeKey()), try sign(5, token: account),
                try sign(6, ago: .days(1)), try sign(7, ago: .minutes(-2)),
            ]
            for signature in wrong {
                let reply = try await purchase(signature, by: ada, client)
                #expect(reply.complaint == "invalidOfferSignature", "\(reply.text)")
                #expect(reply.status == 403)
            }
            var other = try sign(8)
            other = DetachedOfferSignature(
                keyID: "UNKNOWN", nonce: other.nonce, timestamp: other.timestamp,
                signature: other.signature)
            #expect(
                try await purchase(other, by: ada, client).complaint == "invalidOfferSignature")
            let garbage = DetachedOfferSignature(
                keyID: HTTPWorld.key.keyID, nonce: nonce(9), timestamp: 1, signature: "AAAA")
            let refused = try await purchase(garbage, by: ada, client)
            #expect(refused.complaint == "invalidOfferSignature")
            #expect(refused["field"] == .string("offer.signature"))
            #expect(try await client.world.everything() == before)

            let good = try sign(10, token: account, ago: .hours(23))
            #expect(
                try await purchase(good, appAccountToken: account.uppercased(), by: ada, client)
                    .status == 200)
            let again = try await purchase(good, appAccountToken: account, by: ada, client)
            #expect(again.complaint == "invalidOfferSignature")
            let one = try await client.ours(.get, "/connect/v1/customers/ada")["subscriptions"]?
                .array?.first
            #expect(one?["nextOffer"]?["type"]?.string == "PROMOTIONAL", "it is named")
            #expect(one?["nextOffer"]?["id"]?.string == "spring" && one?["offer"] == nil)
        }
    }

    @Test("A compact JWS is for a purpose, a product, an offer and maybe a customer (PRO-1)")
    func compact() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.ours(.post, offers, spring)
            let ada = try await client.signIn()
            let first = try await client.buy("silver.monthly", as: ada)
            let now = Double(milliseconds(client)) / 1000
            func sign(
                _ number: Int, offer: String? = "spring", product: String = "silver.monthly",
                bundleID: String = World.bundleID, key: APIKey = HTTPWorld.key,
                transaction: String? = nil, allows: Bool? = nil, ago: Double = 0
            ) throws -> String {
                try key.sign(
                    offerToken: offer, of: product, bundleID: bundleID, allowsIntroductory: allows,
                    transactionID: transaction, nonce: nonce(number), now: now - ago)
            }
            let wrong = [
                try sign(1, offer: "autumn"), try sign(2, product: "gold.monthly"),
                try sign(3, bundleID: "com.example.other"), try sign(4, key: HTTPWorld.makeKey()),
                try sign(5, ago: 86_400), try sign(6, ago: -120),
                try sign(7, offer: nil, transaction: first.transactionId, allows: true),
                try sign(8, transaction: "9"), try sign(9, transaction: "x"),
            ]
            for jws in wrong {
                let reply = try await purchase(jws: jws, by: ada, client)
                #expect(reply.complaint == "invalidOfferSignature", "\(reply.text)")
            }
            for jws in ["x", "a.b.c", "e30.e30.AAAA"] {
                let reply = try await purchase(jws: jws, by: ada, client)
                #expect(reply.status == 400 || reply.status == 403, "\(reply.text)")
            }
            let good = try sign(10, transaction: first.transactionId, ago: 86_399)
            #expect(try await purchase(jws: good, by: ada, client).status == 200)
            // The introductory offer needs to know to whom, and there must be one.
            let nobody = try sign(11, offer: nil, allows: true)
            #expect(
                try await purchase(jws: nobody, type: "introductory", by: ada, client).complaint
                    == "missingOfferParameters")
            let nothing = try sign(
                12, offer: nil, transaction: first.transactionId, allows: true)
            #expect(
                try await purchase(jws: nothing, type: "introductory", by: ada, client).complaint
                    == "invalidOfferIdentifier")
        }
    }

    @Test("Codes are made, downloaded, redeemed and ended")
    func codes() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.ours(.post, offers, welcome)
            let made = try await client.ours(
                .post, "\(app)/offer-codes",
                #"{"productId":"silver.monthly","offerId":"WELCOME","count":2}"#)
            #expect(made.status == 201, "\(made.text)")
            let id = try #require(made["id"]?.string)
            let file = try await client.ours(.get, "\(app)/offer-codes/\(id)/codes")
            #expect(file.fields[.contentType] == "text/csv; charset=utf-8; header=absent")
            let codes = file.text.split(separator: "\r\n").map(String.init)
            #expect(codes.count == 2)
            func redeem(_ code: String, as account: String, via: String = "app") async throws
                -> Reply
            {
                try await client.ours(
                    .post, "/storefront/v1/redemptions", #"{"code":"\#(code)","via":"\#(via)"}"#,
                    as: .bearer(try await client.signIn(account)))
            }
            let redeemed = try await redeem(codes[0], as: "ada")
            #expect(redeemed["result"] == .string("success"), "\(redeemed.text)")
            #expect(try await redeem(codes[0], as: "bob").complaint == "codeRedeemed")
            #expect(try await redeem(codes[1], as: "ada").complaint == "offerRedeemedBefore")
            let listed = try await client.ours(.get, "\(app)/offer-codes")["offerCodes"]?.array
            #expect(listed?.first?["redeemed"] == .integer(1))
            let redemptions = try await client.ours(
                .get, "\(app)/offer-codes/\(id)/redemptions")
            let redemption = try #require(redemptions["redemptions"]?.array?.first)
            #expect(redemption["account"] == .string("ada"))
            #expect(redemption["code"] == .string(codes[0]))
            #expect(redemption["redeemed"] == .string("2026-01-01T00:00:00Z"))
            let transaction = try #require(redemption["transactionId"]?.string)
            let one = try await client.ours(.get, "/connect/v1/subscriptions/\(transaction)")
            #expect(one["offer"]?["type"]?.string == "OFFER_CODE")
            #expect(one["offer"]?["id"]?.string == "WELCOME" && one["nextOffer"] == nil)
            #expect(redemptions["hasMore"] == .bool(false))
            let ended = try await client.ours(.post, "\(app)/offer-codes/\(id)/end")
            #expect(ended["ended"] == .string("2026-01-01T00:00:00Z"))
            #expect(try await redeem(codes[1], as: "bob").complaint == "codeExpired")
            _ = try await client.ours(
                .post, "\(app)/offer-codes",
                #"{"productId":"silver.monthly","offerId":"WELCOME","count":2,"custom":"hello"}"#)
            #expect(
                try await redeem("Hello", as: "bob", via: "settings").complaint
                    == "customCodeTyped")
            #expect(try await redeem("Hello", as: "bob", via: "url").status == 200)
            #expect(
                try await client.ours(.get, "\(app)/offer-codes/9/codes").complaint
                    == "unknownOfferCodes")
        }
    }

    @Test("Codes are redeemed in the app, by a URL and in settings, custom ones not in settings")
    func places() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            _ = try await client.ours(.post, offers, welcome)
            func make(_ more: String) async throws -> [String] {
                let made = try await client.ours(
                    .post, "\(app)/offer-codes",
                    #"{"productId":"silver.monthly","offerId":"WELCOME","count":3\#(more)}"#)
                let id = try #require(made["id"]?.string, "\(made.text)")
                return try await client.ours(.get, "\(app)/offer-codes/\(id)/codes").text
                    .split(separator: "\r\n").map(String.init)
            }
            func redeem(_ code: String, via: String, as account: String) async throws -> Reply {
                try await client.ours(
                    .post, "/storefront/v1/redemptions", #"{"code":"\#(code)","via":"\#(via)"}"#,
                    as: .bearer(try await client.signIn(account)))
            }
            let oneTime = try await make("")
            let custom = try #require(try await make(#","custom":"HELLO""#).first)
            for (code, via) in zip(oneTime, ["app", "url", "settings"]) {
                let once = try await redeem(code, via: via, as: "once-\(via)")
                #expect(once["result"] == .string("success"), "\(once.text)")
                let reply = try await redeem(custom, via: via, as: "custom-\(via)")
                if via == "settings" {
                    #expect(reply.complaint == "customCodeTyped")
                } else {
                    #expect(reply["result"] == .string("success"), "\(reply.text)")
                }
            }
        }
    }

    @Test("Whoever guesses codes waits for the next hour of the machine's clock")
    func guesses() async throws {
        let world = try await HTTPWorld(isListening: false)
        try await world.with { client in
            let ada = try await client.signIn()
            func guess(_ token: String) async throws -> Reply {
                try await client.ours(
                    .post, "/storefront/v1/redemptions", #"{"code":"GUESS"}"#, as: .bearer(token))
            }
            for _ in 0..<20 { #expect(try await guess(ada).complaint == "unknownCode") }
            let refused = try await guess(ada)
            #expect(refused.status == 429)
            #expect(refused.complaint == "tooManyRequests")
            #expect(try await guess(try await client.signIn("bob")).complaint == "unknownCode")
            client.world.machine.now = client.world.machine.now + .hours(1)
            #expect(try await guess(ada).complaint == "unknownCode")
        }
    }
}

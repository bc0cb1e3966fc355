import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules
import TestSupport
import Testing

private typealias Errors = APIError.AdvancedCommerce

/// What a merchant's server calls: who may, how often, and what every endpoint refuses.
@Suite("Server endpoints of Advanced Commerce")
struct MerchantCallHTTPTests {
    private typealias Make = MerchantHTTP

    /// What is asked of each endpoint beside `requestInfo`, so that it is right in itself.
    private static func members(_ endpoint: AdvancedCommerceEndpoint) -> String {
        switch endpoint {
        case .cancel: ""
        case .changeMetadata: #","taxCode":"C003-00-1""#
        case .changePrice: #","items":[{"SKU":"news","price":10990}]"#
        case .migrate:
            #","descriptors":{"displayName":"The paper","description":"News"},"items":[{"#
                + #""SKU":"news","displayName":"News","description":"All of it"}],"#
                + #""targetProductId":"generic.subscription","taxCode":"C003-00-1""#
        case .revoke:
            #","refundReason":"LEGAL","refundType":"FULL","refundRiskingPreference":true"#
        case .requestRefund:
            #","items":[{"SKU":"news","refundReason":"LEGAL","refundType":"FULL","#
                + #""revoke":true}],"refundRiskingPreference":true"#
        }
    }

    private static func body(
        _ endpoint: AdvancedCommerceEndpoint, _ number: Int = 7, _ more: String = ""
    ) -> String {
        "{\(Make.info(number))\(members(endpoint))\(more)}"
    }

    /// The endpoints that the store has.
    private static let endpoints = AdvancedCommerceEndpoint.allCases.filter { endpoint in
        OpenAPI.serverAPI(in: .production).operation(.post, endpoint.path) != nil
    }

    @Test("Each says which transaction it is asked for")
    func transactions() throws {
        #expect(Self.endpoints.count == 6)
        for endpoint in Self.endpoints {
            let operation = OpenAPI.serverAPI(in: .production).operation(.post, endpoint.path)
            let parameter = operation?["parameters"]?.array?.first {
                $0["name"]?.string == "transactionId"
            }
            let text = try #require(parameter?["schema"]?["description"]?.string)
            let isExact = text.hasPrefix("The transaction itself, ")
            #expect(isExact == (endpoint == .requestRefund), "\(endpoint): \(text)")
        }
    }

    @Test("Only a request token of the app opens them", arguments: StoreEnvironment.allCases)
    func authentication(environment: StoreEnvironment) async throws {
        #expect(Set(Self.endpoints).isSuperset(of: [.cancel, .changePrice]))
        let world = try await Make.world()
        try await world.with(environment) { client in
            let id = try await client.bundle()
            let stranger = try APIKey(
                keyID: HTTPWorld.key.keyID, issuerID: HTTPWorld.key.issuerID,
                privateKeyPEM: HTTPWorld.makeKey().privateKeyPEM)
            let forged = try RequestToken.make(
                key: stranger, bundleID: World.bundleID,
                now: Double(world.machine.now.milliseconds) / 1000)
            // What signs a purchase opens no endpoint.
            let inApp = try client.sign(Make.create(2), nonce: 2)
            let before = try await world.everything()
            for endpoint in Self.endpoints {
                for credential: Client.Credential in [
                    .nothing, .operatorToken, .bearer(forged), .bearer(inApp),
                    .header("Basic \(try world.token())"),
                ] {
                    let reply = try await client.call(
                        endpoint, id, Self.body(endpoint), as: credential)
                    #expect(reply.status == 401, "\(endpoint)")
                    #expect(reply.text == "Unauthenticated\n")
                }
                let foreign = try await client.call(
                    endpoint, id, Self.body(endpoint), as: .developerOf("com.example.other"))
                #expect([401, 404].contains(foreign.status), "\(endpoint): \(foreign.text)")
            }
            #expect(try await world.everything() == before)
        }
    }

    @Test("A transaction is known in its own environment alone")
    func environments() async throws {
        let world = try await Make.world()
        let id = try await world.with { client in try await client.bundle() }
        let before = try await world.everything(besides: ["customer", "app_copy"])
        try await world.with(.sandbox) { client in
            for endpoint in Self.endpoints {
                expect(
                    try await client.call(endpoint, id, Self.body(endpoint)),
                    Errors.transactionIdNotFound)
            }
        }
        #expect(try await world.everything(besides: ["customer", "app_copy"]) == before)
        try await world.with(.sandbox) { client in
            let own = try await client.bundle(2)
            let reply = try await client.call(.cancel, own, Self.body(.cancel))
            #expect(reply.status == 200, "\(reply.text)")
            let signed = try #require(reply["signedRenewalInfo"]?.string)
            #expect(try await client.verifier().verifyRenewalInfo(signed).environment == .sandbox)
        }
    }

    @Test(
        "Who calls too often is told so: Apple's numbers, of which Sandbox has a tenth",
        arguments: AdvancedCommerceEndpoint.allCases)
    func limits(endpoint: AdvancedCommerceEndpoint) async throws {
        guard Self.endpoints.contains(endpoint) else { return }
        // As advanced-commerce-api.md has them, by the second.
        let documented: Int =
            switch endpoint {
            case .cancel, .revoke, .requestRefund: 5
            case .changeMetadata, .changePrice, .migrate: 50
            }
        var options = StoreServer.Options()
        // A thousandth of them, since as many calls as there are in an hour take long.
        options.rateLimits = RateLimits(thousandths: 1)
        options.sandboxRateLimits = RateLimits(thousandths: 1)
        let world = try await Make.world(options: options)
        for environment in StoreEnvironment.allCases {
            let hourly = documented * 3_600 / 1_000 / (environment == .sandbox ? 10 : 1)
            try await world.with(environment) { client in
                let path = endpoint.path.replacing("{transactionId}", with: "1")
                for _ in 0..<hourly {
                    let reply = try await client.send(.post, path, "{}", as: .developer)
                    #expect(reply.status != 429)
                }
                let before = try await world.everything()
                let reply = try await client.call(endpoint, "1", Self.body(endpoint))
                expect(reply, .rateLimitExceeded)
                #expect(
                    reply.fields[.retryAfter]
                        == String(World.instant("2026-03-01T13:00:00Z").milliseconds))
                #expect(try await world.everything() == before)
                let other = Self.endpoints.first { $0 != endpoint } ?? endpoint
                #expect(
                    try await client.call(other, "1", Self.body(other)).status != 429)
            }
        }
    }

    @Test("Bodies that are no request, and identifiers that are none")
    func malformed() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let ordinary = try await client.buy("silver.monthly", as: client.signIn("bob"))
            let coins = try await client.buy("coins", as: client.signIn("bob"))
            let before = try await world.everything()
            for endpoint in Self.endpoints {
                for body in ["", "no JSON", "[]", "7", "null", "{\"a\":", "\u{FEFF}{}"] {
                    let reply = try await client.call(endpoint, id, body)
                    expect(reply, Errors.malformedPayload)
                    // With a charset Apple's Python client would lose the number.
                    #expect(reply.fields[.contentType] == "application/json")
                }
                let large = "{\"x\":\"\(String(repeating: "a", count: 1 << 20))\"}"
                expectBare(try await client.call(endpoint, id, large), 413)
                for wrong in ["abc", "0x1", "-1", "1.0", "99999999999999999999", "%20", "١"] {
                    let path = endpoint.path.replacing("{transactionId}", with: wrong)
                    let reply = try await client.send(
                        .post, path, Self.body(endpoint), as: .developer)
                    #expect(
                        reply.apiErrorCode == Errors.invalidTransactionId.code,
                        "\(endpoint) \(wrong): \(reply.status) \(reply.text)")
                }
                expect(
                    try await client.call(endpoint, "123", Self.body(endpoint)),
                    Errors.transactionIdNotFound)
                guard endpoint != .migrate else { continue }
                for other in [ordinary.transactionId, coins.transactionId] {
                    let reply = try await client.call(endpoint, other, Self.body(endpoint))
                    let isRefund = endpoint == .requestRefund
                    #expect(reply.status == 403 || isRefund && reply.status == 400, "\(endpoint)")
                }
            }
            #expect(try await world.everything() == before)
        }
    }

    @Test("What all requests say of themselves")
    func common() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let first = try await client.call(.cancel, id, Self.body(.cancel, 9))
            #expect(first.status == 200, "\(first.text)")
            let before = try await world.everything()
            // The same again is what was done; with other words, or elsewhere, it is refused.
            #expect(try await client.call(.cancel, id, Self.body(.cancel, 9)).status == 200)
            for endpoint in Self.endpoints where endpoint != .cancel {
                expect(
                    try await client.call(endpoint, id, Self.body(endpoint, 9)),
                    Errors.repeatedRequestReferenceId)
            }
            for endpoint in Self.endpoints {
                let members = Self.members(endpoint)
                for (body, error) in [
                    ("{}", Errors.nullRequestInfo),
                    (#"{"requestInfo":{}\#(members)}"#, Errors.nullRequestReferenceId),
                    (
                        #"{"requestInfo":{"requestReferenceId":"1"}\#(members)}"#,
                        Errors.invalidRequestReferenceId
                    ),
                    (
                        "{\(Make.info(8, #","appAccountToken":"me""#))\(members)}",
                        Errors.invalidAppAccountToken
                    ),
                    (
                        "{\(Make.info(8, #","consistencyToken":"1.2.3""#))\(members)}",
                        Errors.invalidConsistencyToken
                    ),
                    (Self.body(endpoint, 8, #","storefront":"usa""#), Errors.invalidStorefront),
                    (Self.body(endpoint, 8, #","storefront":840"#), Errors.malformedPayload),
                    (#"{"requestInfo":7}"#, Errors.malformedPayload),
                ] {
                    expect(try await client.call(endpoint, id, body), error)
                }
                guard endpoint != .migrate else { continue }
                expect(
                    try await client.call(
                        endpoint, id, Self.body(endpoint, 8, #","storefront":"ZZZ""#)),
                    Errors.invalidStorefront)
                expect(
                    try await client.call(
                        endpoint, id, Self.body(endpoint, 8, #","storefront":"DEU""#)),
                    Errors.mismatchedStorefront)
                let token = "1.\(id).7c80bb86-f892-4b21-a919-1357811d6c4f"
                expect(
                    try await client.call(
                        endpoint, id,
                        "{\(Make.info(8, #","consistencyToken":"\#(token)""#))\(members)}"),
                    Errors.invalidConsistencyToken)
            }
            #expect(try await world.everything() == before)
        }
    }

    @Test("A consistency token is good until something changes")
    func consistency() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            func token(_ reply: Reply) async throws -> String {
                let signed = try #require(reply["signedRenewalInfo"]?.string, "\(reply.text)")
                let info = try await client.verifier().verifyRenewalInfo(signed)
                return try #require(info.advancedCommerceInfo?.consistencyToken)
            }
            func change(_ number: Int, _ price: Int, _ token: String) async throws -> Reply {
                try await client.call(
                    .changePrice, id,
                    "{\(Make.info(number, #","consistencyToken":"\#(token)""#)),"
                        + #""items":[{"SKU":"news","price":\#(price)}]}"#)
            }
            let bodies = #"{\#(Make.info(7)),"items":[{"SKU":"chess","price":2490}]}"#
            let old = try await token(try await client.call(.changePrice, id, bodies))
            let new = try await token(try await change(8, 10_990, old))
            #expect(new != old)
            let before = try await world.everything()
            expect(try await change(9, 11_990, old), Errors.invalidConsistencyToken)
            #expect(try await world.everything() == before)
            let last = try await change(10, 11_990, new)
            #expect(last.status == 200, "\(last.text)")
        }
    }

    @Test("Prices, currencies and SKUs of a change of prices")
    func prices() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            func item(_ sku: String, _ price: String, _ dependents: String = "") -> String {
                #"{"SKU":"\#(sku)","price":\#(price)\#(dependents)}"#
            }
            let many = (0..<101).map { item("item \($0)", "990") }.joined(separator: ",")
            let long = String(repeating: "a", count: 129)
            let before = try await world.everything()
            for (items, more, error) in [
                ("", "", Errors.nullItems), (many, "", Errors.moreItemsThanAllowed),
                (
                    item("news", "990") + "," + item("news", "990"), "",
                    Errors.itemCannotBeSpecifiedMultipleTimes
                ),
                (item("news", "10995"), "", Errors.invalidAmount),
                (item("news", "1000000000010"), "", Errors.invalidAmount),
                (item("news", "9223372036854775807"), "", Errors.invalidAmount),
                (item("news", "9223372036854775808"), "", Errors.malformedPayload),
                (item("news", "-10"), "", Errors.negativePrice),
                (item("news", "null"), "", Errors.nullPrice),
                (item("news", "10990"), #","currency":"EUR""#, Errors.invalidCurrency),
                (item("news", "10990"), #","currency":"ZZZ""#, Errors.invalidCurrency),
                (item(long, "10990"), "", Errors.skuLengthExceeded),
                (item("", "10990"), "", Errors.invalidSKU),
                (
                    item("sport", "10990"), "",
                    Errors.invalidSKUProvidedMustBeCurrentSKUSetToRenew
                ),
                (
                    item("news", "10990", #","dependentSKUs":["sport"]"#), "",
                    Errors.invalidSKUProvidedMustBeCurrentSKUSetToRenew
                ),
                (
                    item("news", "10990", #","dependentSKUs":["chess"]"#) + ","
                        + item("chess", "3990", #","dependentSKUs":["news"]"#), "",
                    Errors.dependentSKUsCannotBeChained
                ),
            ] {
                let body = #"{\#(Make.info(7))\#(more),"items":[\#(items)]}"#
                expect(try await client.call(.changePrice, id, body), error)
            }
            #expect(try await world.everything() == before)
        }
    }

    @Test("What is over, renews no more or is being raised already takes no new price")
    func states() async throws {
        let world = try await Make.world()
        try await world.with { client in
            let id = try await client.bundle()
            let raise = #"{\#(Make.info(7)),"items":[{"SKU":"chess","price":9990}]}"#
            #expect(try await client.call(.changePrice, id, raise).status == 200)
            _ = try await world.world.store.advance(to: World.instant("2026-01-10"))
            let told = #"{\#(Make.info(8)),"items":[{"SKU":"chess","price":8990}]}"#
            var before = try await world.everything()
            expect(
                try await client.call(.changePrice, id, told),
                Errors.priceChangeCannotBeIssuedWhenAlreadyCommunicated)
            #expect(try await world.everything() == before)
            #expect(try await client.call(.cancel, id, Self.body(.cancel, 9)).status == 200)
            before = try await world.everything()
            let other = #"{\#(Make.info(10)),"items":[{"SKU":"news","price":8990}]}"#
            expect(try await client.call(.changePrice, id, other), Errors.subscriptionNotEligible)
            #expect(try await world.everything() == before)
            _ = try await world.world.store.advance(to: World.instant("2026-03-01"))
            before = try await world.everything()
            expect(try await client.call(.changePrice, id, other), Errors.subscriptionNotEligible)
            expect(
                try await client.call(.cancel, id, Self.body(.cancel, 11)),
                Errors.subscriptionNotEligible)
            #expect(try await world.everything() == before)
        }
    }
}

import AppStoreWire
import HTTPTypes
import TestFloor
import TestSupport
import Testing

/// What is refused says why, and leaves everything as it was.
@Suite("Merchant over HTTP: refusals", .timeLimit(.minutes(15)))
struct MerchantRefusalTests {
    /// A route with a token that opens it, and those of which none does.
    private static let guarded: [(HTTPRequest.Method, String, good: String, bad: [String])] = {
        let (app, server) = (MerchantHTTPWorld.app, MerchantHTTPWorld.developer)
        let theOperator = MerchantHTTPWorld.theOperator
        return [
            (.post, "\(Client.path)/transactions", app, []),
            (.get, "\(Client.path)/accounts/ada", app, []),
            (.get, "\(Client.path)/accounts/ada/why", server, [app]),
            (.get, "\(Client.path)/accounts/ada/events", server, [app]),
            (.get, "\(Client.path)/accounts/ada/transfers", server, [app]),
            (.get, "\(Client.path)/accounts/ada/versions/1", server, [app]),
            (.get, "\(Client.path)/accounts/ada/export", server, [app]),
            (.post, "\(Client.path)/accounts/ada/aliases", server, [app]),
            (.delete, "\(Client.path)/accounts/zoe", server, [app]),
            (.get, "\(Client.path)/purchases/1/owner?account=ada", app, []),
            (.post, "\(Client.path)/purchases/1/claim", server, [app]),
            (.post, "\(Client.path)/claims", server, [app]),
            (.get, "/v1/operator/unowned", theOperator, [app, server]),
            (.get, "/v1/operator/overview", theOperator, [app, server]),
            (.get, "/v1/operator/customers", theOperator, [app, server]),
            (.get, "/v1/operator/audit", theOperator, [app, server]),
            (.get, "/v1/operator/dead-letters", theOperator, [app, server]),
            (.post, "/v1/operator/dead-letters/1/replay", theOperator, [app, server]),
            (.post, "/v1/operator/settle", theOperator, [app, server]),
            (.get, "/v1/operator/gaps", theOperator, [app, server]),
            (.post, "/v1/operator/gaps/heal", theOperator, [app, server]),
            (.post, "/v1/operator/gaps/test", theOperator, [app, server]),
            (.post, "/v1/operator/rebuild", theOperator, [app, server]),
            (.post, "/v1/operator/rebuild/history", theOperator, [app, server]),
            (.get, "/v1/operator/rebuild", theOperator, [app, server]),
            (.get, "/v1/operator/rebuild/1", theOperator, [app, server]),
            (.get, "/v1/operator/rebuild/1/failures", theOperator, [app, server]),
        ]
    }()

    @Test("Each route opens to its tokens and to no other", arguments: Backend.available)
    func tokens(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            _ = try await client.post(try #require(try await world.buy("silver.monthly")))
            let before = try await world.tables()
            for (method, path, good, bad) in Self.guarded {
                for token in bad {
                    let reply = try await client.send(method, path, token: token)
                    #expect(reply.summary == "403 forbidden", "\(path) \(token)")
                }
                let wrong = ["", "wrong", good + "0", String(good.dropLast())]
                for token in [nil] + wrong.map(Optional.some) {
                    let reply = try await client.send(method, path, token: token)
                    #expect(reply.summary == "401 unauthenticated", "\(path) \(token ?? "none")")
                    #expect(reply.fields[.wwwAuthenticate] == "Bearer")
                }
                for token in [good, MerchantHTTPWorld.theOperator] {
                    let reply = try await client.send(method, path, token: token)
                    #expect(reply.status != 401 && reply.status != 403, "\(path)")
                }
            }
            #expect(try await world.tables() == before)
        }
    }

    @Test("A body that is no notification is refused", arguments: Backend.available)
    func notifications(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let before = try await world.tables()
            let deep = String(repeating: "[", count: 100_000)
            let large = String(repeating: "a", count: 1 << 19)
            let bodies = [
                ("", "400 malformedJSON"), ("{", "400 malformedJSON"), ("x", "400 malformedJSON"),
                (deep, "400 malformedJSON"), ("[]", "400 missingMember"),
                ("{}", "400 missingMember"), (#"{"signedPayload":1}"#, "400 missingMember"),
                (#"{"signedPayload":null}"#, "400 missingMember"),
                (#"{"signedPayload":""}"#, "400 notVerified"),
                (#"{"signedPayload":"a.b.c"}"#, "400 notVerified"),
                // A notification of version 1.
                (#"{"notification_type":"CANCEL","password":"x"}"#, "400 missingMember"),
                (#"{"signedPayload":"\#(large)"}"#, "413 bodyTooLarge"),
            ]
            for (body, expected) in bodies {
                let reply = try await client.send(.post, Client.apple, body)
                #expect(reply.summary == expected, "\(body.prefix(40))")
            }
            let other = try await client.send(
                .post, "/apple/v2/com.example.other", #"{"signedPayload":"a.b.c"}"#)
            #expect(other.summary == "404 unknownApp")
            #expect(try await client.send(.get, Client.apple).status == 405)
            #expect(try await client.send(.post, "/apple/v3/x", "{}").summary == "404 unknownPath")
            #expect(try await world.tables() == before)
        }
    }

    @Test("A body that is no purchase is refused", arguments: Backend.available)
    func purchases(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let before = try await world.tables()
            let large = String(repeating: "a", count: 1 << 20)
            let bodies = [
                ("{", "400 malformedJSON"), ("{}", "400 missingMember"),
                (#"{"account":"ada"}"#, "400 missingMember"),
                (#"{"signedTransaction":"a.b.c"}"#, "400 missingMember"),
                (#"{"account":"","signedTransaction":"a.b.c"}"#, "400 invalidMember"),
                (#"{"account":1,"signedTransaction":"a.b.c"}"#, "400 invalidMember"),
                (#"{"account":"ada","signedTransaction":""}"#, "400 invalidMember"),
                (
                    #"{"account":"ada","signedTransaction":"a.b.c","restore":"yes"}"#,
                    "400 invalidMember"
                ),
                (
                    #"{"account":"ada","signedTransaction":"a.b.c","more":1}"#,
                    "400 unknownMember"
                ),
                (#"{"account":"ada","signedTransaction":"a.b.c"}"#, "400 notVerified"),
                (#"{"account":"ada","signedTransaction":"\#(large)"}"#, "413 bodyTooLarge"),
            ]
            for (body, expected) in bodies {
                let reply = try await client.send(
                    .post, "\(Client.path)/transactions", body, token: MerchantHTTPWorld.app)
                #expect(reply.summary == expected, "\(body.prefix(80))")
            }
            let unknown = "/v1/apps/com.example.other"
            let signed = try #require(try await world.buy("silver.monthly"))
            let posted = try await client.send(
                .post, "\(unknown)/transactions",
                #"{"account":"ada","signedTransaction":"\#(signed)"}"#,
                token: MerchantHTTPWorld.theOperator)
            #expect(posted.summary == "404 unknownApp")
            for path in ["accounts/ada", "accounts/ada/why"] {
                let reply = try await client.send(
                    .get, "\(unknown)/\(path)", token: MerchantHTTPWorld.theOperator)
                #expect(reply.summary == "404 unknownApp")
            }
            let query = try await client.send(
                .get, "\(Client.path)/accounts/ada?at=now", token: MerchantHTTPWorld.app)
            #expect(query.summary == "400 unknownParameter")
            #expect(try await world.tables() == before)
        }
    }
}

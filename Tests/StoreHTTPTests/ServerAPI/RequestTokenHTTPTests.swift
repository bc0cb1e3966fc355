import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@Suite("Request tokens at the door")
struct RequestTokenHTTPTests {
    private func expectRefused(
        _ reply: Reply, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(reply.status == 401, sourceLocation: sourceLocation)
        #expect(reply.text == "Unauthenticated\n", sourceLocation: sourceLocation)
        #expect(reply.fields[.contentType] == "text/plain; charset=utf-8")
        #expect(reply.fields[.wwwAuthenticate] == "Bearer")
    }

    @Test(
        "Without a good token there is no answer on any endpoint",
        arguments: [
            ("GET", "/v1/transactions/1"), ("GET", "/v2/history/1"), ("GET", "/v1/history/1"),
            ("GET", "/v1/subscriptions/1"), ("GET", "/v1/transactions/appTransactions/1"),
            ("PUT", "/v1/transactions/1/appAccountToken"),
            ("POST", "/v1/transactions/1/finish"), ("GET", "/v1/lookup/MX"),
            ("POST", "/v1/notifications/test"), ("GET", "/v1/notifications/test/x"),
            ("POST", "/v1/notifications/history"),
        ])
    func everywhere(method: String, path: String) async throws {
        let world = try await HTTPWorld()
        let method = try #require(HTTPRequest.Method(method))
        try await world.with { client in
            let uri = "/inApps\(path)"
            expectRefused(try await client.send(method, uri))
            expectRefused(try await client.send(method, uri, as: .operatorToken))
        }
    }

    @Test("Only a bearer token counts")
    func scheme() async throws {
        let world = try await HTTPWorld()
        let token = try world.token()
        try await world.with { client in
            for header in [
                token, "Bearer", "Bearer ", "Basic \(token)", "Bearer  \(token)",
                "Bearer \(token) x", "Bearer \(token), Bearer \(token)",
            ] {
                expectRefused(
                    try await client.send(.get, "/inApps/v2/history/1", as: .header(header)))
            }
            for header in ["bearer \(token)", "BEARER \(token)"] {
                expect(
                    try await client.send(.get, "/inApps/v2/history/1", as: .header(header)),
                    .transactionIdNotFound)
            }
        }
    }

    @Test("Tokens go by the machine's clock, wherever the store's clock is")
    func machineTime() async throws {
        let world = try await HTTPWorld()
        _ = try await world.world.store.advance(to: World.instant("2031-01-01T00:00:00Z"))
        let token = try world.token(lifetime: 300)
        try await world.with { client in
            let path = "/inApps/v2/history/1"
            expect(
                try await client.send(.get, path, as: .bearer(token)), .transactionIdNotFound)
            world.machine.now = world.machine.now + .seconds(299)
            expect(
                try await client.send(.get, path, as: .bearer(token)), .transactionIdNotFound)
            world.machine.now = world.machine.now + .seconds(2)
            expectRefused(try await client.send(.get, path, as: .bearer(token)))
        }
    }

    @Test("Forged, unsigned, foreign and over-long tokens are refused")
    func forged() async throws {
        let world = try await HTTPWorld()
        let good = try world.token()
        let parts = good.split(separator: ".").map(String.init)
        let stranger = try APIKey(
            keyID: HTTPWorld.key.keyID, issuerID: HTTPWorld.key.issuerID,
            privateKeyPEM: HTTPWorld.makeKey().privateKeyPEM)
        let now = Double(world.machine.now.milliseconds) / 1000
        let none = #"{"alg":"none","kid":"\#(HTTPWorld.key.keyID)","typ":"JWT"}"#.base64URL
        let symmetric = #"{"alg":"HS256","kid":"\#(HTTPWorld.key.keyID)","typ":"JWT"}"#.base64URL
        let tokens = [
            "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).", "\(none).\(parts[1]).",
            "\(symmetric).\(parts[1]).\(parts[2])", "\(parts[0]).e30.\(parts[2])",
            String(good.dropLast()), "..", "x", good + String(repeating: "A", count: 9000),
            try RequestToken.make(key: stranger, bundleID: World.bundleID, now: now),
            try RequestToken.make(
                key: HTTPWorld.key, bundleID: World.bundleID, now: now, lifetime: 4000),
            try RequestToken.make(key: HTTPWorld.key, bundleID: World.bundleID, now: now - 400),
            try RequestToken.make(key: HTTPWorld.key, bundleID: World.bundleID, now: now + 600),
            try RequestToken.make(key: HTTPWorld.key, bundleID: "", now: now),
        ]
        try await world.with { client in
            for token in tokens {
                expectRefused(
                    try await client.send(.get, "/inApps/v2/history/1", as: .bearer(token)))
            }
        }
    }
}

extension String {
    /// The UTF-8 text in base64url, without padding.
    var base64URL: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        var bits = 0
        var value = 0
        for byte in utf8 {
            value = value << 8 | Int(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[value >> bits & 63])
            }
        }
        if bits > 0 { text.append(alphabet[value << (6 - bits) & 63]) }
        return text
    }
}

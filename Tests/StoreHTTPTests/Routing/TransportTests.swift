import AppStoreSigning
import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Storage
import Store
import SubscriptionRules
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("What every request meets")
struct TransportTests {
    @Test(
        "An unknown path of the App Store Server API is a bare 404",
        arguments: [
            "/inApps", "/inApps/", "/inApps/v1", "/inApps/v3/history/1", "/inApps/v1/history",
            "/inApps/v1/history/1/2", "/inApps/v1/transactions/1/other",
            "/advancedCommerce", "/advancedCommerce/v1/x", "/inApps/v1/messagingX",
        ])
    func unknownAPIPath(path: String) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            for method in [HTTPRequest.Method.get, .post, .put, .delete] {
                expectBare(try await client.send(method, path, as: .developer), 404)
            }
        }
    }

    @Test(
        "Retention messaging is not there, which a sentence says without a code",
        arguments: [
            ("GET", "/inApps/v1/messaging/message/list"),
            ("PUT", "/inApps/v1/messaging/image/7e3fb204-2d3b-4b4c-9f3e-1234567890ab"),
            ("PUT", "/inApps/v1/messaging/realtime/url"), ("GET", "/inApps/v1/messaging"),
        ])
    func retentionMessaging(method: String, path: String) async throws {
        let world = try await HTTPWorld()
        let method = try #require(HTTPRequest.Method(method))
        try await world.with { client in
            let reply = try await client.send(method, path, as: .developer)
            #expect(reply.status == 404)
            #expect(reply.text.contains("Retention messaging is not part of Perennial"))
            #expect(reply.fields[.contentType]?.hasPrefix("text/plain") == true)
        }
    }

    @Test(
        "Any other unknown path is a 404 that says so",
        arguments: [
            "/", "/nothing", "/storefront/v1", "/connect/v1/nothing", "/connect/v1/apps/a/b/c",
            "/inAppsX", "/openapi.json/x", "/verifyReceipt/x", "/advancedCommerceX", "/%00",
        ])
    func unknownPath(path: String) async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let reply = try await client.send(.get, path, as: .operatorToken)
            #expect(reply.status == 404)
            #expect(reply.complaint == "unknownPath")
        }
    }

    @Test(
        "A known path with another method is a 405 that names the right ones",
        arguments: [
            ("DELETE", "/inApps/v1/transactions/1", "GET, HEAD"),
            ("GET", "/inApps/v1/transactions/1/finish", "POST"),
            ("BREW", "/inApps/v2/history/1", "GET, HEAD"),
            ("GET", "/inApps/v1/subscriptions/extend/1", "PUT"),
            ("PUT", "/inApps/v1/subscriptions/extend/mass", "POST"),
            ("POST", "/inApps/v2/transactions/consumption/1", "PUT"),
            ("DELETE", "/inApps/v1/refund/lookup/1", "GET, HEAD"),
            ("PUT", "/connect/v1/apps", "GET, HEAD, POST"),
            ("POST", "/connect/v1/apps/a", "GET, HEAD, PATCH"),
            ("OPTIONS", "/storefront/v1/sign-in", "DELETE, POST"), ("POST", "/health", "GET, HEAD"),
        ] as [(String, String, String)])
    func wrongMethod(method: String, path: String, allow: String) async throws {
        let world = try await HTTPWorld()
        let method = try #require(HTTPRequest.Method(method))
        try await world.with { client in
            let reply = try await client.send(method, path, as: .developer)
            #expect(reply.status == 405)
            #expect(reply.fields[.allow] == allow)
            if path.hasPrefix("/inApps") {
                #expect(reply.body.isEmpty)
            } else {
                #expect(reply.complaint == "methodNotAllowed")
            }
        }
    }

    @Test("HEAD answers as GET does, without the body", arguments: TestingSetupCase.allCases)
    func head(setup: TestingSetupCase) async throws {
        let world = try await HTTPWorld(isListening: false)
        let bought = try #require(
            try await world.world.buy("coins", by: try await world.world.device(), expecting: []))
        try await world.with(.production, setup.value) { client in
            for (path, status) in [
                ("/health", 200), ("/inApps/v1/transactions/\(bought.transactionId)", 200),
                ("/inApps/v1/transactions/x", 400), ("/nothing", 404), ("/inApps/nothing", 404),
            ] {
                let get = try await client.send(.get, path, as: .developer)
                let head = try await client.send(.head, path, as: .developer)
                #expect(head.status == status)
                #expect(head.body.isEmpty)
                #expect(head.fields[.contentType] == get.fields[.contentType])
            }
            // The connection is still in step.
            #expect(try await client.send(.get, "/health").text == #"{"status":"ok"}"#)
        }
    }

    @Test("A body over the limit is refused, on each surface in its way")
    func tooLarge() async throws {
        var options = StoreServer.Options()
        options.bodyLimit = 1000
        let world = try await HTTPWorld(options: options)
        let before = try await world.everything()
        let large = String(repeating: " ", count: 1001)
        try await world.with { client in
            let api = try await client.api(.post, "/v1/notifications/history", large)
            expectBare(api, 413)
            let own = try await client.ours(.post, "/connect/v1/clock/advance", large)
            #expect(own.status == 413)
            #expect(own.complaint == "bodyTooLarge")
            let fits = try await client.ours(
                .post, "/connect/v1/clock/advance",
                #"{"by":"PT0S"}"# + String(repeating: " ", count: 900))
            #expect(fits.status == 200)
        }
        #expect(try await world.everything() == before)
    }

    @Test("What goes wrong inside is told to nobody", arguments: StoreEnvironment.allCases)
    func internalError(environment: StoreEnvironment) async throws {
        let world = try await HTTPWorld()
        await world.world.database.close()
        try await world.with(environment) { client in
            let api = try await client.api(.get, "/v1/transactions/1")
            expect(api, .generalInternalRetryable)
            let own = try await client.ours(.get, "/connect/v1/apps")
            #expect(own.status == 503)
            #expect(own.complaint == "databaseUnavailable")
            for reply in [api, own] {
                #expect(!reply.text.lowercased().contains("sql"))
                #expect(!reply.text.contains("connection"))
            }
            // What needs no database goes on.
            #expect(try await client.send(.get, "/metrics").status == 200)
        }
    }

    @Test("Every error of the store has a place on both surfaces")
    func mapping() {
        let errors: [StoreError] =
            StoreError.Kind.allCases.map { .unknown($0, "a") }
            + RefundRefusal.allCases.map { .refund(.refused($0)) }
            + [
                .subscription(.notAnOriginalTransaction("1")),
                .subscription(.notASubscription("p")),
                .subscription(.wrongGroup(product: "p", group: "g")),
                .refused(.alreadySubscribed), .refused(.notActive), .refused(.notDue),
                .purchase(.notForSale("p")), .purchase(.invalidQuantity(3, largest: 1)),
                .purchase(.paymentDeclined), .refund(.alreadyRequested("1")),
                .refund(.notRefundable("1", reason: "r")), .refund(.reversedByBank("1")),
                .setting(.appExists("a")), .setting(.invalid("f", reason: "r")),
                .setting(.offSaleEverywhere("p")), .setting(.noNotificationURL),
                .clock(.isSystem), .clock(.wouldGoBack(.earliest)), .clock(.outOfRange(.latest)),
                .clock(.nothingAhead(.earliest)), .clock(.limitReached(.earliest)),
                .request(.signedOut), .request(.commandIDReused), .request(.invalidRevision),
                .request(.invalidPaginationToken), .request(.paginationTokenExpired),
            ]
        for error in errors {
            #expect(APIError.all[APIError(error).code] != nil)
            let complaint = ErrorBody(error)
            #expect(complaint.message.last == ".")
            #expect(complaint.code.first?.isLowercase == true)
            #expect((400...500).contains(complaint.status.code))
        }
    }

    /// A long text in a path must not come back at length.
    @Test("Errors quote only the beginning of what was sent")
    func quoting() async throws {
        let world = try await HTTPWorld()
        let long = String(repeating: "a", count: 900)
        try await world.with { client in
            let reply = try await client.ours(.get, "/connect/v1/apps/\(long)")
            #expect(reply.complaint == "unknownApp")
            #expect(reply.body.count < 400)
            let member = try await client.ours(
                .post, "/connect/v1/clock/advance", #"{"\#(long)":1}"#)
            #expect(member.complaint == "unknownMember")
            #expect(member.body.count < 400)
        }
    }

    @Test("Nothing but the operator's token opens the operator's side")
    func operatorToken() async throws {
        let world = try await HTTPWorld()
        let right = HTTPWorld.operatorToken
        try await world.with { client in
            let device = try await client.signIn()
            for wrong in [
                "", "x", String(right.dropLast()), right + "x", right.uppercased(), device,
                "\(right) x", "\(right),\(right)",
            ] {
                let reply = try await client.ours(
                    .get, "/connect/v1/clock", as: .header("Bearer \(wrong)"))
                #expect(reply.status == 401, "\(wrong)")
                #expect(reply.complaint == "unauthenticated")
                #expect(reply.fields[.wwwAuthenticate] == "Bearer")
            }
            #expect(
                try await client.ours(.get, "/connect/v1/clock", as: .developer).status == 401)
            #expect(try await client.ours(.get, "/connect/v1/clock", as: .nothing).status == 401)
            #expect(try await client.ours(.get, "/connect/v1/clock").status == 200)
        }
    }
}

/// With and without a network in between.
enum TestingSetupCase: CaseIterable, Sendable {
    case router, live
}

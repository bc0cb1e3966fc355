import AppStoreWire
import HTTPSurface
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("Asking what a call would do")
struct RehearsingTests {
    /// A call that can be rehearsed, with the subscription and its newest transaction.
    private struct Act: Sendable {
        let method: HTTPRequest.Method
        let path: @Sendable (Setting) -> String
        let body: String?
        var isDevices = false

        static func connect(
            _ body: String?, _ path: @escaping @Sendable (Setting) -> String
        ) -> Act {
            Act(method: .post, path: { "/connect/v1/\(path($0))" }, body: body)
        }

        static func change(_ body: String) -> Act {
            Act(
                method: .patch, path: { "/storefront/v1/subscriptions/\($0.id)" }, body: body,
                isDevices: true)
        }

        static func purchase(_ body: String) -> Act {
            Act(
                method: .post, path: { _ in "/storefront/v1/purchases" }, body: body,
                isDevices: true)
        }
    }

    private static let acts: [Act] = [
        .purchase(#"{"productId":"coins","quantity":2}"#),
        .purchase(#"{"productId":"news.monthly"}"#), .change(#"{"productId":"gold.monthly"}"#),
        .change(#"{"productId":"bronze.monthly"}"#), .change(#"{"autoRenew":false}"#),
        .change(#"{"autoRenew":false,"productId":"bronze.monthly"}"#),
        .connect(#"{"days":10,"reason":"other","requestIdentifier":"r"}"#) {
            "subscriptions/\($0.id)/extend"
        },
        .connect("{}") { "transactions/\($0.newest)/refund" },
        .connect(#"{"extent":"prorated"}"#) { "transactions/\($0.newest)/refund" },
        .connect("{}") { "subscriptions/\($0.id)/cancel" },
        .connect(nil) { "subscriptions/\($0.id)/expire" },
    ]

    /// Ada has silver, bought on 1 January and renewed on 1 February; it is the 11th.
    private struct Setting: Sendable {
        let world: HTTPWorld
        let token: String
        let id: String
        let newest: String

        /// The tables that were changed.
        func changes(since before: Tables) async throws -> [String] {
            try await Tables(world.world.database).differences(from: before)
        }

        static func with(
            _ backend: Backend, _ body: @escaping @Sendable (Client, Setting) async throws -> Void
        ) async throws {
            let world = try await HTTPWorld(backend)
            try await world.with { client in
                let token = try await client.signIn()
                let id = try await client.buy("silver.monthly", as: token).transactionId
                _ = try await world.world.store.advance(to: World.instant("2026-02-11"))
                let newest = try #require(try await world.world.history(id).last?.transactionId)
                try await body(
                    client, Setting(world: world, token: token, id: id, newest: newest))
            }
        }
    }

    private func call(
        _ act: Act, _ client: Client, _ setting: Setting, rehearses: Bool
    ) async throws -> Reply {
        var fields = HTTPFields()
        if rehearses { fields[try #require(HTTPField.Name("Rehearse"))] = "true" }
        return try await client.send(
            act.method, act.path(setting), act.body,
            as: act.isDevices ? .bearer(setting.token) : .operatorToken, fields)
    }

    /// What the journal says since an entry, oldest first.
    private func entries(_ client: Client, after newest: Int64) async throws -> [JSONValue] {
        let reply = try await client.ours(.get, "/connect/v1/journal?limit=200")
        return (reply["entries"]?.array ?? []).compactMap { $0["entry"] }
            .filter { ($0["sequence"]?.integer ?? 0) > newest }.reversed()
    }

    /// Without what PostgreSQL numbers anew each time.
    private func plain(_ entries: [JSONValue], _ backend: Backend) -> [JSONValue] {
        guard backend == .postgres else { return entries }
        return entries.map { entry in
            .object(
                (entry.object ?? [:]).filter { name, value in
                    name != "sequence" && !(value.string.map { Int64($0) != nil } ?? false)
                })
        }
    }

    @Test(
        "A rehearsal changes nothing, and tells what the call itself then makes",
        arguments: Backend.available, acts.indices)
    func told(_ backend: Backend, place: Int) async throws {
        let act = Self.acts[place]
        try await Setting.with(backend) { client, setting in
            let counts = try await client.ours(.get, "/connect/v1/journal/counts")
            let newest = try #require(counts["newest"]?.integer)
            let before = try await Tables(setting.world.world.database)
            let log = setting.world.world.listener.arrivals.count
            for _ in 1...2 {
                let rehearsal = try await call(act, client, setting, rehearses: true)
                #expect(rehearsal.status == 200, "\(rehearsal.text)")
                #expect(
                    rehearsal.fields[.contentType] == "application/vnd.perennial.rehearsal+json")
                #expect(rehearsal["entries"]?.array?.isEmpty == false)
                #expect(try await setting.changes(since: before) == [])
            }
            #expect(setting.world.world.listener.arrivals.count == log)
            let rehearsal = try await call(act, client, setting, rehearses: true)
            let told = try #require(rehearsal["entries"]?.array)
            let reply = try await call(act, client, setting, rehearses: false)
            #expect(reply.status < 300, "\(reply.text)")
            let made = try await entries(client, after: newest)
            #expect(plain(told, backend) == plain(made, backend))
            #expect(try await setting.changes(since: before) != [])
        }
    }

    /// Calls that are refused, with the code.
    private static let refused: [(act: Act, code: String)] = [
        (.purchase(#"{"productId":"nothing"}"#), "unknownProduct"),
        (.purchase(#"{"productId":"silver.monthly"}"#), "alreadySubscribed"),
        (.change(#"{"productId":"coins"}"#), "notASubscription"),
        (.change(#"{"productId":"news.monthly"}"#), "wrongGroup"),
        (.change(#"{}"#), "nothingToChange"), (.change(#"{"autoRenew":1}"#), "invalidMember"),
        (.change(#"{"priceIncrease":"agree"}"#), "noPriceIncrease"),
        (
            .connect(#"{"days":91,"reason":"other"}"#) { "subscriptions/\($0.id)/extend" },
            "invalidMember"
        ),
        (.connect("{}") { _ in "transactions/400000000000999/refund" }, "unknownTransaction"),
        (.connect(nil) { _ in "subscriptions/400000000000999/expire" }, "unknownSubscription"),
    ]

    @Test(
        "What would be refused is refused alike, and changes nothing",
        arguments: Backend.available, refused.indices)
    func refusedAlike(_ backend: Backend, place: Int) async throws {
        let (act, code) = Self.refused[place]
        try await Setting.with(backend) { client, setting in
            let before = try await Tables(setting.world.world.database)
            let rehearsal = try await call(act, client, setting, rehearses: true)
            #expect(try await setting.changes(since: before) == [])
            let reply = try await call(act, client, setting, rehearses: false)
            #expect(rehearsal.status == reply.status)
            #expect(rehearsal.body == reply.body)
            #expect(reply.complaint == code)
        }
    }

    @Test(
        "What the bank would decline is refused as by the call, and the bank is not asked",
        arguments: Backend.available)
    func declined(_ backend: Backend) async throws {
        try await Setting.with(backend) { client, setting in
            let set = try await client.ours(
                .put, "/connect/v1/customers/ada/payment-method",
                #"{"behaviour":"decline","count":1}"#)
            #expect(set.status < 300)
            let before = try await Tables(setting.world.world.database)
            for act in [
                Act.purchase(#"{"productId":"coins"}"#), .change(#"{"productId":"gold.monthly"}"#),
            ] {
                for _ in 1...2 {
                    let reply = try await call(act, client, setting, rehearses: true)
                    #expect(reply.status == 402, "\(reply.text)")
                    #expect(reply.complaint == "paymentDeclined")
                }
            }
            #expect(try await setting.changes(since: before) == [])
            let coins = Act.purchase(#"{"productId":"coins"}"#)
            #expect(try await call(coins, client, setting, rehearses: false).status == 402)
            #expect(try await call(coins, client, setting, rehearses: false).status == 200)
        }
    }

    @Test(
        "What is refused a second time is refused in a rehearsal too", arguments: Backend.available)
    func twice(_ backend: Backend) async throws {
        try await Setting.with(backend) { client, setting in
            let refund = Act.connect("{}") { "transactions/\($0.newest)/refund" }
            #expect(try await call(refund, client, setting, rehearses: false).status == 200)
            let again = try await call(refund, client, setting, rehearses: true)
            #expect(again.status == 409)
            #expect(again.complaint == "alreadyRevoked")
            let expire = Act.connect(nil) { "subscriptions/\($0.id)/expire" }
            let over = try await call(expire, client, setting, rehearses: true)
            #expect(over.complaint == "notActive")
        }
    }

    @Test(
        "What concerns many can be rehearsed too, and changes nothing",
        arguments: Backend.available)
    func ofMany(_ backend: Backend) async throws {
        try await Setting.with(backend) { client, setting in
            let before = try await Tables(setting.world.world.database)
            let field = try #require(HTTPField.Name("Rehearse"))
            let app = "/connect/v1/apps/com.example.app"
            let product = "\(app)/products/silver.monthly"
            for (method, path, body, events) in [
                (
                    .post, "\(app)/mass-extensions", #"{"productId":"silver.monthly","days":7}"#,
                    ["orderedMassExtension", "wasExtended", "completedMassExtension"]
                ),
                (
                    .put, "\(product)/price-changes/USA",
                    #"{"price":12990,"existing":"apply"}"#, ["scheduledPrice", "priceWasChanged"]
                ),
                (.put, "\(product)/availability", #"{"forSale":false}"#, nil),
                (.patch, app, #"{"pendingRenewalDays":9}"#, ["configuredApp"]),
                (
                    .post, "\(product)/offers",
                    #"{"type":"PROMOTIONAL","id":"spring","mode":"FREE_TRIAL","period":"P1M"}"#,
                    ["createdOffer"]
                ),
                (.post, "/connect/v1/faults", #"{"kind":"dropNotifications"}"#, ["addedFault"]),
                (
                    .put, "/connect/v1/customers/ada/payment-method",
                    #"{"behaviour":"decline"}"#, nil
                ),
            ] as [(HTTPRequest.Method, String, String, [String]?)] {
                let reply = try await client.ours(
                    method, path, body, as: .operatorToken, [field: "true"])
                #expect(reply.status == 200, "\(path): \(reply.text)")
                let told = reply["entries"]?.array?.compactMap { $0["event"]?.string }
                #expect(told != nil && (events == nil || told == events), "\(reply.text)")
                #expect(try await setting.changes(since: before) == [], "\(path)")
            }
            let refused = try await client.ours(
                .put, "\(product)/price-changes/USA", #"{"price":12990}"#, as: .operatorToken,
                [field: "true"])
            #expect(refused.status == 400 && refused.complaint == "invalidSetting")
        }
    }

    @Test("What cannot be rehearsed is refused instead of done", arguments: Backend.available)
    func notRehearsable(_ backend: Backend) async throws {
        try await Setting.with(backend) { client, setting in
            let before = try await Tables(setting.world.world.database)
            let field = try #require(HTTPField.Name("Rehearse"))
            var count = 0
            for endpoint in StoreRoutes(.production).endpoints {
                let description = endpoint.description
                let isOurs = ["connect", "storefront"].contains(endpoint.surface.root)
                guard isOurs, endpoint.method != .get,
                    !description.parameters.contains(where: { $0.name == "Rehearse" })
                else { continue }
                count += 1
                let path = endpoint.path.replacing(#/\{[^}]*\}/#) { _ in "1" }
                for value in ["true", "false", ""] {
                    let reply = try await client.ours(
                        endpoint.method, path, "{}",
                        as: description.access == .device
                            ? .bearer(setting.token) : .operatorToken, [field: value])
                    #expect(reply.status == 400, "\(endpoint.name)")
                    #expect(reply.complaint == "notRehearsable", "\(endpoint.name)")
                    #expect(reply["field"]?.string == "Rehearse")
                }
            }
            #expect(count > 25)
            let advance = try await client.send(
                .post, "/connect/v1/clock/advance", #"{"by":"P1M"}"#, [field: "true"])
            #expect(advance.status == 401)
            #expect(try await setting.changes(since: before) == [])
        }
    }

    @Test("What only reads does nothing anyway, and a rehearsal is asked for with `true` alone")
    func otherValues() async throws {
        try await Setting.with(.sqlite) { client, setting in
            let field = try #require(HTTPField.Name("Rehearse"))
            for value in ["true", "false"] {
                let reply = try await client.ours(
                    .get, "/connect/v1/clock", nil, as: .operatorToken, [field: value])
                #expect(reply.status == 200)
            }
            let before = try await Tables(setting.world.world.database)
            for value in ["false", "TRUE", "1", ""] {
                let reply = try await client.ours(
                    .post, "/connect/v1/subscriptions/\(setting.id)/expire", nil,
                    as: .operatorToken, [field: value])
                #expect(reply.status == 400)
                #expect(reply.complaint == "invalidMember")
            }
            #expect(try await setting.changes(since: before) == [])
        }
    }
}

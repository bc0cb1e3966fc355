import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Families over HTTP")
struct FamilyHTTPTests {
    private static let connect = "/connect/v1"
    private static let storefront = "/storefront/v1"

    private func world(_ backend: Backend = .sqlite) async throws -> HTTPWorld {
        try await HTTPWorld(backend, catalogue: FamilyCatalogue.all, isListening: false)
    }

    /// What somebody has: as the engine's stories say it.
    private static func has(_ client: Client, _ token: String) async throws -> [String] {
        let reply = try await client.ours(
            .get, "\(storefront)/entitlements", as: .bearer(token))
        return try await (reply["entitlements"]?.array ?? []).asyncMap { one in
            let signed = try #require(one["signedTransactionInfo"]?.string)
            let payload = try await client.verifier().verifyTransaction(signed)
            return payload.productId
                + (payload.inAppOwnershipType == .familyShared ? "*" : "")
        }.sorted()
    }

    /// The subscription that somebody bought.
    private static func subscription(_ client: Client, _ token: String) async throws -> String {
        let reply = try await client.ours(
            .get, "\(storefront)/subscriptions", as: .bearer(token))
        let own = reply["subscriptions"]?.array?.first { $0["familyShared"] == .bool(false) }
        return try #require(own?["originalTransactionId"]?.string, "\(reply.text)")
    }

    private static func family(_ client: Client) async throws -> String {
        let reply = try await client.ours(.get, "\(connect)/families")
        let id = try #require(reply["families"]?.array?.first?["id"]?.integer)
        return "\(connect)/families/\(id)"
    }

    private static func play(
        _ act: FamilyOfSix.Act, _ tokens: [String: String], _ client: Client
    ) async throws {
        func token(_ name: String) -> Client.Credential { .bearer(tokens[name] ?? "") }
        func change(_ name: String, _ body: String) async throws -> Reply {
            let id = try await subscription(client, tokens[name] ?? "")
            return try await client.ours(
                .patch, "\(storefront)/subscriptions/\(id)", body, as: token(name))
        }
        let reply: Reply
        switch act {
        case .creates(let organiser, let others):
            let body =
                #"{"organiser":"\#(organiser)","members":["#
                + others.map { "\"\($0)\"" }.joined(
                    separator: ",") + "]}"
            reply = try await client.ours(.post, "\(connect)/families", body)
            #expect(reply.status == 201)
        case .buys(let name, let product):
            try await client.buy(product, as: tokens[name] ?? "")
            return
        case .joins(let name):
            reply = try await client.ours(
                .post, "\(family(client))/members", #"{"account":"\#(name)"}"#)
        case .leaves(let name):
            reply = try await client.ours(.delete, "\(storefront)/family", as: token(name))
        case .isRemoved(let name):
            reply = try await client.ours(.delete, "\(family(client))/members/\(name)")
        case .chooses(let name, let product):
            reply = try await change(name, #"{"productId":"\#(product)"}"#)
        case .isRefunded(let name):
            let id = try await subscription(client, tokens[name] ?? "")
            reply = try await client.ours(
                .post, "\(connect)/subscriptions/\(id)/cancel", #"{"extent":"prorated"}"#)
        case .turnsRenewalOff(let name):
            reply = try await change(name, #"{"autoRenew":false}"#)
        case .shares(let name, let isOn):
            let id = try await subscription(client, tokens[name] ?? "")
            reply = try await client.ours(
                .put, "\(storefront)/transactions/\(id)/sharing",
                #"{"sharing":"\#(isOn ? "on" : "off")"}"#, as: token(name))
        case .endsFamily:
            reply = try await client.ours(.delete, family(client))
        }
        #expect((200..<300).contains(reply.status), "\(act): \(reply.text)")
    }

    @Test("A family of six through two years, over HTTP", arguments: Backend.available)
    func sixPeople(_ backend: Backend) async throws {
        let world = try await world(backend)
        try await world.with { client in
            var tokens: [String: String] = [:]
            for name in FamilyOfSix.names { tokens[name] = try await client.signIn(name) }
            for day in FamilyOfSix.days {
                _ = try await client.ours(
                    .post, "\(Self.connect)/clock/advance",
                    #"{"to":"\#(day.date)T00:00:00Z"}"#)
                for act in day.acts { try await Self.play(act, tokens, client) }
                for name in FamilyOfSix.names {
                    let found = try await Self.has(client, tokens[name] ?? "")
                    #expect(found == day.has[name], "\(day.date): \(name)")
                }
            }
        }
        try await world.world.check()
    }

    @Test(
        "A member's transactions are answered as theirs, and refused where they must be (FAM-7)"
    )
    func server() async throws {
        let world = try await world()
        try await world.with { client in
            let ada = try await client.signIn("ada")
            let bea = try await client.signIn("bea")
            try await Self.play(.creates("ada", with: ["bea"]), [:], client)
            let bought = try await client.buy("family.monthly", as: ada)
            let reply = try await client.ours(
                .get, "\(Self.storefront)/subscriptions", as: .bearer(bea))
            let shared = try #require(reply["subscriptions"]?.array?.first)
            #expect(shared["familyShared"] == .bool(true))
            let id = try #require(shared["originalTransactionId"]?.string)
            #expect(id != bought.originalTransactionId)

            let info = try await client.api(.get, "/v1/transactions/\(id)")
            let payload = try await client.verifier().verifyTransaction(
                try #require(info["signedTransactionInfo"]?.string))
            #expect(payload.inAppOwnershipType == .familyShared)
            #expect(payload.price == 0 && payload.appAccountToken == nil)
            #expect(payload.appTransactionId != bought.appTransactionId)
            #expect(payload.expiresDate == bought.expiresDate)

            let status = try await client.api(.get, "/v1/subscriptions/\(id)")
            let group = try #require(status["data"]?.array?.first)
            #expect(
                group["lastTransactions"]?.array?.map { $0["originalTransactionId"]?.string }
                    == [id])
            let order = try #require(
                try await client.ours(
                    .get, "\(Self.storefront)/transactions", as: .bearer(bea))["transactions"]?
                    .array?.first?["orderId"]?.string)
            #expect(try await client.api(.get, "/v1/lookup/\(order)")["status"] == .integer(0))

            let extending = #"{"extendByDays":5,"extendReasonCode":1,"requestIdentifier":"one"}"#
            expect(
                try await client.api(.put, "/v1/subscriptions/extend/\(id)", extending),
                .familySharedSubscriptionExtensionIneligible)
            expect(
                try await client.api(
                    .put, "/v1/transactions/\(id)/appAccountToken",
                    #"{"appAccountToken":"7e3fb204-2d3b-4b4c-9f3e-1234567890ab"}"#),
                .familyTransactionNotSupported)
            let consumption = """
                {"customerConsented":true,"deliveryStatus":"DELIVERED",\
                "sampleContentProvided":true}
                """
            expect(
                try await client.api(
                    .put, "/v2/transactions/consumption/\(id)", consumption),
                .familyTransactionNotSupported)
            let managed = try await client.ours(
                .patch, "\(Self.storefront)/subscriptions/\(id)", #"{"autoRenew":false}"#,
                as: .bearer(bea))
            #expect(managed.status == 409 && managed.complaint == "familyShared")
            let asked = try await client.ours(
                .post, "\(Self.storefront)/transactions/\(id)/refund-request",
                #"{"reason":"OTHER"}"#, as: .bearer(bea))
            #expect(asked.status == 409 && asked.complaint == "familyShared", "\(asked.text)")
        }
    }

    @Test("Families come in pages, and each says who has what")
    func pages() async throws {
        let world = try await world()
        try await world.with { client in
            for name in ["a", "b", "c", "d"] { _ = try await client.signIn(name) }
            let ada = try await client.signIn("ada")
            for name in ["a", "b", "ada"] {
                try await Self.play(.creates(name, with: []), [:], client)
            }
            let first = try await client.ours(.get, "\(Self.connect)/families?limit=2")
            #expect(first["hasMore"] == .bool(true))
            let last = try #require(first["families"]?.array?.last?["id"]?.integer)
            let rest = try await client.ours(
                .get, "\(Self.connect)/families?limit=2&after=\(last)")
            let members = rest["families"]?.array?.first?["members"]?.array
            #expect(members?.first?["account"] == .string("ada"))
            #expect(rest["families"]?.array?.count == 1)
            let found = try await client.ours(.get, "\(Self.connect)/families?account=b")
            #expect(found["families"]?.array?.count == 1)
            let none = try await client.ours(.get, "\(Self.connect)/families?account=d")
            #expect(none["families"] == .array([]))
            let bought = try await client.buy("lifetime", as: ada)
            let id = try #require(rest["families"]?.array?.first?["id"]?.integer)
            _ = try await client.ours(
                .post, "\(Self.connect)/families/\(id)/members", #"{"account":"d"}"#)
            let family = try await client.ours(.get, "\(Self.connect)/families/\(id)")
            let purchase = try #require(family["purchases"]?.array?.first)
            #expect(purchase["shared"] == .bool(true))
            #expect(purchase["sharedWith"]?.array?.first?["account"] == .string("d"))

            let own = try await client.ours(
                .patch, "\(Self.storefront)/family", #"{"sharesNewPurchases":false}"#,
                as: .bearer(ada))
            #expect(own["sharesNewPurchases"] == .bool(false))
            let hidden = try await client.ours(
                .put,
                "\(Self.connect)/transactions/\(bought.originalTransactionId)/sharing",
                #"{"sharing":"hidden"}"#)
            #expect(hidden.status == 204)
            let after = try await client.ours(
                .get, "\(Self.storefront)/family", as: .bearer(ada))
            let kept = try #require(after["purchases"]?.array?.first)
            #expect(kept["shared"] == .bool(false) && kept["sharedWith"] == .array([]))
            let account = try await client.ours(
                .patch, "\(Self.connect)/customers/ada", #"{"sharesNewPurchases":true}"#)
            #expect(account["sharesNewPurchases"] == .bool(true))
        }
    }

    @Test("What cannot be is refused by its code, and can be asked about beforehand")
    func refusals() async throws {
        let world = try await world()
        try await world.with { client in
            for name in ["a", "b", "c", "d", "e", "f", "g"] { _ = try await client.signIn(name) }
            let families = "\(Self.connect)/families"
            try await Self.play(
                .creates("a", with: ["b", "c", "d", "e", "f"]), [:], client)
            let family = try await Self.family(client)
            let before = try await world.everything()
            for (method, uri, body, status, code) in [
                (
                    HTTPRequest.Method.post, "\(family)/members", #"{"account":"g"}"#, 409,
                    "familyIsFull"
                ),
                (.post, families, #"{"organiser":"b"}"#, 409, "inFamily"),
                (.post, families, #"{"organiser":"z"}"#, 404, "unknownAccount"),
                (.delete, "\(family)/members/a", nil, 409, "isOrganiser"),
                (.delete, "\(family)/members/g", nil, 409, "notInFamily"),
                (.delete, "\(family)/members/z", nil, 404, "unknownAccount"),
                (.delete, "\(families)/7", nil, 404, "unknownFamily"),
                (.get, "\(families)/none", nil, 404, "unknownFamily"),
                (
                    .put, "\(Self.connect)/transactions/7/sharing", #"{"sharing":"on"}"#, 404,
                    "unknownSubscription"
                ),
                (
                    .put, "\(Self.connect)/transactions/7/sharing", #"{"sharing":"maybe"}"#, 400,
                    "invalidMember"
                ),
            ] as [(HTTPRequest.Method, String, String?, Int, String)] {
                let reply = try await client.ours(method, uri, body)
                #expect(reply.status == status, "\(uri): \(reply.text)")
                #expect(reply.complaint == code, "\(uri): \(reply.text)")
            }
            #expect(try await world.everything() == before)
            let rehearsed = try await client.ours(
                .delete, family, fields: HTTPFields().adding(.rehearse, "true"))
            let names = rehearsed["entries"]?.array?.map { $0["event"]?.string }
            #expect(names?.contains("endedFamily") == true, "\(rehearsed.text)")
            #expect(try await world.everything() == before)
            let alone = try await client.signIn("g")
            let left = try await client.ours(
                .delete, "\(Self.storefront)/family", as: .bearer(alone))
            #expect(left.status == 409 && left.complaint == "notInFamily")
        }
    }
}

extension HTTPField.Name {
    fileprivate static let rehearse = HTTPField.Name("Rehearse")!
}

extension Client {
    fileprivate func ours(
        _ method: HTTPRequest.Method, _ uri: String, fields: HTTPFields
    ) async throws -> Reply {
        try await send(method, uri, nil, as: .operatorToken, fields)
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var all: [T] = []
        for element in self { all.append(try await transform(element)) }
        return all
    }
}

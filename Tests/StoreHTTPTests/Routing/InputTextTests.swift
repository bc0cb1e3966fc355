import AppStoreWire
import HTTPSurface
import HTTPTypes
import Store
import SubscriptionRules
import TestSupport
import Testing

@testable import StoreHTTP

/// NUL, and whatever else no database, log or terminal is better for.
@Suite("Texts in requests")
struct InputTextTests {
    private static let wrong = ["a\u{0}b", "\u{0}", "a\nb", "\u{1B}[2J", "a\u{7F}", "a\u{85}b"]

    @Test("No text of any operation may hold a control character")
    func everyText() {
        var count = 0
        func expectRefused(_ schema: Schema, _ field: String) {
            switch schema.kind {
            case .text, .choice:
                count += 1
                for text in Self.wrong where !(text == "a\nb" && schema.hasLines) {
                    #expect(throws: ErrorBody.self, "\(field)") {
                        try schema.check(.string(text), field: field)
                    }
                }
            case .list(let element, _), .map(let element): expectRefused(element, field)
            case .integer, .numbers, .boolean, .affirmation, .object, .variants, .named, .anything:
                break
            }
        }
        for endpoint in StoreRoutes.all {
            let description = endpoint.description
            for parameter in description.parameters where parameter.place != .path {
                expectRefused(parameter.schema, parameter.name)
            }
            guard case .members(let schema) = description.body else { continue }
            let members =
                switch schema.kind {
                case .object(let members): members.all
                case .variants(let variants): variants.all
                default: [Schema.Member]()
                }
            #expect(!members.isEmpty, "\(endpoint.name)")
            for member in members {
                expectRefused(member.schema, "\(endpoint.name).\(member.name)")
            }
        }
        #expect(count > 50)
    }

    @Test("Only a key in PEM has lines")
    func lines() {
        let withLines = StoreRoutes.all.flatMap { endpoint -> [String] in
            guard case .members(let schema) = endpoint.description.body,
                case .object(let members) = schema.kind
            else { return [] }
            return members.all.filter { $0.schema.hasLines }.map { "\(endpoint.name).\($0.name)" }
        }
        #expect(withLines == ["addKey.publicKey"])
    }

    @Test("One in a path or in the App Store Server API finds nothing and breaks nothing")
    func paths() async throws {
        let world = try await HTTPWorld()
        let before = try await world.everything()
        try await world.with { client in
            for nul in ["%00", "a%00b", "%0A", "%C2%85"] {
                for path in [
                    "/connect/v1/apps/\(nul)", "/connect/v1/apps/\(nul)/catalogue",
                    "/connect/v1/customers/\(nul)",
                    "/connect/v1/subscriptions/\(nul)/timeline",
                ] {
                    let reply = try await client.ours(.get, path)
                    #expect((400..<500).contains(reply.status), "\(path) \(reply.text)")
                }
                let price = try await client.ours(
                    .put, "/connect/v1/apps/com.example.app/products/\(nul)/prices/USA",
                    #"{"price":990}"#)
                #expect(price.complaint == "unknownProduct")
                for path in [
                    "/v2/history/1?productId=\(nul)", "/v1/transactions/\(nul)",
                    "/v2/history/1?subscriptionGroupIdentifier=\(nul)",
                    "/v2/history/1?revision=\(nul)", "/v1/lookup/\(nul)",
                    "/v1/notifications/test/\(nul)", "/v2/refund/lookup/1?revision=\(nul)",
                    "/v1/subscriptions/extend/mass/\(nul)/\(nul)",
                ] {
                    let reply = try await client.api(.get, path)
                    #expect((400..<500).contains(reply.status), "\(path) \(reply.text)")
                }
            }
            for member in ["notificationType", "notificationSubtype", "transactionId"] {
                let reply = try await client.api(
                    .post, "/v1/notifications/history",
                    #"{"startDate":1767225600000,"endDate":1767225700000,"\#(member)":"a\u0000"}"#)
                #expect((400..<500).contains(reply.status), "\(member) \(reply.text)")
            }
        }
        #expect(try await world.everything() == before)
    }

    @Test("A catalogue with one is refused with its place, and so is one that reads like another")
    func catalogue() async throws {
        let world = try await HTTPWorld()
        let path = "/connect/v1/apps/\(World.bundleID)/catalogue"
        @Sendable func file(_ id: String) -> String {
            #"{"products":[{"productID":"\#(id)","type":"Consumable","displayPrice":"0.99"}]}"#
        }
        try await world.with { client in
            let first = try await client.ours(.put, path, file("caf\u{E9}"))
            #expect(first.status == 200)
        }
        let before = try await world.everything()
        try await world.with { client in
            for id in [#"a\u0000"#, #"a\n"#, String(repeating: "x", count: 3000)] {
                let reply = try await client.ours(.put, path, file(id))
                #expect(reply.status == 400)
                #expect(reply.complaint == "invalidCatalogue")
                let place = reply["findings"]?.array?.first?["path"]
                #expect(place == .string("$.products[0].productID"))
            }
            let alike = try await client.ours(.put, path, file("cafe\u{301}"))
            #expect(alike.status == 400)
            #expect(alike.complaint == "invalidSetting")
        }
        #expect(try await world.everything() == before)
    }
}

extension Schema {
    /// Whether a text of it may have several lines.
    fileprivate var hasLines: Bool {
        guard case .text(_, let format) = kind else { return false }
        return format.pattern == Format.lines.pattern
    }
}

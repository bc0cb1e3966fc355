import AppStoreWire
import HTTPTypes
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@Suite("Numbers of family members, for the operator")
struct MemberNumberTests {
    private static let connect = "/connect/v1"

    /// A world in which bea has by her family what ada bought, and the numbers of both.
    private func with(
        _ backend: Backend,
        _ body: @escaping @Sendable (Client, _ ada: String, _ bea: String) async throws -> Void
    ) async throws {
        let world = try await HTTPWorld(backend, catalogue: FamilyCatalogue.all)
        try await world.with { client in
            let ada = try await client.signIn("ada")
            let bea = try await client.signIn("bea")
            let family = try await client.ours(
                .post, "\(Self.connect)/families", #"{"organiser":"ada","members":["bea"]}"#)
            #expect(family.status == 201, "\(family.text)")
            let bought = try await client.buy("family.monthly", as: ada)
            let own = try await client.ours(
                .get, "/storefront/v1/subscriptions", as: .bearer(bea))
            let id = try #require(
                own["subscriptions"]?.array?.first?["originalTransactionId"]?.string)
            try await body(client, bought.originalTransactionId, id)
        }
    }

    @Test(
        "They lead to the purchaser's subscription and its life, and say whose they are",
        arguments: Backend.available)
    func subscription(_ backend: Backend) async throws {
        try await with(backend) { client, ada, bea in
            let path = "\(Self.connect)/subscriptions"
            let seen = try await client.ours(.get, "\(path)/\(bea)")
            #expect(seen["originalTransactionId"] == .string(ada), "\(seen.text)")
            #expect(seen["account"] == .string("ada"))
            #expect(seen["share"]?["account"] == .string("bea"))
            #expect(seen["share"]?["originalTransactionId"] == .string(bea))
            #expect(seen["share"]?["since"] == .string("2026-01-01T00:00:00Z"))
            #expect(seen["share"]?["ended"] == nil)
            #expect(try await client.ours(.get, "\(path)/\(ada)")["share"] == nil)

            let life = try await client.ours(.get, "\(path)/\(bea)/timeline")
            #expect(life["subscription"]?["share"]?["account"] == .string("bea"))
            let purchasers = try await client.ours(.get, "\(path)/\(ada)/timeline")
            #expect(life["entries"] == purchasers["entries"])
            #expect(life["entries"]?.array?.isEmpty == false)

            let families = try await client.ours(.get, "\(Self.connect)/families")
            let family = try #require(families["families"]?.array?.first?["id"]?.integer)
            let left = try await client.ours(
                .delete, "\(Self.connect)/families/\(family)/members/bea")
            #expect(left.status < 300, "\(left.text)")
            let over = try await client.ours(.get, "\(path)/\(bea)")
            #expect(over["share"]?["ended"] == .string("2026-01-01T00:00:00Z"))

            // Nobody ends or extends the purchaser's by a member's number (FAM-7).
            let before = try await Tables(client.world.world.database)
            let ended = try await client.ours(.post, "\(path)/\(bea)/expire")
            #expect(ended.complaint == "unknownSubscription")
            #expect(try await Tables(client.world.world.database) == before)
            #expect(
                try await client.ours(.get, "\(path)/9").complaint == "unknownSubscription")
        }
    }

    @Test(
        "They find the member's notifications, and in a search the purchaser",
        arguments: Backend.available)
    func others(_ backend: Backend) async throws {
        try await with(backend) { client, ada, bea in
            func accounts(_ id: String) async throws -> [String?] {
                try await client.ours(
                    .get, "\(Self.connect)/notifications?originalTransactionId=\(id)")[
                        "notifications"]?.array?.map { $0["account"]?.string } ?? []
            }
            #expect(try await accounts(bea) == ["bea"])
            #expect(try await accounts(ada) == ["ada"])
            let found = try await client.ours(.get, "\(Self.connect)/search?q=\(bea)")
            let match = try #require(found["matches"]?.array?.first)
            #expect(match["account"] == .string("bea"))
            #expect(match["purchaser"] == .string("ada"))
            #expect(match["originalTransactionId"] == .string(ada))
            let own = try await client.ours(.get, "\(Self.connect)/search?q=\(ada)")
            #expect(own["matches"]?.array?.first?["purchaser"] == nil)
        }
    }
}

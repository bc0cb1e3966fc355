import AppStoreForgery
import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Store
import TestFloor
import TestSupport
import Testing

/// Every forgery that must be refused is, and changes nothing that anybody has (JWS-2).
@Suite("Merchant over HTTP: forgeries", .timeLimit(.minutes(15)))
struct MerchantForgeryTests {
    /// Ada's plan, bought and told, and what there is to forge of it.
    private func subscribed(_ client: Client) async throws -> ForgeryMaterial {
        let world = client.world
        _ = try await client.post(try #require(try await world.buy("silver.monthly")))
        _ = try await client.post(try #require(try await world.buy("coins", "bob")), as: "bob")
        try await client.deliver()
        let purchase = try #require(
            try await world.world.store.provenPurchase(nil, for: world.world.caller()))
        return ForgeryMaterial(
            transaction: purchase.transaction, renewalInfo: purchase.renewalInfo,
            status: purchase.status, appTransaction: purchase.appTransaction,
            ofOther: purchase.ofOther, appAppleID: purchase.appAppleID, now: 1_767_225_600)
    }

    private static let forger: Forger = {
        var chance = SeededGenerator(seed: 1)
        return Forger(chain: World.chain, key: APIKey.generate(using: &chance))
    }()

    /// A text of a kind, with a UUID of its own.
    private func forge(_ kind: ForgeryKind, of material: ForgeryMaterial) throws -> String {
        let seed = kind.name.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
        var chance = SeededGenerator(seed: seed)
        return try Self.forger.make(kind, of: material, using: &chance).text
    }

    @Test("No forged notification changes anything", arguments: Backend.available)
    func notifications(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let material = try await subscribed(client)
            let before = try await world.tables(besides: ["inbox"])
            let inbox = try await world.tables().counts["inbox"] ?? 0
            var setAside = 0
            let kinds = ForgeryKind.all.filter { $0.about == .notification && $0.mustBeRefused }
            #expect(kinds.count >= 40)
            for kind in kinds {
                // A merchant takes both environments, each apart: this is one of Sandbox, whose
                // transaction is none.
                if kind.fault == "wrong-environment" { continue }
                let reply = try await client.notify(try forge(kind, of: material))
                switch kind.answer {
                case .signedData(.wrongBundle), .signedData(.wrongAppAppleID),
                    .signedData(.wrongEnvironment):
                    // The store has signed it, for somebody else.
                    #expect(reply.summary == "200 setAside", "\(kind.name)")
                    setAside += 1
                case .signedData(.tooLarge):
                    #expect([400, 413].contains(reply.status), "\(kind.name)")
                default: #expect(reply.summary == "400 notVerified", "\(kind.name)")
                }
            }
            #expect(try await world.tables(besides: ["inbox"]) == before)
            #expect(try await world.tables().counts["inbox"] == inbox + setAside)
        }
    }

    @Test("No forged transaction gives anybody anything", arguments: Backend.available)
    func transactions(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let material = try await subscribed(client)
            let before = try await world.tables()
            let kinds = ForgeryKind.all.filter { $0.about == .transaction && $0.mustBeRefused }
            #expect(kinds.count >= 40)
            for kind in kinds where kind.fault != "wrong-environment" {
                let reply = try await client.post(
                    try forge(kind, of: material), as: "mallory", restoring: true)
                let good = ["400 notVerified", "400 invalidMember", "413 bodyTooLarge"]
                #expect(good.contains(reply.summary), "\(kind.name): \(reply.text)")
            }
            #expect(try await world.tables() == before)
            // What Sandbox has signed gives nothing in Production.
            let sandbox = try #require(ForgeryKind.named("transaction-wrong-environment"))
            let reply = try await client.post(
                try forge(sandbox, of: material), as: "mallory", restoring: true)
            #expect(reply.status == 200)
            let environments = (reply["entitlements"]?.array ?? []).map { $0["environment"] }
            #expect(environments == [.string("Sandbox")])
            #expect(
                try await client.customer().entitlements == [
                    "club active until 2026-02-01T00:00:00Z"
                ])
        }
    }

    @Test(
        "What is right outside and wrong inside is a dead letter, and stays one",
        arguments: Backend.available)
    func deadLetters(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let material = try await subscribed(client)
            let before = try await world.tables(besides: ["inbox"])
            let path = "/v1/operator/dead-letters"
            func letters(_ query: String = "") async throws -> Reply {
                try await client.send(.get, path + query, token: MerchantHTTPWorld.theOperator)
            }
            #expect(try await letters()["deadLetters"] == .array([]))
            let faults = [
                "inner-transaction-forged", "inner-transaction-of-another-app",
                "inner-renewal-info-forged",
            ]
            var results: [String] = []
            for fault in faults + ["wrong-bundle"] {
                let kind = try #require(ForgeryKind.named("notification-\(fault)"))
                results.append(try await client.notify(try forge(kind, of: material)).summary)
            }
            #expect(results == ["200 kept", "200 kept", "200 kept", "200 setAside"])
            let all = try #require(try await letters()["deadLetters"]?.array)
            #expect(all.count == 4)
            #expect(all.allSatisfy { $0["problem"]?.string?.isEmpty == false })
            let page = try await letters("?limit=1")
            #expect(page["deadLetters"]?.array == Array(all.prefix(1)))
            #expect(page["hasMore"] == .bool(true))
            // The newest is the one that was set aside, which is never processed.
            for (index, letter) in all.enumerated() {
                let id = try #require(letter["id"]?.integer)
                let reply = try await client.send(
                    .post, "\(path)/\(id)/replay", token: MerchantHTTPWorld.theOperator)
                guard index > 0 else {
                    #expect(reply.summary == "409 setAside")
                    continue
                }
                for member in ["id", "state", "problem"] {
                    #expect(reply[member] == letter[member])
                }
            }
            let unknown = try await client.send(
                .post, "\(path)/999/replay", token: MerchantHTTPWorld.theOperator)
            #expect(unknown.summary == "404 unknownDeadLetter")
            #expect(try await letters()["deadLetters"]?.array == all)
            #expect(try await world.tables(besides: ["inbox"]) == before)
        }
    }
}

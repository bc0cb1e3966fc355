import AppStoreSigning
import AppStoreWire
import Merchant
import Store
import TestFloor
import TestSupport
import Testing

/// Signed data with a right signature that the tables cannot hold.
@Suite("Merchant: data that cannot be stored", .timeLimit(.minutes(15)))
struct UnstorableStories {
    /// A member of a signed transaction, and what it says.
    private static let wrong: [(member: String, value: JSONValue)] = [
        ("purchaseDate", .integer(-1)), ("purchaseDate", .integer(1_000_000_000_000_000)),
        ("purchaseDate", .integer(.max)), ("expiresDate", .integer(1_000_000_000_000_000)),
        ("revocationDate", .integer(-1)), ("quantity", .integer(0)), ("quantity", .integer(-3)),
        ("quantity", .integer(.max)), ("transactionId", .string("")),
        ("originalTransactionId", .string("")), ("productId", .string("gold\u{0}monthly")),
    ]

    private static let signer = JWSSigner(chain: World.chain)

    /// The same text, saying something else.
    private func altered(
        _ signed: String, _ member: String, _ value: JSONValue
    ) throws -> String {
        var members = try JWSText.members(signed)
        members[member] = value
        return try Self.signer.sign(JSONValue.object(members))
    }

    private func purchase(_ world: MerchantWorld) async throws -> String {
        try #require(
            try await world.world.store.purchase(
                PurchaseRequest(productID: "gold.monthly"), by: try await world.world.device()))
    }

    @Test(
        "An app that sends data that cannot be stored is refused, and its account still answers",
        arguments: Backend.available)
    func app(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await purchase(world)
        for (member, value) in Self.wrong {
            let text = try altered(signed, member, value)
            let refusal = try await MerchantWorld.refusal {
                _ = try await world.merchant.take(
                    transaction: text, from: "ada", of: World.bundleID)
            }
            #expect(refusal == .intake(.unstorable), "\(member) \(value)")
            #expect(
                try await world.merchant.customer("ada", of: World.bundleID).version == 0,
                "\(member) \(value)")
        }
        let ada = try await world.merchant.take(
            transaction: signed, from: "ada", of: World.bundleID)
        #expect(ada.lines == ["club active until 2026-02-01"])
    }

    @Test(
        "A notification that cannot be stored becomes a dead letter, and blocks no other",
        arguments: Backend.available)
    func notifications(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await purchase(world)
        _ = try await world.merchant.take(transaction: signed, from: "ada", of: World.bundleID)
        try await world.world.store.settle()
        let arrival = try #require(world.world.listener.takeArrivals().first)
        for (index, (member, value)) in Self.wrong.enumerated() {
            var outer = try JWSText.members(arrival.signedPayload)
            var data = try #require(outer["data"]?.object)
            data["signedTransactionInfo"] = .string(try altered(signed, member, value))
            outer["data"] = .object(data)
            outer["notificationUUID"] = .string("00000000-0000-4000-8000-0000000000\(10 + index)")
            let letter = try Self.signer.sign(JSONValue.object(outer))
            #expect(try await world.merchant.receive(letter, for: World.bundleID) == .kept)
        }
        try await world.receive(arrival)
        try await world.merchant.settle()
        let dead = try await world.merchant.deadLetters(limit: 50)
        #expect(dead.count == Self.wrong.count)
        #expect(dead.allSatisfy { $0.problem?.isEmpty == false })
        #expect(try await world.access() == ["club active until 2026-02-01 renews"])
    }

    @Test(
        "An app transaction whose date cannot be stored is refused", arguments: Backend.available)
    func appTransaction(_ backend: Backend) async throws {
        let world = try await MerchantWorld(backend)
        let signed = try await world.world.store.appTransaction(for: try await world.world.device())
        for date: Int64 in [-1, 1_000_000_000_000_000] {
            let text = try altered(signed, "originalPurchaseDate", .integer(date))
            let refusal = try await MerchantWorld.refusal {
                _ = try await world.merchant.take(
                    .signedAppTransaction(text), from: "ada", of: World.bundleID)
            }
            #expect(refusal == .intake(.unstorable), "\(date)")
        }
        #expect(try await world.merchant.customer("ada", of: World.bundleID).version == 0)
    }
}

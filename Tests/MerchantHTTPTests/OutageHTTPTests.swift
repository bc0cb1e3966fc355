import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Merchant
import MerchantHTTP
import TestFloor
import TestSupport
import Testing

/// Outages over HTTP: what is refused, and how far one is.
@Suite("Merchant over HTTP: outages", .timeLimit(.minutes(15)))
struct OutageHTTPTests {
    private static let path = "/v1/operator/outages"

    private static func file(_ name: String = "outage", days: String = "3") -> String {
        """
        campaign: \(name)
        app: \(World.bundleID)
        kind: outage
        outage: {from: "2026-01-01T08:00:00Z", to: "2026-01-01T20:00:00Z"}
        products: [silver.monthly]
        days: \(days)
        """
    }

    private func start(_ file: String, _ client: Client) async throws -> Reply {
        var json = JSONWriter()
        json.object { $0.field("file", file) }
        return try await client.send(
            .post, Self.path, String(decoding: json.bytes, as: UTF8.self),
            token: MerchantHTTPWorld.theOperator)
    }

    private func read(_ path: String, _ client: Client) async throws -> Reply {
        try await client.send(
            .get, "\(Self.path)/\(World.bundleID)/\(path)", token: MerchantHTTPWorld.theOperator)
    }

    /// Gives the merchant an address of the store, which nobody asks in these tests.
    private func giveAddress(_ world: MerchantHTTPWorld) async throws {
        var chance = SeededGenerator(seed: 1)
        var setup = try AppSetup(
            bundleID: World.bundleID, appAppleID: World.appleID, rootDER: [World.chain.rootDER])
        setup.serverAPI = ServerAPI(
            urls: [.production: "http://127.0.0.1:9"], key: APIKey.generate(using: &chance))
        try await world.server.merchant.serve([setup])
    }

    @Test("What is no outage is refused, and nothing begins", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend, processesFirst: false)
        try await world.with { client in
            #expect(try await start(Self.file(), client).summary == "409 noServerAPI")
            try await giveAddress(world)
            let wrong = try await start(Self.file(days: "91"), client)
            #expect(wrong.summary == "400 invalidCampaign")
            #expect(try await start("", client).summary == "400 invalidMember")
            #expect(try await read("outage", client).summary == "404 unknownCampaign")
            #expect(try await read("outage/subscribers", client).summary == "404 unknownCampaign")
            let stranger = try await client.send(
                .get, "\(Self.path)/\(World.bundleID)/outage", token: MerchantHTTPWorld.developer)
            #expect(stranger.status == 403)
        }
    }

    @Test(
        "It is answered at once, says how far it is, and starts once", arguments: Backend.available)
    func started(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend, processesFirst: false)
        try await giveAddress(world)
        try await world.with { client in
            let begun = try await start(Self.file(), client)
            #expect(begun.status == 202)
            #expect(begun["campaign"] == .string("outage"))
            #expect(begun["state"] == .string("planned"))
            #expect(begun["audience"] == .integer(0))
            #expect(try await start(Self.file(), client).status == 202)
            let other = try await start(Self.file(days: "4"), client)
            #expect(other.summary == "409 campaignExists")
            #expect(try await read("outage", client)["state"] == .string("planned"))
            let all = try await read("outage/subscribers", client)
            #expect(all["subscribers"] == .array([]))
        }
    }
}

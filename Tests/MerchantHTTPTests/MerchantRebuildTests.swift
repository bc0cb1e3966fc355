import AppStoreSigning
import AppStoreWire
import HTTPTypes
import Merchant
import MerchantHTTP
import TestFloor
import TestSupport
import Testing

/// Rebuilds over HTTP: what is refused, and how far one is.
@Suite("Merchant over HTTP: rebuilds", .timeLimit(.minutes(15)))
struct MerchantRebuildTests {
    private static let path = "/v1/operator/rebuild"

    private func post(_ body: String, _ client: Client) async throws -> Reply {
        try await client.send(
            .post, Self.path, body, token: MerchantHTTPWorld.theOperator)
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

    @Test(
        "What is no list of transactions is refused, and nothing begins",
        arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend, processesFirst: false)
        try await world.with { client in
            let app = World.bundleID
            let without = try await post(#"{"bundleId":"\#(app)","lines":["1"]}"#, client)
            #expect(without.summary == "409 noServerAPI")
            try await giveAddress(world)
            let many = (0...10_000).map { "\"\($0)\"" }.joined(separator: ",")
            let cases = [
                ("{", "400 malformedJSON"), ("{}", "400 missingMember"),
                (#"{"bundleId":"\#(app)"}"#, "400 missingMember"),
                (#"{"bundleId":"\#(app)","lines":[]}"#, "400 invalidMember"),
                (#"{"bundleId":"\#(app)","lines":[1]}"#, "400 invalidMember"),
                (#"{"bundleId":"\#(app)","lines":["ada,"]}"#, "400 invalidLine"),
                (#"{"bundleId":"\#(app)","lines":[",1"]}"#, "400 invalidLine"),
                (#"{"bundleId":"\#(app)","lines":["a b"]}"#, "400 invalidLine"),
                (#"{"bundleId":"\#(app)","lines":[\#(many)]}"#, "400 invalidLine"),
                (
                    #"{"bundleId":"\#(app)","lines":["1"],"environment":"Sandbox"}"#,
                    "409 noServerAPI"
                ),
                (
                    #"{"bundleId":"\#(app)","lines":["1"],"environment":"Xcode"}"#,
                    "400 invalidMember"
                ),
                (#"{"bundleId":"com.example.other","lines":["1"]}"#, "404 unknownApp"),
            ]
            for (body, expected) in cases {
                let reply = try await post(body, client)
                #expect(reply.summary == expected, "\(body.prefix(80))")
            }
            for path in ["\(Self.path)/1", "\(Self.path)/1/failures"] {
                let reply = try await client.send(
                    .get, path, token: MerchantHTTPWorld.theOperator)
                #expect(reply.summary == "404 unknownRebuild")
            }
            let list = try await client.send(
                .get, Self.path, token: MerchantHTTPWorld.theOperator)
            #expect(list["rebuilds"] == .array([]))
        }
    }

    @Test("It is answered at once, and says how far it is", arguments: Backend.available)
    func begun(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend, processesFirst: false)
        try await world.with { client in
            try await giveAddress(world)
            let begun = try await post(
                #"{"bundleId":"\#(World.bundleID)","lines":["1","ada,2","a,b,3"]}"#, client)
            #expect(begun.status == 202, "\(begun.text)")
            #expect(begun["lines"]?.integer == 3)
            #expect(begun["read"]?.integer == 0)
            #expect(begun["environment"]?.string == "Production")
            #expect(begun["ended"] == nil)
            let id = try #require(begun["id"]?.integer)
            let one = try await client.send(
                .get, "\(Self.path)/\(id)", token: MerchantHTTPWorld.theOperator)
            #expect(one.text == begun.text)
            let failures = try await client.send(
                .get, "\(Self.path)/\(id)/failures", token: MerchantHTTPWorld.theOperator)
            #expect(failures["failures"] == .array([]))
            let list = try await client.send(
                .get, "\(Self.path)?limit=1", token: MerchantHTTPWorld.theOperator)
            #expect(list["rebuilds"]?.array?.count == 1)
            // The history as well: it waits for the keeper.
            let history = try await client.send(
                .post, "\(Self.path)/history", token: MerchantHTTPWorld.theOperator)
            #expect(history.status == 202)
            #expect(history["begun"]?.integer == 1)
            let gaps = try await client.send(
                .get, "/v1/operator/gaps", token: MerchantHTTPWorld.theOperator)
            let report = gaps["gaps"]?.array?.first
            #expect(report?["kind"]?.string == "history")
            #expect(report?["state"]?.string == "interrupted")
            #expect(report?["read"]?.integer == 0)
        }
    }
}

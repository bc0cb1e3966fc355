import AppStoreWire
import HTTPTypes
import Store
import TestFloor
import TestSupport
import Testing

/// Accounts over HTTP: whose a purchase is, claims, other names, export and erasure.
@Suite("Merchant over HTTP: accounts", .timeLimit(.minutes(15)))
struct MerchantAccountTests {
    private func original(_ signed: String) throws -> String {
        let bought: JWSTransactionDecodedPayload = try JWSText.decode(signed)
        return bought.originalTransactionId
    }

    private func server(
        _ client: Client, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
    ) async throws -> Reply {
        try await client.send(
            method, "\(Client.path)/\(path)", body, token: MerchantHTTPWorld.developer)
    }

    @Test(
        "The app's token is told whether an account has a purchase, and never whose it is else",
        arguments: Backend.available)
    func owner(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let signed = try #require(try await world.buy("silver.monthly"))
            let path = "purchases/\(try original(signed))/owner"
            let nobody = try await server(client, .get, path + "?account=ada")
            #expect(nobody["owner"] == .string("nobody"))
            #expect(nobody["post"] == .string("binds"))
            _ = try await client.post(signed)
            let app = try await client.send(
                .get, "\(Client.path)/\(path)?account=bea", token: MerchantHTTPWorld.app)
            #expect(app["owner"] == .string("another"))
            #expect(app["post"] == .string("ownedByAnother"))
            #expect(app["restore"] == .string("moves"))
            #expect(app["account"] == nil)
            #expect(!app.text.contains("ada"))
            let told = try await server(client, .get, path + "?account=bea&environment=Production")
            #expect(told["account"] == .string("ada"))
            let own = try await server(client, .get, path + "?account=ada")
            #expect(own["owner"] == .string("this"))
            #expect(own["post"] == .string("has"))
            for (query, refusal) in [
                ("", "400 missingMember"), ("?account=", "400 reservedAccount"),
                ("?account=null", "400 reservedAccount"),
                ("?account=a&environment=Xcode", "400 invalidMember"),
            ] {
                #expect(try await server(client, .get, path + query).summary == refusal)
            }
        }
    }

    @Test(
        "What nobody has is listed in pages, and given to an account once",
        arguments: Backend.available)
    func claims(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let signed = try #require(try await world.buy("silver.monthly"))
            _ = try await world.buy("lifetime")
            try await client.deliver()
            func free(_ query: String) async throws -> Reply {
                try await client.send(
                    .get, "/v1/operator/unowned\(query)", token: MerchantHTTPWorld.theOperator)
            }
            let page = try await free("?limit=1")
            #expect(page["count"] == .integer(2), "\(page.text)")
            #expect(page["countIsExact"] == .bool(true))
            #expect(page["hasMore"] == .bool(true))
            let last = try #require(page["purchases"]?.array?.first)
            #expect(last["productId"] == .string("lifetime"))
            let next = try await free("?before=\(try #require(last["id"]?.integer))")
            #expect(next["purchases"]?.array?.count == 1)
            #expect(next["hasMore"] == .bool(false))
            #expect(try await free("?productId=none")["count"] == .integer(0))
            #expect(try await free("?environment=Sandbox")["count"] == .integer(0))
            #expect(try await free("?bundleId=other").summary == "404 unknownApp")
            let path = "purchases/\(try original(signed))/claim"
            let claimed = try await server(client, .post, path, #"{"account":"ada"}"#)
            #expect(claimed.entitlements == ["club active until 2026-02-01T00:00:00Z"])
            let taken = try await server(client, .post, path, #"{"account":"bea"}"#)
            #expect(taken.summary == "409 ownedByAnother")
            #expect(!taken.text.contains("restore"), "\(taken.text)")
            let unknown = try await server(
                client, .post, "purchases/17/claim", #"{"account":"bea"}"#)
            #expect(unknown.summary == "404 unknownPurchase")
            let silent = try await server(
                client, .post, "claims", #"{"account":"ada","orderId":"M1"}"#)
            #expect(silent.summary == "409 noServerAPI")
        }
    }

    @Test(
        "A merged account answers to its old name, is exported by it and erased by it",
        arguments: Backend.available)
    func person(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        try await world.with { client in
            let signed = try #require(try await world.buy("silver.monthly"))
            _ = try await client.post(signed, as: "device-1")
            let merged = try await server(
                client, .post, "accounts/ada/aliases", #"{"alias":"device-1"}"#)
            #expect(merged["account"] == .string("ada"), "\(merged.text)")
            #expect(merged["purchases"]?.array?.first?["boundBy"] == .string("merge"))
            #expect(try await client.customer("device-1")["account"] == .string("ada"))
            let transfers = try await server(client, .get, "accounts/ada/transfers")
            #expect(
                transfers["transfers"]?.array?.compactMap { $0["kind"]?.string }
                    == ["merged", "merged", "bound"])
            let why = try await server(client, .get, "accounts/device-1/why")
            #expect(
                why["transfers"]?.array?.compactMap { $0["kind"]?.string } == ["merged", "merged"])
            let version = try #require(merged["version"]?.integer)
            let then = try await server(client, .get, "accounts/ada/versions/\(version)")
            #expect(then.entitlements == ["club active until 2026-02-01T00:00:00Z"])
            let future = try await server(client, .get, "accounts/ada/versions/\(version + 1)")
            #expect(future.summary == "404 unknownVersion")
            let export = try await server(client, .get, "accounts/device-1/export")
            let kept = export["purchases"]?.array?.first?["transactions"]?.array?.first
            #expect(kept?["signedText"] == .string(signed), "\(export.text)")
            #expect(export["aliases"]?.array?.first?["name"] == .string("device-1"))
            let merges = try await client.send(
                .get, "/v1/operator/audit?operation=addAlias", token: MerchantHTTPWorld.theOperator)
            let merge = merges["entries"]?.array?.first
            #expect(merge?["subject"] == .string("ada"), "\(merges.text)")
            #expect(merge?["otherName"] == .string("device-1"), "\(merges.text)")
            let mistaken = try await server(
                client, .post, "accounts/ada/aliases", #"{"alias":"undefined"}"#)
            #expect(mistaken.summary == "400 reservedAccount")
            let erased = try await server(client, .delete, "accounts/device-1")
            #expect(erased["names"] == .integer(2), "\(erased.text)")
            #expect(erased["purchases"] == .integer(1))
            for name in ["ada", "device-1"] {
                #expect(try await client.customer(name)["version"] == .integer(0))
            }
            for name in ["ada", "device-1", "never-heard-of"] {
                let nothing = try await server(client, .delete, "accounts/\(name)")
                #expect(nothing["names"] == .integer(0))
            }
            // However often a name is erased, the log does not have it.
            let log = try await client.send(
                .get, "/v1/operator/audit", token: MerchantHTTPWorld.theOperator)
            #expect(log["entries"]?.array?.count == 6, "\(log.text)")
            for name in ["ada", "device-1", "never-heard-of"] {
                #expect(!log.text.contains(name), "\(log.text)")
            }
        }
    }
}

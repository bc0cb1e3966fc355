import AppStoreWire
import HTTPTypes
import Hummingbird
import MerchantHTTP
import TestFloor
import Testing

/// What the server says of itself.
@Suite("Merchant over HTTP: description")
struct MerchantDescriptionTests {
    @Test("What is described is mounted, and what is mounted is described")
    func bothWays() async throws {
        let world = try await MerchantHTTPWorld(.sqlite)
        let mounted = Set(world.server.router().routes.map(\.description))
        #expect(mounted.count > 5)
        try await world.with { client in
            let reply = try await client.send(.get, "/openapi.json")
            #expect(reply.status == 200)
            let paths = try #require(reply["paths"]?.object)
            var described: Set<String> = []
            var names: Set<String> = []
            for (path, operations) in paths {
                for (method, operation) in try #require(operations.object) {
                    described.insert("\(method.uppercased()) \(path)")
                    let name = try #require(operation["operationId"]?.string)
                    #expect(names.insert(name).inserted, "\(name) twice")
                    #expect(operation["summary"]?.string?.isEmpty == false, "\(name)")
                    let security = try #require(operation["security"]?.array)
                    #expect(security.isEmpty == !path.hasPrefix("/v1/"), "\(name)")
                    // Every valid token opens what the app's does.
                    let text = String(decoding: operation.jsonBytes(), as: UTF8.self)
                    let needsMore =
                        path.hasPrefix("/v1/") && security.first?["app"] == nil
                    #expect(text.contains(#""forbidden""#) == needsMore, "\(name)")
                    if path.hasPrefix("/apple/") {
                        #expect(text.contains("databaseUnavailable"), "\(name)")
                    }
                }
            }
            #expect(described == mounted)
        }
    }

    @Test("It says that it is alive, and measures by route")
    func health() async throws {
        let world = try await MerchantHTTPWorld(.sqlite)
        try await world.with { client in
            #expect(try await client.send(.get, "/health").text == #"{"status":"ok"}"#)
            let metrics = try await client.send(.get, "/metrics")
            #expect(metrics.text.contains(#"route="/health""#))
        }
    }

    @Test("Without its database it says so", arguments: Backend.available)
    func away(_ backend: Backend) async throws {
        let world = try await MerchantHTTPWorld(backend)
        await world.database.close()
        try await world.with { client in
            let health = try await client.send(.get, "/health")
            #expect(health.summary == "503 databaseUnavailable")
            #expect(health.fields[.retryAfter] == "5")
            #expect(try await client.customer().summary == "503 databaseUnavailable")
        }
    }
}

import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("The description of the server, and its metrics")
struct OpenAPITests {
    /// Both documents, as one environment serves them.
    private static let paths = ["/openapi.json", "/openapi/app-store-server-api.json"]

    private func document(
        _ path: String, in environment: StoreEnvironment = .production
    ) async throws -> OpenAPI {
        let world = try await HTTPWorld()
        return try await world.with(environment) { client in
            let reply = try await client.send(.get, path)
            #expect(reply.status == 200)
            #expect(reply.fields[.contentType] == "application/json")
            return OpenAPI(document: try reply.json())
        }
    }

    @Test(
        "What is described is mounted, and what is mounted is described",
        arguments: StoreEnvironment.allCases)
    func bothWays(environment: StoreEnvironment) async throws {
        var described: Set<String> = []
        for path in Self.paths {
            let document = try await document(path, in: environment)
            for (path, operations) in try #require(document.document["paths"]?.object) {
                for method in try #require(operations.object).keys {
                    described.insert("\(method.uppercased()) \(path)")
                }
            }
        }
        let world = try await HTTPWorld()
        let mounted = Set(world.server.router(for: environment).routes.map(\.description))
        #expect(described == mounted)
    }

    @Test("Every reference leads somewhere", arguments: paths)
    func references(path: String) async throws {
        let document = try await document(path)
        #expect(!document.references.isEmpty)
        for reference in document.references {
            #expect(document.resolve(reference) != nil, "\(reference)")
        }
    }

    @Test("Every operation has a name, a summary, a tag, security and answers", arguments: paths)
    func operations(document path: String) async throws {
        let document = try await document(path)
        var names: Set<String> = []
        for (path, operations) in try #require(document.document["paths"]?.object) {
            for operation in try #require(operations.object).values {
                let name = try #require(operation["operationId"]?.string)
                #expect(names.insert(name).inserted, "\(name) twice")
                #expect(operation["summary"]?.string?.isEmpty == false)
                #expect(operation["tags"]?.array?.count == 1)
                let isOpen = ["/health", "/metrics"].contains(path) || path.hasPrefix("/openapi")
                // Whatever was sent there, 200 has a status in it.
                let isVerdict = path == "/verifyReceipt"
                let security = try #require(operation["security"]?.array)
                #expect(security.isEmpty == (isOpen || isVerdict || name == "signIn"), "\(name)")
                let answers = try #require(operation["responses"]?.object)
                for status in isVerdict ? ["200", "413"] : ["405", "413", "500"] {
                    #expect(answers[status] != nil, "\(name)")
                }
                #expect(answers.keys.contains("401") == !security.isEmpty)
                let isApples = ["/inApps", "/advancedCommerce"].contains(where: path.hasPrefix)
                let isGuessed = name == "redeem" || name == "getCode"
                #expect((answers["429"] != nil) == (isApples || isGuessed), "\(name)")
                let isTool = isOpen && path != "/health"
                #expect((answers["503"] != nil) == (!isApples && !isTool && !isVerdict), "\(name)")
                let hasBody = operation["requestBody"] != nil
                #expect((answers["415"] != nil) == (hasBody && !isApples && !isVerdict), "\(name)")
                #expect(
                    answers["400"] != nil || isOpen || isVerdict
                        || name == "requestTestNotification")
                let parameters = operation["parameters"]?.array ?? []
                let inPath = parameters.filter { $0["in"] == .string("path") }
                    .compactMap { $0["name"]?.string }
                for part in path.split(separator: "/") where part.first == "{" {
                    #expect(inPath.contains(String(part.dropFirst().dropLast())), "\(path)")
                }
                #expect(inPath.count == path.count { $0 == "{" })
            }
        }
    }

    @Test("Each member is described in words", arguments: paths)
    func descriptions(path: String) async throws {
        let document = try await document(path)
        func check(_ schema: JSONValue, _ place: String) {
            if schema["$ref"] == nil {
                #expect(schema["description"]?.string?.isEmpty == false, "\(place)")
            }
            for (name, member) in schema["properties"]?.object ?? [:] {
                check(member, "\(place).\(name)")
            }
            if let items = schema["items"] { check(items, "\(place)[]") }
        }
        let schemas = try #require(document.document["components"]?["schemas"]?.object)
        for (name, schema) in schemas { check(schema, name) }
    }

    @Test("Endpoints have names and paths of their own")
    func table() {
        let all = StoreRoutes.all
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(Set(all.map { "\($0.method) \($0.path)" }).count == all.count)
    }

    @Test("Metrics count requests by route and status, never by what was in the path")
    func metrics() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            for id in ["1", "2", "secret"] { _ = try await client.api(.get, "/v2/history/\(id)") }
            _ = try await client.send(.get, "/nothing/secret")
            _ = try await client.send(HTTPRequest.Method("BREW")!, "/health")
            let reply = try await client.send(.get, "/metrics")
            #expect(reply.status == 200)
            #expect(reply.fields[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
            let lines = reply.text.split(separator: "\n").map(String.init)
            let history = #"environment="Production",route="/inApps/v2/history/{anyTransactionId}""#
            let name = "perennial_http_requests_total"
            #expect(lines.contains("\(name){\(history),method=\"GET\",status=\"404\"} 2"))
            #expect(lines.contains("\(name){\(history),method=\"GET\",status=\"400\"} 1"))
            let unknown = #"environment="Production",route="NotFound",method="GET",status="404""#
            #expect(lines.contains("\(name){\(unknown)} 1"))
            #expect(reply.text.contains(#"method="other",status="405"} 1"#))
            #expect(!reply.text.contains("secret"))
            #expect(lines.contains("perennial_store_clock_seconds{mode=\"frozen\"} 1767225600.000"))
            #expect(lines.contains("perennial_store_lateness_seconds 0.000"))
            #expect(lines.contains("perennial_database_connections 1"))
            #expect(lines.contains("perennial_database_connections_in_use 0"))
            #expect(lines.contains("perennial_database_waiting 0"))
            #expect(lines.contains("perennial_database_refused_total 0"))
            #expect(lines.contains("perennial_database_connections_lost_total 0"))
            for line in lines where line.first != "#" {
                #expect(Double(line.split(separator: " ").last ?? "") != nil, "\(line)")
            }
        }
    }

    @Test("A histogram counts each request in every bucket above it")
    func histogram() {
        var histogram = MetricsRegistry.Histogram()
        for seconds in [0.0001, 0.003, 0.003, 20] { histogram.add(seconds) }
        let label = MetricsRegistry.Label(
            server: ServerName("environment", "Sandbox"), method: .get, route: "/x", status: 200)
        var text = PrometheusText()
        text.add([label: histogram])
        let buckets = text.text.split(separator: "\n").filter { $0.contains("_bucket{") }
        #expect(
            buckets.map { $0.split(separator: " ").last } == [
                "1", "1", "3", "3", "3", "3", "3", "3", "3", "3", "3", "3", "3", "4",
            ])
        #expect(text.text.contains(#"status="200"} 20.0061"#))
    }

    @Test("Health needs no token")
    func health() async throws {
        let world = try await HTTPWorld()
        try await world.with { client in
            let reply = try await client.ours(.get, "/health", as: .nothing)
            #expect(reply.text == #"{"status":"ok"}"#)
        }
    }
}

import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Storage
import SubscriptionRules
import TestFloor
import Testing

/// That another program than the store can stand on the floor, and what it is given there.
@Suite("A second program on the floor")
struct NoteServerTests {
    private static let path = "/notes/v1/notes"

    /// Somebody who calls the server.
    private struct Client: Sendable {
        let http: any TestClientProtocol
        let database: any Database

        func send(
            _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil,
            token: String? = "notes-0123456789"
        ) async throws -> TestResponse {
            var fields = HTTPFields()
            fields[.authorization] = token.map { "Bearer \($0)" }
            return try await http.executeRequest(
                uri: uri, method: method, headers: fields,
                body: body.map { ByteBuffer(string: $0) })
        }

        /// The code of an error that is told as it should be.
        func complaint(
            _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil,
            token: String? = "notes-0123456789"
        ) async throws -> String {
            let response = try await send(method, uri, body, token: token)
            let json = try JSONValue(parsing: Array(response.body.readableBytesView))
            #expect(response.headers[.contentType] == "application/json")
            #expect(json["message"]?.string?.isEmpty == false)
            return "\(response.status.code) \(json["error"]?.string ?? "")"
        }
    }

    private func with(
        _ backend: Backend, _ body: @escaping @Sendable (Client) async throws -> Void
    ) async throws {
        let database = try await backend.makeDatabase()
        try await database.migrate(NoteServer.migrations)
        let notes = NoteServer(
            database: database, health: HealthWatch(uptime: { .zero }),
            now: { Instant(milliseconds: 1_800_000) })
        try await notes.server().application(port: 0).test(.router) { http in
            try await body(Client(http: http, database: database))
        }
        await database.close()
    }

    @Test("A list comes in pages, each entry once", arguments: Backend.available)
    func pages(_ backend: Backend) async throws {
        try await with(backend) { client in
            for number in 1...5 {
                let response = try await client.send(.post, Self.path, #"{"text":"\#(number)"}"#)
                #expect(response.status == .created)
            }
            var pages: [String] = []
            for query in ["", "?after=2", "?after=4&limit=3", "?limit=3", "?after=2&limit=3"] {
                let response = try await client.send(.get, Self.path + query, token: nil)
                let json = try JSONValue(parsing: Array(response.body.readableBytesView))
                let texts = json["notes"]?.array?.compactMap { $0["text"]?.string } ?? []
                pages.append("\(texts.joined()) \(json["hasMore"]?.bool ?? false)")
            }
            // A page that is just full has no next one.
            #expect(pages == ["12 true", "34 true", "5 false", "123 true", "345 false"])
        }
    }

    @Test("What is refused says why, and leaves everything as it was", arguments: Backend.available)
    func refusals(_ backend: Backend) async throws {
        try await with(backend) { client in
            _ = try await client.send(.post, Self.path, #"{"text":"a"}"#)
            let before = try await Tables(client.database, named: ["note"])
            let bodies = [
                ("{", "400 malformedJSON"), ("[]", "400 malformedJSON"),
                ("{}", "400 missingMember"), (#"{"text":1}"#, "400 invalidMember"),
                (#"{"text":""}"#, "400 invalidMember"),
                (#"{"text":"a","tags":[]}"#, "400 unknownMember"),
                (#"{"text":"a"}"#, "409 noteExists"),
                (#"{"text":"\#(String(repeating: "a", count: 90))"}"#, "413 bodyTooLarge"),
            ]
            for (body, expected) in bodies {
                #expect(try await client.complaint(.post, Self.path, body) == expected)
            }
            for token in [nil, "", "notes", "notes-01234567890"] {
                let complaint = try await client.complaint(
                    .post, Self.path, #"{"text":"b"}"#, token: token)
                #expect(complaint == "401 unauthenticated")
            }
            for query in ["?limit=4", "?limit=0", "?after=x"] {
                let complaint = try await client.complaint(.get, Self.path + query)
                #expect(complaint == "400 invalidMember")
            }
            #expect(
                try await client.complaint(.get, Self.path + "?before=1") == "400 unknownParameter")
            #expect(try await client.complaint(.get, "/nothing") == "404 unknownPath")
            #expect(try await client.complaint(.get, "/notes/v2") == "404 unknownPath")
            #expect(try await client.complaint(.delete, Self.path) == "405 methodNotAllowed")
            let allowed = try await client.send(.delete, Self.path).headers[.allow]
            #expect(allowed == "GET, HEAD, POST")
            #expect(try await Tables(client.database, named: ["note"]) == before)
        }
    }

    @Test("Who calls too often is told for how long to wait", arguments: Backend.available)
    func limits(_ backend: Backend) async throws {
        try await with(backend) { client in
            for _ in 0..<20 { _ = try await client.send(.post, Self.path, "{}") }
            let before = try await Tables(client.database, named: ["note"])
            let response = try await client.send(.post, Self.path, #"{"text":"a"}"#)
            #expect(response.status == .tooManyRequests)
            // The next hour begins in half an hour.
            #expect(response.headers[.retryAfter] == "1800")
            #expect(try await Tables(client.database, named: ["note"]) == before)
        }
    }

    @Test("What it says of itself is made of its endpoints", arguments: Backend.available)
    func description(_ backend: Backend) async throws {
        try await with(backend) { client in
            let response = try await client.send(.get, "/openapi.json?cache=no", token: nil)
            let json = try JSONValue(parsing: Array(response.body.readableBytesView))
            let paths = try #require(json["paths"]?.object)
            #expect(Set(paths.keys) == [Self.path, "/openapi.json", "/metrics", "/health"])
            let operations = try #require(paths[Self.path]?.object)
            #expect(operations["post"]?["security"]?.array?.first?["owner"] != nil)
            #expect(operations["get"]?["security"]?.array?.isEmpty == true)
            #expect(operations["post"]?["responses"]?["429"]?["headers"] != nil)
            #expect(operations["get"]?["tags"]?.array?.compactMap(\.string) == ["notes"])
        }
    }

    @Test("It is measured by route, and never by what was asked", arguments: Backend.available)
    func metrics(_ backend: Backend) async throws {
        try await with(backend) { client in
            _ = try await client.send(.get, Self.path + "?after=7")
            _ = try await client.send(.get, "/secret")
            #expect(try await client.send(.get, "/health").status == .ok)
            let text = String(buffer: try await client.send(.get, "/metrics").body)
            let route = #"server="notes",route="/notes/v1/notes",method="GET",status="200""#
            #expect(text.contains("perennial_http_requests_total{\(route)} 1\n"))
            #expect(text.contains(#"route="NotFound",method="GET",status="404"} 1"#))
            #expect(text.contains("perennial_database_connections "))
            #expect(!text.contains("secret"))
        }
    }

    @Test("A database that is away is no fault of its own", arguments: Backend.available)
    func away(_ backend: Backend) async throws {
        try await with(backend) { client in
            await client.database.close()
            for path in [Self.path, "/health"] {
                let response = try await client.send(.get, path)
                #expect(response.status == .serviceUnavailable, "\(path)")
                #expect(response.headers[.retryAfter] == "5")
            }
            #expect(try await client.complaint(.get, Self.path) == "503 databaseUnavailable")
        }
    }
}

@Suite("Which surface answers")
struct SurfaceTests {
    /// Errors that say on which surface they were told.
    private struct Named: ErrorForm {
        let name: String
        func answer(to error: any Error) -> Response? { nil }
        func answer(to trouble: RequestTrouble) -> Response { .text(name, status: .notFound) }
        func failures(of operation: OperationDescription) -> [OperationDescription.Failure] { [] }
        var codeMember: String { "code" }
        var hasNumbers: Bool { false }
        func fields(of status: Int) -> [(name: String, about: String)] { [] }
    }

    private static func surface(_ name: String, root: String?) -> Surface {
        Surface(name, "A surface.", root: root, errors: Named(name: name))
    }

    private static func endpoint(_ path: String, _ name: String, _ surface: Surface)
        -> Endpoint<Void>
    {
        Endpoint(
            .get, path, name, on: surface,
            description: OperationDescription(
                .everybody, "Refuse", success: .nothing("Nothing."))
        ) { _ in throw Unauthenticated() }
    }

    @Test(
        "The endpoint says it, wherever its path lies; a root only where there is no endpoint",
        arguments: [
            ("/a/one", "a"), ("/a/two", "b"), ("/b/7", "b"), ("/legacy", "a"), ("/a", "a"),
            ("/a/none", "a"), ("/b/1/2", "b"), ("/c", "c"), ("/ab", "c"),
            ("/", "c"), ("/legacy/more", "c"),
        ])
    func said(path: String, expected: String) async throws {
        let (a, b) = (Self.surface("a", root: "a"), Self.surface("b", root: "b"))
        let c = Self.surface("c", root: nil)
        let server = EndpointServer(
            (), name: ServerName("server", "x"),
            table: RouteTable(
                [
                    Self.endpoint("/a/one", "one", a), Self.endpoint("/a/two", "two", b),
                    Self.endpoint("/b/{id}", "three", b), Self.endpoint("/legacy", "four", a),
                ], at: "x", elsewhere: c),
            machineTime: { .earliest }, log: Logger(label: "x"))
        try await server.application(port: 0).test(.router) { http in
            for method in [HTTPRequest.Method.get, .delete] {
                let response = try await http.executeRequest(
                    uri: path, method: method, headers: [:], body: nil)
                #expect(String(buffer: response.body) == expected)
            }
        }
    }
}

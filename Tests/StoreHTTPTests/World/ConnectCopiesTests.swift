import AppStoreWire
import HTTPTypes
import Storage
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import StoreHTTP

@Suite("Connect: copies of the world")
struct ConnectCopiesTests {
    private static let snapshots = "/connect/v1/snapshots"
    private static let forks = "/connect/v1/forks"

    /// Forks that are made and served by nobody.
    private struct Host: ForkHost {
        let store: Store

        func open(fork name: String, delivers: Bool) async throws -> ServedFork {
            ServedFork(
                copy: try await store.fork(name, delivers: delivers),
                address: ServedFork.Address(
                    productionURL: "http://127.0.0.1:1", sandboxURL: "http://127.0.0.1:2",
                    readyFile: "/ready.json"))
        }

        func forks(after name: String?, limit: Int) async throws -> [ServedFork] {
            try await store.forks(after: name, limit: limit).map {
                ServedFork(copy: $0, address: nil)
            }
        }

        func remove(fork name: String) async throws { try await store.removeFork(name) }
    }

    private func world(_ backend: Backend) async throws -> HTTPWorld {
        let world = try await World(backend, isListening: false)
        return HTTPWorld(world, forks: Host(store: world.store))
    }

    @Test("A world is copied and put back", arguments: Backend.available)
    func snapshots(_ backend: Backend) async throws {
        try await world(backend).with { client in
            let none = try await client.asked(.get, Self.snapshots)
            #expect(none["snapshots"]?.array?.isEmpty == true)
            #expect(none["underWay"] == nil)
            let made = try await client.asked(
                .post, Self.snapshots, #"{"name":"before"}"#, expecting: 201)
            #expect(made["name"] == .string("before"))
            #expect(made["now"] == .string("2026-01-01T00:00:00Z"))
            #expect(made["size"]?.integer ?? 0 > 0)
            try await client.asked(
                .post, "/connect/v1/clock/advance", #"{"to":"2026-06-01T00:00:00Z"}"#)
            let listed = try await client.asked(.get, Self.snapshots)
            #expect(listed["snapshots"]?.array?.first?["now"] == .string("2026-01-01T00:00:00Z"))
            let back = try await client.asked(.post, "\(Self.snapshots)/before/rewind")
            #expect(back["now"] == .string("2026-01-01T00:00:00Z"))
            try await client.asked(.delete, "\(Self.snapshots)/before", expecting: 204)
            let gone = try await client.asked(.get, Self.snapshots)
            #expect(gone["snapshots"]?.array?.isEmpty == true)
        }
    }

    @Test("A fork tells where it answers", arguments: Backend.available)
    func forks(_ backend: Backend) async throws {
        try await world(backend).with { client in
            let made = try await client.asked(
                .post, Self.forks, #"{"name":"trial"}"#, expecting: 201)
            #expect(made["production"]?["url"] == .string("http://127.0.0.1:1"))
            #expect(made["sandbox"]?["url"] == .string("http://127.0.0.1:2"))
            #expect(made["deliveries"] == .bool(false))
            #expect(made["forkedAt"] == .string("2026-01-01T00:00:00Z"))
            let loud = try await client.asked(
                .post, Self.forks, #"{"name":"loud","deliveries":true}"#, expecting: 201)
            #expect(loud["deliveries"] == .bool(true))
            let listed = try await client.asked(.get, Self.forks)["forks"]?.array ?? []
            #expect(listed.map { $0["name"]?.string } == ["loud", "trial"])
            #expect(listed.allSatisfy { $0["production"] == nil })
            try await client.asked(.delete, "\(Self.forks)/trial", expecting: 204)
            let left = try await client.asked(.get, Self.forks)["forks"]?.array ?? []
            #expect(left.map { $0["name"]?.string } == ["loud"])
        }
    }

    @Test("Copies come in pages by name, each once", arguments: ["snapshots", "forks"])
    func pages(_ list: String) async throws {
        let place = "/connect/v1/\(list)"
        try await world(.sqlite).with { client in
            for name in ["b2", "a", "b-1", "c", "b"] {
                try await client.asked(.post, place, #"{"name":"\#(name)"}"#, expecting: 201)
            }
            var pages: [String] = []
            for query in ["", "?limit=2", "?limit=2&after=b", "?after=b2&limit=1", "?after=c"] {
                let page = try await client.asked(.get, place + query)
                let copies = page[list]?.array ?? []
                let names = copies.compactMap { $0["name"]?.string }.joined(separator: " ")
                pages.append("\(names), \(page["hasMore"]?.bool ?? false)")
            }
            #expect(
                pages == [
                    "a b b-1 b2 c, false", "a b, true", "b-1 b2, true", "c, false", ", false",
                ])
            for query in ["?limit=0", "?limit=201", "?after=", "?limit=x"] {
                let answer = try await client.asked(.get, place + query, expecting: 400)
                #expect(answer.complaint == "invalidMember", "\(query)")
            }
            let answer = try await client.asked(.get, place + "?before=b", expecting: 400)
            #expect(answer.complaint == "unknownParameter")
        }
    }

    @Test("Deliveries are switched and shown")
    func deliveries() async throws {
        try await world(.sqlite).with { client in
            for (body, expected) in [(nil, true), (false, false), (true, true)] as [(Bool?, Bool)] {
                let world =
                    if let body {
                        try await client.asked(
                            .patch, "/connect/v1/world", #"{"deliveries":\#(body)}"#)
                    } else {
                        try await client.asked(.get, "/connect/v1/world")
                    }
                #expect(world["deliveries"] == .bool(expected))
                #expect(world["isFork"] == .bool(false))
                let health = try await client.asked(.get, "/health")
                #expect(health["deliveries"] == (expected ? nil : .bool(false)))
            }
        }
    }

    @Test("What cannot be done is refused and changes nothing", arguments: Backend.available)
    func refused(_ backend: Backend) async throws {
        let world = try await world(backend)
        try await world.with { client in
            for place in [Self.snapshots, Self.forks] {
                try await client.asked(.post, place, #"{"name":"one"}"#, expecting: 201)
            }
            let before = try await Tables(world.world.database)
            let calls: [(HTTPRequest.Method, String, String?, Int, String)] = [
                (.post, Self.snapshots, #"{"name":"one"}"#, 409, "nameTaken"),
                (.post, Self.forks, #"{"name":"one"}"#, 409, "nameTaken"),
                (.post, Self.snapshots, #"{"name":"A"}"#, 400, "invalidSetting"),
                (.post, Self.forks, #"{"name":"../a"}"#, 400, "invalidSetting"),
                (.post, Self.snapshots, #"{"name":""}"#, 400, "invalidMember"),
                (.post, Self.snapshots, "{}", 400, "missingMember"),
                (.post, Self.forks, #"{"name":"a","to":"/etc"}"#, 400, "unknownMember"),
                (.delete, "\(Self.snapshots)/two", nil, 404, "unknownSnapshot"),
                (.delete, "\(Self.forks)/two", nil, 404, "unknownFork"),
                (.delete, "\(Self.forks)/..%2F..", nil, 404, "unknownFork"),
                (.post, "\(Self.snapshots)/two/rewind", nil, 404, "unknownSnapshot"),
                (.post, "\(Self.snapshots)/%22/rewind", nil, 404, "unknownSnapshot"),
                (.patch, "/connect/v1/world", "{}", 400, "missingMember"),
                (.patch, "/connect/v1/world", #"{"deliveries":1}"#, 400, "invalidMember"),
            ]
            for (method, path, body, status, code) in calls {
                let answer = try await client.asked(method, path, body, expecting: status)
                #expect(answer.complaint == code, "\(method) \(path) \(body ?? "")")
            }
            #expect(try await Tables(world.world.database) == before)
            #expect(try await client.asked(.get, Self.snapshots)["snapshots"]?.array?.count == 1)
            #expect(try await client.asked(.get, Self.forks)["forks"]?.array?.count == 1)
        }
    }

    @Test("A server that has nothing to serve forks with says so")
    func noHost() async throws {
        try await HTTPWorld().with { client in
            for (method, path, body) in [
                (.get, Self.forks, nil), (.post, Self.forks, #"{"name":"a"}"#),
                (.delete, "\(Self.forks)/a", nil),
            ] as [(HTTPRequest.Method, String, String?)] {
                let answer = try await client.asked(method, path, body, expecting: 409)
                #expect(answer.complaint == "noForksHere")
            }
        }
    }
}

extension Client {
    /// Asks as the operator, and expects a status.
    @discardableResult
    fileprivate func asked(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil,
        expecting status: Int = 200
    ) async throws -> Reply {
        let reply = try await ours(method, path, body)
        #expect(reply.status == status, "\(method) \(path): \(reply.text)")
        return reply
    }
}

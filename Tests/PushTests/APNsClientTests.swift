import AppStoreWire
import Push
import SubscriptionRules
import TestFloor
import Testing

@Suite("Pushes: handing over")
struct APNsClientTests {
    private static let expired = "{\"reason\":\"ExpiredProviderToken\"}"

    private func isRetry(_ outcome: PushOutcome) -> Bool {
        if case .retry = outcome { true } else { false }
    }

    @Test("APNs receives a request of HTTP/2 with all that it asks for")
    func request() async throws {
        let server = try await APNsTestServer { request in
            .answer(200, fields: ["apns-id": request.fields["apns-id"] ?? ""])
        }
        let client = try Sample.client(of: server.url)
        let push = try Sample.push(
            members: ["link": .string("garden://price")], collapseID: "price-7",
            expires: Sample.moment)
        #expect(await client.send(push) == .sent(apnsID: Sample.id))
        await client.close()
        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "POST")
        #expect(request.path == "/3/device/0123456789abcdef")
        #expect(Array(request.body.utf8) == push.payload)
        for (name, value) in push.fields { #expect(request.fields[name] == value, "\(name)") }
        #expect(request.fields["authorization"]?.hasPrefix("bearer ") == true)
        #expect(try ReadToken(request.token).issued == 1_800_000_000)
    }

    @Test("Every reason arrives", arguments: AnswerRow.known)
    func reasons(row: AnswerRow) async throws {
        let server = try await APNsTestServer { _ in .answer(row.status, body: row.body) }
        let client = try Sample.client(of: server.url)
        #expect(await client.send(try Sample.push()) == row.outcome)
        await client.close()
        #expect(server.requests.count == (row.reason == "ExpiredProviderToken" ? 2 : 1))
    }

    @Test("Many pushes share a connection and a token", arguments: [1, 100])
    func oneConnection(streams: Int) async throws {
        let server = try await APNsTestServer(streams: streams) { _ in .answer(200) }
        let client = try Sample.client(of: server.url)
        let push = try Sample.push()
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { await client.send(push) } }
            for await outcome in group { #expect(outcome == .sent(apnsID: Sample.id)) }
        }
        await client.close()
        #expect(server.requests.count == 20)
        #expect(Set(server.requests.map(\.connection)) == [1])
        #expect(Set(server.requests.map(\.token)).count == 1)
    }

    @Test("A provider token that expired is replaced, and the push goes out again at once")
    func expiredToken() async throws {
        let clock = ManualClock(Sample.moment + .minutes(10))
        let server = try await APNsTestServer { request in
            request.number == 1 ? .answer(403, body: Self.expired) : .answer(200)
        }
        let client = try Sample.client(of: server.url, clock: clock)
        #expect(await client.send(try Sample.push()) == .sent(apnsID: Sample.id))
        await client.close()
        let requests = server.requests
        #expect(requests.map { $0.fields["apns-id"] } == [Sample.id, Sample.id])
        #expect(
            try requests.map { try ReadToken($0.token).issued } == [1_800_000_000, 1_800_000_600])
    }

    @Test("A provider token is replaced once: a clock that is wrong needs the operator")
    func alwaysExpired() async throws {
        let clock = ManualClock(Sample.moment)
        let server = try await APNsTestServer { _ in .answer(403, body: Self.expired) }
        let client = try Sample.client(of: server.url, clock: clock)
        let push = try Sample.push()
        let outcome = PushOutcome.notConfigured(
            PushReply(status: 403, reason: "ExpiredProviderToken"))
        #expect(await client.send(push) == outcome)
        #expect(server.requests.count == 2)
        // APNs would mind another token by now.
        clock.set(Sample.moment + .minutes(19))
        #expect(await client.send(push) == outcome)
        #expect(server.requests.count == 3)
        clock.set(Sample.moment + .minutes(20))
        #expect(await client.send(push) == outcome)
        #expect(server.requests.count == 5)
        await client.close()
    }

    @Test(
        "A connection that ends loses a push, and the next ones get another",
        arguments: [APNsTestServer.Reply.closes, .goesAway])
    func closed(ending: APNsTestServer.Reply) async throws {
        let server = try await APNsTestServer { request in
            request.connection == 1 ? ending : .answer(200)
        }
        let client = try Sample.client(of: server.url)
        let push = try Sample.push()
        #expect(await client.send(push) == .retry(after: .zero, .connectionLost))
        // The client may notice a moment later that the connection is of no use.
        var outcome = await client.send(push)
        for _ in 0..<10 where isRetry(outcome) { outcome = await client.send(push) }
        #expect(outcome == .sent(apnsID: Sample.id))
        await client.close()
        #expect(server.requests.map { $0.fields["apns-id"] }.allSatisfy { $0 == Sample.id })
    }

    @Test("A server that never answers is waited for no longer than was said")
    func silent() async throws {
        let server = try await APNsTestServer { _ in .staysSilent }
        let client = try Sample.client(of: server.url, timeout: .milliseconds(500))
        #expect(await client.send(try Sample.push()) == .retry(after: .zero, .timedOut))
        await client.close()
    }

    @Test("A server that is no APNs at all is waited for no longer either")
    func noAnswer() async throws {
        let server = try RawServer(greeting: [])
        defer { server.close() }
        let url = server.url.replacing("http://", with: "https://")
        let client = try Sample.client(of: url, timeout: .milliseconds(500))
        #expect(await client.send(try Sample.push()) == .retry(after: .zero, .timedOut))
    }

    @Test("Whoever stops waits for no answer")
    func stopped() async throws {
        let server = try await APNsTestServer { _ in .staysSilent }
        let client = try Sample.client(of: server.url)
        let push = try Sample.push()
        let task = Task { await client.send(push) }
        task.cancel()
        #expect(await task.value == .retry(after: .zero, .stopped))
        await client.close()
    }

    @Test("A server that is down may come back")
    func down() async throws {
        let server = try await APNsTestServer { _ in .answer(200) }
        let url = server.url
        try await server.close()
        let client = try Sample.client(of: url)
        #expect(await client.send(try Sample.push()) == .retry(after: .zero, .noConnection))
        await client.close()
    }

    @Test("A certificate that nobody vouches for gets no token", arguments: [true, false])
    func certificate(isKnown: Bool) async throws {
        let server = try await APNsTestServer { _ in .answer(200) }
        // Known, it is not that of the address.
        let url =
            isKnown ? server.url.replacing("localhost", with: "127.0.0.1") : server.url
        let client = try Sample.client(of: url, isTrusted: isKnown)
        #expect(await client.send(try Sample.push()) == .retry(after: .zero, .tls))
        await client.close()
        #expect(server.requests.isEmpty)
    }

    @Test("No status that HTTP does not have ends the program", arguments: [42, 99])
    func noStatus(status: Int) async throws {
        let server = try await APNsTestServer { _ in .answer(status, body: "{}") }
        let client = try Sample.client(of: server.url)
        #expect(await client.send(try Sample.push()) == .retry(after: .zero, .noHTTP))
        await client.close()
    }

    @Test("An answer that is too long is broken off")
    func tooLong() async throws {
        let body = String(repeating: "x", count: 1 << 20)
        let server = try await APNsTestServer { _ in .answer(400, body: body) }
        let client = try Sample.client(of: server.url)
        #expect(await client.send(try Sample.push()) == .retry(after: .zero, .noHTTP))
        await client.close()
    }

    @Test("A server on this machine may speak HTTP/1.1 in the clear")
    func plain() async throws {
        let server = try RawServer { _ in
            "HTTP/1.1 200 OK\r\napns-id: \(Sample.otherID)\r\nContent-Length: 0\r\n\r\n"
        }
        defer { server.close() }
        let client = try Sample.client(of: server.url)
        #expect(await client.send(try Sample.push()) == .sent(apnsID: Sample.otherID))
        await client.close()
        #expect(server.requests.map(\.line) == ["POST /3/device/0123456789abcdef HTTP/1.1"])
    }

    @Test("What is no HTTP is an outcome", arguments: ["hello\r\n\r\n", "HTTP/1.1 42 X\r\n\r\n"])
    func garbage(answer: String) async throws {
        let server = try RawServer(
            replying: { _ in RawServer.Reply(Array(answer.utf8)) })
        defer { server.close() }
        let client = try Sample.client(of: server.url)
        #expect(await client.send(try Sample.push()) == .retry(after: .zero, .noHTTP))
        await client.close()
    }
}

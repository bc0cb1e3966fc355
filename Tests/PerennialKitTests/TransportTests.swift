import Foundation
import PerennialKit
import TestFloor
import Testing

@Suite("Asking over HTTP")
struct TransportTests {
    private func failure(
        _ url: String, timeout: Duration = .seconds(20)
    ) async -> TransportFailure? {
        let transport = HTTPTransport(url: url)
        defer { Task { await transport.close() } }
        do {
            _ = try await transport.send(
                StoreRequest(method: "GET", path: "/storefront/v1/products", timeout: timeout))
            return nil
        } catch {
            return error as? TransportFailure
        }
    }

    @Test("A request goes out as it is, and the answer comes back as it is")
    func exchange() async throws {
        let server = try RawServer { _ in
            "HTTP/1.1 429 Too Many\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\nhi"
        }
        defer { server.close() }
        let transport = HTTPTransport(url: server.url + "/")
        let response = try await transport.send(
            StoreRequest(
                method: "POST", path: "/storefront/v1/purchases?a=%20",
                headers: ["Idempotency-Key": "k"], body: Array("{}".utf8)))
        #expect(response.status == 429)
        #expect(response.headers["retry-after"] == "3")
        #expect(response.body == Array("hi".utf8))
        #expect(server.requests.map(\.line) == ["POST /storefront/v1/purchases?a=%20 HTTP/1.1"])
        #expect(server.requests.map(\.body) == ["{}"])
        await transport.close()
    }

    @Test("A port at which nobody listens is unreachable: nothing was sent")
    func refused() async throws {
        let server = try RawServer { _ in "" }
        let url = server.url
        server.close()
        let failure = await failure(url)
        guard case .unreachable? = failure else {
            Issue.record("it was reached: \(String(describing: failure))")
            return
        }
    }

    @Test("Silence is a timeout, for the store may have acted")
    func silence() async throws {
        let server = try RawServer { _ in "" }
        defer { server.close() }
        // Within that time it has to arrive, too.
        #expect(await failure(server.url, timeout: .seconds(15)) == .timedOut)
        #expect(server.requests.count == 1)
    }

    @Test(
        "An answer that begins and goes no further is a timeout too", .timeLimit(.minutes(15)),
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"products\":[",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 103 Soon\r\n\r\n",
        ])
    func stalled(text: String) async throws {
        let server = try RawServer { _ in text }
        defer { server.close() }
        #expect(await failure(server.url, timeout: .seconds(2)) == .timedOut)
    }

    @Test(
        "Whatever breaks off or is no HTTP is told, and nothing traps",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"products\":[",
            "HTTP/1.1 42 No\r\n\r\n",
            "garbage\r\n\r\n", "\u{0}\u{1}\u{2}", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "SSH-2.0-OpenSSH_9\r\n",
            "HTTP/1.1 999999 OK\r\n\r\n",
        ])
    func broken(text: String) async throws {
        let server = try RawServer(replying: { _ in RawServer.Reply(Array(text.utf8), .closes) })
        defer { server.close() }
        switch await failure(server.url) {
        case .interrupted, .garbage: break
        case let other: Issue.record("\(text) came to \(String(describing: other))")
        }
    }

    @Test("An answer without end is read up to a limit")
    func endless() async throws {
        // What comes again and again is the head once, and body from then on.
        let text =
            "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n"
            + String(repeating: " ", count: 1 << 18)
        let server = try RawServer(
            replying: { _ in RawServer.Reply(Array(text.utf8), .goesOn) })
        defer { server.close() }
        // A busy machine takes its time to read so much.
        let failure = await failure(server.url, timeout: .seconds(600))
        guard case .garbage? = failure else {
            Issue.record("it came to \(String(describing: failure))")
            return
        }
    }

    @Test("A redirect is not followed: it would carry the customer's secret elsewhere")
    func redirect() async throws {
        let elsewhere = try RawServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        let url = elsewhere.url
        let server = try RawServer { _ in
            "HTTP/1.1 307 There\r\nLocation: \(url)/\r\nContent-Length: 0\r\n\r\n"
        }
        let transport = HTTPTransport(url: server.url)
        let response = try await transport.send(StoreRequest(method: "GET", path: "/"))
        #expect(response.status == 307)
        #expect(elsewhere.requests.isEmpty)
        await transport.close()
        server.close()
        elsewhere.close()
    }

    @Test(
        "An address that is none is unreachable", arguments: ["", "nonsense", "ftp://x", "http://"])
    func badAddress(url: String) async {
        let failure = await failure(url)
        guard case .unreachable? = failure else {
            Issue.record("\(url) was reached: \(String(describing: failure))")
            return
        }
    }
}

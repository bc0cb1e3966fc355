import Outbox
import OutboxHTTP
import TestFloor
import Testing

@Suite("Notifications: posting over HTTP")
struct HTTPPostTests {
    /// - Parameter seconds: long, since other tests run beside; short where nothing is to come.
    private func outcome(
        timeout seconds: Int64 = 60, of reply: @escaping @Sendable (RawServer.Request) -> String
    ) async throws -> (PostOutcome, [RawServer.Request]) {
        let server = try RawServer(reply)
        defer { server.close() }
        let post = HTTPPost(timeout: seconds)
        let outcome = await post.post(Array("{}".utf8), to: server.url + "/in")
        await post.close()
        return (outcome, server.requests)
    }

    @Test(
        "Whatever a server answers is told as it was answered",
        arguments: [200, 204, 206, 207, 404, 503])
    func status(_ status: Int) async throws {
        let (outcome, requests) = try await outcome { _ in
            "HTTP/1.1 \(status) Whatever\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(outcome == .answered(status: status))
        #expect(requests.map(\.line) == ["POST /in HTTP/1.1"])
        #expect(requests.map(\.body) == ["{}"])
    }

    @Test(
        "An answer that says when to come again is an answer like any other",
        arguments: [429, 503], ["1", "0", "1799107200000", "Wed, 21 Oct 2026 07:28:00 GMT", "x"])
    func retryAfter(_ status: Int, _ moment: String) async throws {
        let (outcome, requests) = try await outcome { _ in
            "HTTP/1.1 \(status) Later\r\nRetry-After: \(moment)\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(outcome == .answered(status: status))
        #expect(requests.count == 1)
    }

    @Test(
        "A server that speaks no TLS where it should is told as such",
        arguments: ["HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "220 SSL\r\n"])
    func noTLS(_ answer: String) async throws {
        let server = try RawServer(greeting: Array(answer.utf8))
        defer { server.close() }
        let post = HTTPPost(timeout: 60)
        let url = server.url.replacing("http://", with: "https://")
        #expect(await post.post([], to: url) == .tlsIssue)
        await post.close()
    }

    @Test("Posts to one address wait for no other, however many there are")
    func sideBySide() async throws {
        let count = 100
        let open = Gate()
        let server = try RawServer { request in
            if request.line.contains("/open ") { open.open() }
            return open.isOpen ? "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" : ""
        }
        defer { server.close() }
        let post = HTTPPost(timeout: 60)
        await withTaskGroup { group in
            for _ in 0..<count {
                group.addTask { _ = await post.post([], to: server.url + "/closed") }
            }
            while server.requests.count < count { await Task.yield() }
            #expect(await post.post([], to: server.url + "/open") == .answered(status: 200))
            group.cancelAll()
        }
        await post.close()
    }

    @Test("A redirect carries the notification along", arguments: [301, 302, 307, 308])
    func redirect(_ status: Int) async throws {
        let (outcome, requests) = try await outcome { request in
            request.line.contains("/in ")
                ? "HTTP/1.1 \(status) Moved\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(outcome == .answered(status: 200))
        #expect(requests.map(\.line) == ["POST /in HTTP/1.1", "POST /there HTTP/1.1"])
        #expect(requests.map(\.body) == ["{}", "{}"])
    }

    @Test(
        "A redirect is followed to the same scheme, host and port alone",
        arguments: [
            "http://127.0.0.1:1/", "http://localhost:PORT/", "//127.0.0.1/there", "https:/there",
            "https://127.0.0.1:PORT/", "http://127.0.0.1:99999/", "http://127.0.0.1:0/", "http://[",
            "http://u@127.0.0.1:PORT/there", "http+unix://%2Ftmp%2Fs/", "file:///etc/passwd",
            "http://[::ffff:127.0.0.1]:PORT/", "http://2130706433:PORT/", "",
        ])
    func elsewhere(_ location: String) async throws {
        let (outcome, requests) = try await outcome { request in
            let location = location.replacing("PORT", with: request.port)
            return "HTTP/1.1 307 Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(outcome == .answered(status: 307))
        #expect(requests.count == 1)
    }

    @Test("A redirect may name its own host in full")
    func absolute() async throws {
        let (outcome, requests) = try await outcome { request in
            request.line.contains("/in ")
                ? "HTTP/1.1 308 Moved\r\nLocation: HTTP://127.0.0.1:\(request.port)/there?x=1\r\n"
                    + "Content-Length: 0\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(outcome == .answered(status: 200))
        #expect(requests.map(\.line) == ["POST /in HTTP/1.1", "POST /there?x=1 HTTP/1.1"])
    }

    @Test("More than five redirects are as good as a circle")
    func manyRedirects() async throws {
        let (outcome, requests) = try await outcome { request in
            let path = request.line.split(separator: " ")[1]
            return "HTTP/1.1 307 Moved\r\nLocation: \(path)x\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(outcome == .circularRedirect)
        #expect(requests.count == 6)
    }

    @Test("A redirect that asks for something else is not followed")
    func seeOther() async throws {
        let (outcome, _) = try await outcome { request in
            request.line.contains("/in ")
                ? "HTTP/1.1 303 See Other\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(outcome == .answered(status: 303))
    }

    @Test("A redirect in a circle is told as such")
    func circle() async throws {
        let (outcome, _) = try await outcome { _ in
            "HTTP/1.1 307 Moved\r\nLocation: /in\r\nContent-Length: 0\r\n\r\n"
        }
        #expect(outcome == .circularRedirect)
    }

    @Test("A body that never ends holds nothing up")
    func endlessBody() async throws {
        let (outcome, _) = try await outcome { _ in
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        }
        #expect(outcome == .answered(status: 200))
    }

    @Test("A server that says nothing is timed out, one that is gone is told as such")
    func silence() async throws {
        let (silent, _) = try await outcome(timeout: 1) { _ in "" }
        #expect(silent == .timedOut)
        let server = try RawServer { _ in "" }
        server.close()
        let post = HTTPPost(timeout: 60)
        let gone = await post.post([], to: server.url)
        await post.close()
        #expect([.noResponse, .socketIssue].contains(gone))
    }

    @Test(
        "No URL ends the process, whatever is written in it",
        arguments: [
            "", "a", "http:", "http://", "ftp://a", "unix:///a", "http://127.0.0.1:99999/",
            "http://127.0.0.1:0/", "http://[::1", "http://u:p@a/", "http://a%00b/", "http://a b/",
            "http://a/\n", "http://b\u{FC}cher.example/", "http+unix://%2Ftmp%2Fs/",
        ])
    func anything(_ url: String) async {
        let post = HTTPPost(timeout: 60)
        #expect(await post.post([], to: url) == .unusable)
        await post.close()
    }
}

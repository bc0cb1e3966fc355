import HTTPTypes
import HummingbirdTesting
import Store
import SubscriptionRules
import TestFloor
import TestSupport
import Testing

@testable import StoreHTTP

/// What a request may be on the wire, right and wrong, byte for byte.
@Suite("Requests byte for byte")
struct RawRequestTests {
    private func answer(_ request: String) async throws -> RawClient.Answer {
        let world = try await HTTPWorld(isListening: false)
        return try await world.with(.production, .live) { client in
            try await RawClient.send(
                Array(request.utf8), toPort: try #require(client.http.port))
        }
    }

    private static let health = "GET /health HTTP/1.1\r\nHost: a\r\n"
    private static let post = "POST /storefront/v1/sign-in HTTP/1.1\r\nHost: a\r\n"
    private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"
    private static let longChunk = "1;" + String(repeating: "x", count: 9000) + "\r\n \r\n"

    @Test(
        "A connection ends with the last answer that was asked for",
        arguments: [
            "GET /health HTTP/1.0\r\n\r\n", "GET /health HTTP/1.0\r\nHost: a\r\n\r\n",
            "GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            health + "Connection: close\r\n\r\n", health + "Connection: Close\r\n\r\n",
            health + "Connection: x, CLOSE\r\n\r\n",
            // Nothing that follows is a request.
            "GET /health HTTP/1.0\r\n\r\n" + health + "\r\n",
        ])
    func last(_ request: String) async throws {
        let answer = try await answer(request)
        #expect(answer.isClosed)
        #expect(answer.statuses == [200])
        #expect(answer.text.lowercased().contains("connection: close\r\n"))
        #expect(answer.text.hasSuffix(#"{"status":"ok"}"#))
    }

    @Test("Every request before the last one is answered")
    func pipelined() async throws {
        let answer = try await answer(
            Self.health + "\r\n" + Self.health + "\r\n" + "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n"
                + Self.health + "Connection: close\r\n\r\n" + Self.health + "\r\n")
        #expect(answer.isClosed)
        #expect(answer.statuses == [200, 200, 404, 200])
    }

    @Test(
        "What is not HTTP as it should be is answered with 400 once, and the connection closed",
        arguments: [
            // The host is named once.
            health + "Host: a\r\n\r\n", health + "hOST: b\r\n\r\n",
            "GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", "GET /health HTTP/1.1\r\n\r\n",
            // One line a header.
            health + "X: a\r\n b\r\n\r\n", health + "X : a\r\n\r\n", health + "X: a\u{0}b\r\n\r\n",
            health + "no colon\r\n\r\n", "GET /health HTTP/1.1\nHost: a\n\n",
            // One length.
            post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
            post + "Content-Length: -2\r\n\r\n{}", post + "Content-Length: +2\r\n\r\n{}",
            post + "Transfer-Encoding: gzip\r\n\r\n{}",
            post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
            chunked + "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n", chunked + "zz\r\n{}\r\n0\r\n\r\n",
            // Other protocols.
            "GET /health HTTP/2.0\r\nHost: a\r\n\r\n", "GET /health\r\n\r\n", "hello\r\n\r\n",
            // Too much.
            health + "X: " + String(repeating: "x", count: 200_000) + "\r\n\r\n",
            health + String(repeating: "X: y\r\n", count: 2000) + "\r\n",
            "GET /" + String(repeating: "x", count: 200_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
            chunked + "2;" + String(repeating: "x", count: 4_000_000) + "\r\n{}\r\n0\r\n\r\n",
            chunked + String(repeating: longChunk, count: 30) + "0\r\n\r\n",
            chunked + "0\r\nX: " + String(repeating: "x", count: 200_000) + "\r\n\r\n",
        ] as [String])
    func refused(_ request: String) async throws {
        let answer = try await answer(request)
        #expect(answer.isClosed)
        #expect(answer.statuses == [400], "\(request.prefix(80)) \(answer.text.prefix(200))")
    }

    @Test("A body that is cut small arrives whole")
    func smallChunks() async throws {
        let body = #"{"bundleId":"com.example.app","account":"ada"}"#
        let spaces = String(repeating: " ", count: 60_000)
        let chunks = (body + spaces).map { "1\r\n\($0)\r\n" }.joined()
        let answer = try await answer(
            Self.post + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n")
        #expect(answer.statuses == [200], "\(answer.text.suffix(200))")
        #expect(answer.isClosed)
    }

    @Test("The broken rest of a request that was answered gets no second answer")
    func brokenRest() async throws {
        let answer = try await answer(
            "POST /nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n")
        #expect(answer.isClosed)
        #expect(answer.statuses.count == 1)
    }

    @Test("A connection that is kept answers again")
    func kept() async throws {
        let answer = try await answer(
            Self.health + "\r\nPOST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"
                + Self.health + "Connection: keep-alive, close\r\n\r\n")
        #expect(answer.statuses == [200, 404, 200])
    }
}

import Outbox
import OutboxHTTP
import TestFloor
import Testing

/// No answer of a developer's server may end the store: each is an outcome.
@Suite("Notifications: what servers may answer")
struct HTTPAnswerTests {
    /// - Parameter seconds: long, since other tests run beside; short where nothing is to come.
    private func outcome(
        of bytes: [UInt8], _ ending: RawServer.Reply.Ending = .closes, timeout seconds: Int64 = 60
    ) async throws -> PostOutcome {
        let server = try RawServer(replying: { _ in RawServer.Reply(bytes, ending) })
        defer { server.close() }
        let post = HTTPPost(timeout: seconds)
        let outcome = await post.post(Array("{}".utf8), to: server.url + "/in")
        await post.close()
        return outcome
    }

    @Test(
        "A status that none is, is no valid answer",
        arguments: [
            "000", "001", "042", "099", "42", "4", "-42", "1000", "99999", "2x0", "", "٢٠٠",
        ]
    )
    func status(_ status: String) async throws {
        for rest in ["Content-Length: 2\r\n\r\nok", "Content-Length: 0\r\n\r\n", "\r\n", "\r\nok"] {
            let answer = "HTTP/1.1 \(status) Whatever\r\n\(rest)"
            let outcome = try await outcome(of: Array(answer.utf8))
            #expect(outcome == .invalidResponse, "\(answer)")
        }
    }

    @Test("A status that nobody has heard of is told as it is", arguments: [299, 600, 700, 999])
    func unknownStatus(_ status: Int) async throws {
        let answer = "HTTP/1.1 \(status) Whatever\r\nContent-Length: 2\r\n\r\nok"
        #expect(try await outcome(of: Array(answer.utf8)) == .answered(status: status))
    }

    @Test("What is no HTTP is an invalid response, and no answer a closed connection")
    func garbage() async throws {
        for answer in [
            "hello\r\n\r\n", "SSH-2.0-x\r\n", "\r\n\r\n\u{0}", "HTTP/9.9 200 OK\r\n\r\n",
        ] {
            #expect(try await outcome(of: Array(answer.utf8)) == .invalidResponse, "\(answer)")
        }
        #expect(try await outcome(of: []) == .prematureClose)
    }

    @Test(
        "What follows an answer says nothing of the next notification",
        arguments: [
            (500, "HTTP/1.1 200 OK\r\nX: ", PostOutcome.answered(status: 500)),
            (200, "HTTP/1.1 500 No\r\nX: ", .answered(status: 200)),
            (200, "H", .answered(status: 200)),
            (204, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", .answered(status: 204)),
        ])
    func rest(_ status: Int, _ rest: String, _ expected: PostOutcome) async throws {
        let answer = "HTTP/1.1 \(status) Whatever\r\nContent-Length: 0\r\n\r\n\(rest)"
        let server = try RawServer { _ in answer }
        defer { server.close() }
        let post = HTTPPost(timeout: 60)
        for _ in 1...4 {
            #expect(await post.post(Array("{}".utf8), to: server.url + "/in") == expected)
        }
        await post.close()
        #expect(server.requests.count == 4)
    }

    @Test("Interim answers are passed over, and the one behind them counts")
    func interim() async throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
        let answer =
            String(repeating: interim, count: 500) + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        #expect(try await outcome(of: Array(answer.utf8)) == .answered(status: 200))
    }

    @Test(
        "What never ends is broken off",
        arguments: [
            ("HTTP/1.1 100 Continue\r\n\r\n", 2, PostOutcome.timedOut),
            ("HTTP/1.1 200 OK\r\n", 60, .invalidResponse), ("X: y\r\n", 60, .invalidResponse),
        ])
    func endless(_ bytes: String, seconds: Int64, _ expected: PostOutcome) async throws {
        let outcome = try await outcome(of: Array(bytes.utf8), .goesOn, timeout: seconds)
        #expect(outcome == expected)
    }

    @Test("Headers without end are refused, a body without end is left unread")
    func endlessParts() async throws {
        let server = try RawServer(replying: { request in
            let start = "HTTP/1.1 200 OK\r\n"
            let long = String(repeating: "x", count: 1 << 20)
            return request.line.contains("headers")
                ? RawServer.Reply(Array((start + "A: \(long)").utf8), .closes)
                : RawServer.Reply(Array((start + "Content-Length: 9999999\r\n\r\n\(long)").utf8))
        })
        defer { server.close() }
        let post = HTTPPost(timeout: 60)
        #expect(await post.post([], to: server.url + "/headers") == .invalidResponse)
        #expect(await post.post([], to: server.url + "/body") == .answered(status: 200))
        await post.close()
    }

    @Test("Hundreds of random answers are as many outcomes", arguments: 0..<8 as Range<UInt64>)
    func random(_ seed: UInt64) async throws {
        let post = HTTPPost(timeout: 600)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 as Range<UInt64> {
                let bytes = RandomAnswer.bytes(seed: seed << 32 | number)
                if number >= 6 { try await group.next() }
                group.addTask {
                    let server = try RawServer(replying: { _ in RawServer.Reply(bytes) })
                    defer { server.close() }
                    let outcome = await post.post(Array("{}".utf8), to: server.url)
                    #expect(outcome != .timedOut, "\(String(decoding: bytes, as: UTF8.self))")
                }
            }
            try await group.waitForAll()
        }
        await post.close()
    }
}

/// Answers made of right and wrong parts.
private enum RandomAnswer {
    private static let versions = [
        "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/1.1 ", "http/1.1", "",
    ]
    private static let statuses = [
        "200", "200", "204", "304", "301", "307", "503", "100", "101", "102", "199", "000", "042",
        "099", "600", "999", "1000", "-1", "20", "2 0", "abc", "", "18446744073709551616",
    ]
    private static let headers = [
        "Content-Length: 0", "Content-Length: 5", "Content-Length: 5", "Content-Length: -1",
        "Content-Length: 99999999999999999999", "Content-Length: 5, 6", "Content-Length: x",
        "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: identity", "Connection: close", "Connection: upgrade",
        "Upgrade: websocket", "Content-Encoding: gzip", "Content-Encoding: deflate",
        "Location: /in", "Location: http://127.0.0.1:99999/", "Location: http://[",
        "Location: //u:p@h:0/", "Location: \u{E9}", "Location:", ": x", "A B: c", " folded",
        "X: \u{0}", "X: " + String(repeating: "y", count: 90_000), "Set-Cookie: a=b; Max-Age=x",
    ]
    private static let bodies = [
        "", "", "hello", "5\r\nhello\r\n0\r\n\r\n", "ffffffffffffffffff\r\nx", "-5\r\nhello\r\n",
        "5;x=y\r\nhello\r\n0\r\nT: r\r\n\r\n", "zz\r\n", "\u{1F}\u{8B}\u{8}\u{0}bomb", "\r\n\r\n",
    ]

    static func bytes(seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var text = ""
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            text += versions.randomElement(using: &random)! + " "
            text += statuses.randomElement(using: &random)! + " Whatever\r\n"
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                text += headers.randomElement(using: &random)! + "\r\n"
            }
            text += "\r\n" + bodies.randomElement(using: &random)!
        }
        var bytes = Array(text.utf8)
        // Half of them are damaged besides.
        for _ in 0..<Int.random(in: -3...3, using: &random).magnitude / 2 where !bytes.isEmpty {
            bytes[Int.random(in: bytes.indices, using: &random)] =
                UInt8.random(in: 0...255, using: &random)
        }
        if Int.random(in: 0..<5, using: &random) == 0 {
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
        }
        return bytes
    }
}

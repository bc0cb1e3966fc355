import AppStoreWire
import ServerAPIClient
import Synchronization
import TestFloor
import Testing

/// A server that answers from a script, the last answer again and again.
private final class ScriptedServer: Sendable {
    let server: RawServer
    private let record: Record

    private final class Record: Sendable {
        private let waited = Mutex<[Duration]>([])
        private let answered = Mutex(0)
        var waits: [Duration] { waited.withLock { $0 } }

        func wait(_ duration: Duration) { waited.withLock { $0.append(duration) } }

        func nextNumber() -> Int {
            answered.withLock { number in
                defer { number += 1 }
                return number
            }
        }
    }

    /// - Parameter answers: the HTTP status and the body of each.
    init(_ answers: [(Int, String)]) throws {
        let record = Record()
        self.record = record
        server = try RawServer(replying: { _ in
            let (status, body) = answers[min(record.nextNumber(), answers.count - 1)]
            let text =
                "HTTP/1.1 \(status) Whatever\r\nContent-Type: application/json\r\n"
                + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            return RawServer.Reply(Array(text.utf8), .closes)
        })
    }

    var waits: [Duration] { record.waits }

    func client(attempts: Int = 3) throws -> VerifyReceiptClient {
        let record = record
        return try VerifyReceiptClient(
            url: server.url + "/verifyReceipt", password: "secret",
            retries: RequestRetries(attempts: attempts), timeout: .seconds(60),
            wait: { record.wait($0) }, chance: { 1000 })
    }

    deinit { server.close() }
}

@Suite("The client of verifyReceipt")
struct VerifyReceiptClientTests {
    @Test("It sends the receipt and the secret, and no token (RCP-1)")
    func request() async throws {
        let script = try ScriptedServer([(200, #"{"status":21003}"#)])
        let reply = try await script.client().verify("QUJD")
        #expect(reply.status == .notAuthenticated)
        let request = try #require(script.server.requests.first)
        #expect(request.line == "POST /verifyReceipt HTTP/1.1")
        #expect(!request.fields.contains { $0.lowercased().hasPrefix("authorization") })
        let body = try JSONValue(parsing: request.body.utf8)
        #expect(body["receipt-data"] == .string("QUJD"))
        #expect(body["password"] == .string("secret"))
    }

    @Test(
        "What may pass is asked again, everything else is said at once (RCP-2)",
        arguments: [
            (#"{"status":21002}"#, 2), (#"{"status":21005}"#, 3), (#"{"status":21009}"#, 3),
            (#"{"status":21150,"is_retryable":true}"#, 3),
            (#"{"status":21150,"is-retryable":1}"#, 3),
            (#"{"status":21150,"is_retryable":false}"#, 1), (#"{"status":21150}"#, 1),
            (#"{"status":21003}"#, 1), (#"{"status":21004}"#, 1), (#"{"status":21007}"#, 1),
            (#"{"status":21008}"#, 1), (#"{"status":21010}"#, 1), (#"{"status":4711}"#, 1),
        ] as [(String, Int)])
    func statuses(body: String, times: Int) async throws {
        let script = try ScriptedServer([(200, body)])
        _ = try await script.client().verify("QUJD")
        #expect(script.server.requests.count == times)
        #expect(script.waits.count == times - 1)
    }

    @Test("A server that fails is asked again, and what comes then counts")
    func failures() async throws {
        let script = try ScriptedServer([
            (500, "down"), (503, ""), (200, #"{"status":21003}"#),
        ])
        #expect(try await script.client().verify("QUJD").status == .notAuthenticated)
        #expect(script.server.requests.count == 3)
    }

    @Test(
        "What is no reply is said, after as many attempts as make sense",
        arguments: [(404, "", 1), (500, "", 3), (200, "no JSON", 1), (200, "{}", 1)]
            as [(Int, String, Int)])
    func unusable(status: Int, body: String, times: Int) async throws {
        let script = try ScriptedServer([(status, body)])
        do {
            _ = try await script.client().verify("QUJD")
            Issue.record("it was taken")
        } catch let error as ServerAPIError {
            #expect(error.status == status)
        }
        #expect(script.server.requests.count == times)
    }

    @Test("A URL that is none is refused", arguments: ["", "ftp://a", "http://", "https://a?b"])
    func urls(_ text: String) {
        #expect(throws: ServerAPIError.self) {
            try VerifyReceiptClient(url: text, password: "secret")
        }
    }
}

import AppStoreSigning
import AppStoreWire
import ServerAPIClient
import SubscriptionRules
import Synchronization
import TestFloor
import TestSupport
import Testing

/// A server that answers from a script, the last answer again and again, and a client whose waits
/// are written down.
private final class Script: Sendable {
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

    init(_ answers: [String]) throws {
        let record = Record()
        self.record = record
        server = try RawServer(replying: { _ in
            let answer = answers[min(record.nextNumber(), answers.count - 1)]
            return RawServer.Reply(Array(answer.utf8), .closes)
        })
    }

    /// How long the client waited, in order; nobody really waits.
    var waits: [Duration] { record.waits }

    func client(
        keys: [APIKey] = [Keys.first], retries: RequestRetries = RequestRetries(),
        limits: RequestLimits = .none, timeout: Duration = .seconds(60)
    ) throws -> ServerAPIClient {
        let record = record
        return try ServerAPIClient(
            baseURL: server.url + "/", bundleID: World.bundleID, key: keys[0],
            otherKeys: Array(keys.dropFirst()), limits: limits, retries: retries,
            timeout: timeout, machineTime: { Machine.now }, wait: { record.wait($0) },
            uptime: { .zero }, chance: { 1000 })
    }

    /// The keys that the requests were signed with.
    var keyIDs: [String] {
        server.requests.map { request in
            let prefix = "authorization: bearer "
            let field = request.fields.first { $0.lowercased().hasPrefix(prefix) } ?? ""
            let token = String(field.dropFirst(prefix.count))
            return (try? RequestTokenCache().claim(of: token).keyID) ?? "none"
        }
    }

    deinit { server.close() }
}

private enum Answer {
    static let found = json(200, #"{"signedTransactionInfo":"h.p.s"}"#)

    static func json(_ status: Int, _ body: String, _ fields: String = "") -> String {
        "HTTP/1.1 \(status) Whatever\r\nContent-Type: application/json\r\n\(fields)"
            + "Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    static func error(_ code: Int64, retryAfter: String? = nil) -> String {
        json(
            Int(code / 10_000), #"{"errorCode":\#(code),"errorMessage":"no"}"#,
            retryAfter.map { "Retry-After: \($0)\r\n" } ?? "")
    }
}

@Suite("The client of the App Store Server API, and servers that fail")
struct RetryTests {
    private let soon = Machine.now + .seconds(30)

    @Test(
        "What may pass is asked again",
        arguments: [
            Answer.error(4_040_002), Answer.error(4_040_004), Answer.error(4_040_006),
            Answer.error(5_000_001), Answer.error(4_290_000), Answer.json(429, ""),
            Answer.json(503, "busy"), "",
        ])
    func retried(answer: String) async throws {
        let script = try Script([answer, answer, Answer.found])
        let reply = try await script.client().transactionInfo("1")
        #expect(reply.signedTransactionInfo == "h.p.s")
        #expect(script.server.requests.count == 3)
        #expect(script.waits.count == 2)
    }

    @Test(
        "What will not pass is asked once",
        arguments: [
            (Answer.error(4_040_010), 4_040_010), (Answer.error(5_000_000), 5_000_000),
            (Answer.error(4_000_006), 4_000_006), (Answer.json(500, ""), nil),
            (Answer.json(404, "<html>"), nil), (Answer.json(400, "[]"), nil),
        ] as [(String, Int64?)])
    func refused(answer: String, code: Int64?) async throws {
        let script = try Script([answer])
        let client = try script.client()
        let error = await #expect(throws: ServerAPIError.self) {
            try await client.transactionInfo("1")
        }
        #expect(error?.kind == .refused)
        #expect(error?.errorCode == code)
        #expect(error?.errorMessage == (code == nil ? nil : "no"))
        #expect(error?.canBeRetried == false)
        #expect(script.server.requests.count == 1)
    }

    @Test("Attempts are bounded, and waits grow twofold up to the longest")
    func bounded() async throws {
        let script = try Script([Answer.error(5_000_001)])
        let client = try script.client(
            retries: RequestRetries(
                attempts: 6, firstDelay: .seconds(1), longestDelay: .seconds(5)))
        let error = await #expect(throws: ServerAPIError.self) {
            try await client.transactionInfo("1")
        }
        #expect(error?.errorCode == 5_000_001)
        #expect(error?.canBeRetried == true)
        #expect(script.server.requests.count == 6)
        #expect(script.waits == [1, 2, 4, 5, 5].map { Duration.seconds($0) })
    }

    @Test("`Retry-After` is a moment in milliseconds, and is waited for")
    func retryAfter() async throws {
        let script = try Script([
            Answer.error(4_290_000, retryAfter: "\(soon.milliseconds)"), Answer.found,
        ])
        _ = try await script.client().transactionInfo("1")
        #expect(script.waits == [.seconds(30)])
    }

    @Test(
        "A `Retry-After` that is no such moment, or is past, changes nothing",
        arguments: ["30", "-1", "99999999999999999999", "4102444800000", "1767225600000", "soon"])
    func otherRetryAfter(text: String) async throws {
        let script = try Script([Answer.error(4_290_000, retryAfter: text), Answer.found])
        _ = try await script.client().transactionInfo("1")
        #expect(script.waits == [.milliseconds(500)])
    }

    @Test("A moment that is too far away is not waited for, but told")
    func farRetryAfter() async throws {
        let moment = Machine.now + .hours(1)
        let script = try Script([
            Answer.error(4_290_000, retryAfter: "\(moment.milliseconds)"), Answer.found,
        ])
        let client = try script.client()
        let error = await #expect(throws: ServerAPIError.self) {
            try await client.transactionInfo("1")
        }
        #expect(error?.retryAfter == moment)
        #expect(error?.canBeRetried == true)
        #expect(script.waits.isEmpty)
    }

    @Test("A 401 brings the next key, which then stays the first")
    func keys() async throws {
        let script = try Script([Answer.json(401, "Unauthenticated"), Answer.found])
        let client = try script.client(keys: [Keys.first, Keys.second])
        _ = try await client.transactionInfo("1")
        _ = try await client.transactionInfo("1")
        #expect(
            script.keyIDs == [Keys.first, Keys.second, Keys.second].map(\.keyID))
        #expect(script.waits.isEmpty)
    }

    @Test("With every key refused, each was tried once")
    func noKey() async throws {
        let script = try Script([Answer.json(401, "Unauthenticated")])
        let client = try script.client(keys: [Keys.first, Keys.second])
        let error = await #expect(throws: ServerAPIError.self) {
            try await client.transactionInfo("1")
        }
        #expect(error?.status == 401)
        #expect(script.keyIDs == [Keys.first, Keys.second].map(\.keyID))
    }

    @Test(
        "An answer that nobody can read is an error of its own",
        arguments: [
            Answer.json(200, ""), Answer.json(200, "{}"), Answer.json(200, "<html>"),
            Answer.json(200, #"{"signedTransactionInfo":7}"#), "HTTP/1.1 042 Whatever\r\n\r\n",
            "hello\r\n\r\n",
        ])
    func unreadable(answer: String) async throws {
        let script = try Script([answer])
        let client = try script.client()
        let error = await #expect(throws: ServerAPIError.self) {
            try await client.transactionInfo("1")
        }
        #expect(error?.kind == .unreadableReply)
        #expect(script.server.requests.count == 1)
    }

    @Test("Pages that name no next one though there are more end in an error")
    func endlessPages() async throws {
        for token in ["", #","paginationToken":"p1""#] {
            let script = try Script([
                Answer.json(200, #"{"notificationHistory":[],"hasMore":true\#(token)}"#)
            ])
            let pages = try script.client().notificationHistoryPages(
                NotificationHistoryRequest(startDate: 1, endDate: 2))
            let error = await #expect(throws: ServerAPIError.self) {
                for try await _ in pages {}
            }
            #expect(error?.kind == .unreadableReply)
            #expect(script.server.requests.count == (token.isEmpty ? 1 : 2))
        }
    }

    @Test("Values are encoded in path and query, and the body is JSON")
    func requests() async throws {
        let script = try Script([Answer.error(4_000_000)])
        let client = try script.client()
        var request = TransactionHistoryRequest()
        request.productIDs = ["a b", "c&d"]
        request.revoked = false
        let history = request
        _ = try? await client.transactionHistory(of: "1/../2?x", history)
        _ = try? await client.setAppAccountToken("x", of: "1")
        _ = try? await client.requestTestNotification()
        #expect(
            script.server.requests.map(\.line) == [
                "GET /inApps/v2/history/1%2F..%2F2%3Fx?revoked=false&productId=a%20b"
                    + "&productId=c%26d HTTP/1.1",
                "PUT /inApps/v1/transactions/1/appAccountToken HTTP/1.1",
                "POST /inApps/v1/notifications/test HTTP/1.1",
            ])
        #expect(script.server.requests[1].body == #"{"appAccountToken":"x"}"#)
    }

    @Test("An identifier that would name another path is not sent", arguments: ["", ".", ".."])
    func emptyIdentifier(id: String) async throws {
        let script = try Script([Answer.found])
        let client = try script.client()
        let error = await #expect(throws: ServerAPIError.self) {
            try await client.transactionInfo(id)
        }
        #expect(error?.kind == .unusableRequest)
        #expect(script.server.requests.isEmpty)
    }

    @Test(
        "What is no URL of a server is refused at once",
        arguments: [
            "", "api.example", "ftp://api.example", "http://", "http://a:99999", "http://a?b",
        ])
    func noURL(text: String) {
        let error = #expect(throws: ServerAPIError.self) {
            try ServerAPIClient(baseURL: text, bundleID: World.bundleID, key: Keys.first)
        }
        #expect(error?.kind == .unusableRequest)
    }
}

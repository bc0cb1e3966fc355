import Push
import SubscriptionRules
import Testing

/// An answer of APNs, and what it means.
struct AnswerRow: Sendable, CustomTestStringConvertible {
    let status: Int
    let reason: String
    let outcome: PushOutcome
    var timestamp: Int64?

    var testDescription: String { "\(status) \(reason)" }

    var body: String {
        let moment = timestamp.map { ",\"timestamp\":\($0)" } ?? ""
        return "{\"reason\":\"\(reason)\"\(moment)}"
    }

    private static func reply(_ status: Int, _ reason: String) -> PushReply {
        PushReply(status: status, reason: reason)
    }

    private static func refused(_ status: Int, _ reason: String) -> AnswerRow {
        AnswerRow(status: status, reason: reason, outcome: .refused(reply(status, reason)))
    }

    private static func wrongDevice(_ status: Int, _ reason: String) -> AnswerRow {
        AnswerRow(status: status, reason: reason, outcome: .wrongDevice(reply(status, reason)))
    }

    private static func notConfigured(_ status: Int, _ reason: String) -> AnswerRow {
        AnswerRow(status: status, reason: reason, outcome: .notConfigured(reply(status, reason)))
    }

    private static func gone(_ reason: String, _ moment: Int64?, _ since: Instant?) -> AnswerRow {
        AnswerRow(
            status: 410, reason: reason, outcome: .tokenGone(since: since), timestamp: moment)
    }

    private static func retry(_ status: Int, _ reason: String, minutes: Int) -> AnswerRow {
        AnswerRow(
            status: status, reason: reason,
            outcome: .retry(
                after: .seconds(minutes * 60), .reply(reply(status, reason))))
    }

    /// Every reason that is known.
    static let known: [AnswerRow] = [
        refused(400, "BadCollapseId"), refused(400, "BadExpirationDate"),
        refused(400, "BadMessageId"), refused(400, "BadPriority"), refused(400, "BadTopic"),
        refused(400, "DuplicateHeaders"), refused(400, "InvalidPushType"),
        refused(400, "MissingTopic"), refused(400, "PayloadEmpty"),
        refused(400, "TopicDisallowed"), refused(400, "MissingDeviceToken"),
        refused(400, "IdleTimeout"), wrongDevice(400, "BadDeviceToken"),
        wrongDevice(400, "DeviceTokenNotForTopic"), notConfigured(403, "ExpiredProviderToken"),
        notConfigured(403, "InvalidProviderToken"), notConfigured(403, "MissingProviderToken"),
        notConfigured(403, "BadCertificate"), notConfigured(403, "BadCertificateEnvironment"),
        notConfigured(403, "UnrelatedKeyIdInToken"),
        notConfigured(403, "BadEnvironmentKeyIdInToken"), notConfigured(403, "Forbidden"),
        gone("Unregistered", 1_799_999_000_123, Instant(milliseconds: 1_799_999_000_123)),
        gone("ExpiredToken", 1_799_999_000_123, Instant(milliseconds: 1_799_999_000_123)),
        refused(404, "BadPath"), refused(405, "MethodNotAllowed"),
        refused(413, "PayloadTooLarge"), retry(429, "TooManyRequests", minutes: 0),
        retry(429, "TooManyProviderTokenUpdates", minutes: 20),
        retry(500, "InternalServerError", minutes: 15),
        retry(503, "ServiceUnavailable", minutes: 15), retry(503, "Shutdown", minutes: 15),
    ]

    /// Reasons that are new, and moments that are none.
    static let odd: [AnswerRow] = [
        refused(400, "SomethingNew"), notConfigured(403, "SomethingNew"),
        refused(404, "SomethingNew"), refused(413, "SomethingNew"),
        retry(429, "SomethingNew", minutes: 0), retry(500, "SomethingNew", minutes: 15),
        retry(502, "", minutes: 15), retry(302, "", minutes: 0), refused(418, ""),
        gone("SomethingNew", 1_799_999_000_123, Instant(milliseconds: 1_799_999_000_123)),
        gone("Unregistered", nil, nil), gone("Unregistered", 1_799_999_000, nil),
        gone("Unregistered", -1, nil), gone("Unregistered", .max, nil),
        // The reason says more than the status that came with it.
        wrongDevice(500, "BadDeviceToken"),
    ]
}

@Suite("Pushes: what APNs answers")
struct APNsReasonTests {
    private func outcome(_ status: Int, _ body: String, apnsID: String? = nil) throws -> PushOutcome
    {
        APNsAnswer(status: status, apnsID: apnsID, body: Array(body.utf8))
            .outcome(of: try Sample.push())
    }

    @Test("Every reason has its outcome", arguments: AnswerRow.known + AnswerRow.odd)
    func reasons(row: AnswerRow) throws {
        #expect(try outcome(row.status, row.body) == row.outcome)
    }

    @Test("No reason is left out")
    func complete() {
        let reasons = AnswerRow.known.map(\.reason)
        #expect(Set(reasons) == Set(APNsReason.allCases.map(\.rawValue)))
        #expect(reasons.count == APNsReason.allCases.count)
    }

    @Test("A push that was taken has the identifier that APNs names, or its own")
    func sent() throws {
        #expect(try outcome(200, "", apnsID: Sample.otherID) == .sent(apnsID: Sample.otherID))
        #expect(try outcome(200, "") == .sent(apnsID: Sample.id))
    }

    @Test(
        "An answer that is no JSON is judged by its status",
        arguments: ["", "<html>", "[]", "null", "{\"reason\":7}", "{\"reason\":\"Bad"])
    func noJSON(body: String) throws {
        #expect(try outcome(400, body) == .refused(PushReply(status: 400, reason: "")))
        #expect(try outcome(410, body) == .tokenGone(since: nil))
        #expect(
            try outcome(503, body)
                == .retry(
                    after: .seconds(900), .reply(PushReply(status: 503, reason: ""))))
    }

    @Test("A reason is shown in one short line")
    func longReason() {
        let reply = PushReply(
            status: 400, reason: "Two\nlines" + String(repeating: "x", count: 200))
        #expect(reply.reason.count == 100)
        #expect(reply.reason.hasPrefix("Two linesx"))
    }

    @Test("Only an expired provider token asks for another one")
    func newToken() {
        for row in AnswerRow.known {
            let answer = APNsAnswer(
                status: row.status, apnsID: nil, body: Array(row.body.utf8))
            #expect(answer.asksForNewToken == (row.reason == "ExpiredProviderToken"))
        }
    }
}

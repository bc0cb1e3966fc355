/// Posts a body to somebody's server.
public protocol Post: Sendable {
    /// Posts JSON and says what came of it; never throws, since every failure is an outcome.
    ///
    /// - Parameter url: one that is no `PostURL` is `unusable`.
    func post(_ body: [UInt8], to url: String) async -> PostOutcome
}

/// What came of a post.
public enum PostOutcome: Sendable, Hashable {
    /// The server answered with this status, 200 or any other.
    case answered(status: Int)
    /// There was no answer in time.
    case timedOut
    /// Nobody could be agreed with on how to encrypt.
    case tlsIssue
    /// The connection could not be made, or broke.
    case socketIssue
    /// The server ended the connection instead of answering.
    case prematureClose
    /// What came was no answer over HTTP.
    case invalidResponse
    /// The server sent the message around in a circle, or too far.
    case circularRedirect
    /// There was no answer, for another reason.
    case noResponse
    /// There is nothing that could be posted to.
    case unusable
}

package import Hummingbird
package import SubscriptionRules

/// How a surface tells errors, and how they are described.
package protocol ErrorForm: Sendable {
    /// The answer to what a request can meet at any endpoint.
    func answer(to trouble: RequestTrouble) -> Response

    /// The answer to an error that an endpoint has thrown; nil where no caller could bring it
    /// about, which is then a failure of the program's own.
    func answer(to error: any Error) -> Response?

    /// Every error that an operation can answer, its own among them; they may be named twice.
    func failures(of operation: OperationDescription) -> [OperationDescription.Failure]

    /// The member of an error that programs branch on.
    var codeMember: String { get }

    /// Whether the codes are whole numbers, or else texts.
    var hasNumbers: Bool { get }

    /// The header fields that an answer of a status always has, each with what it is.
    func fields(of status: Int) -> [(name: String, about: String)]

    /// The same as whoever sent a request can read it, such as in another language.
    func speaking(to request: Request) -> any ErrorForm
}

extension ErrorForm {
    /// Most tell everybody the same.
    package func speaking(to request: Request) -> any ErrorForm { self }
}

/// What a request can meet at any endpoint.
package enum RequestTrouble: Sendable {
    /// It shows no token, or a wrong one.
    case unauthenticated
    /// It has come too often.
    case tooOften(RateLimitExceeded)
    /// Its body is larger than so many bytes.
    case bodyTooLarge(limit: Int)
    /// There is nothing at its path.
    case unknownPath(String)
    /// Its path takes other methods, which are named.
    case methodNotAllowed(String)
    /// Something failed that is likely to go well soon.
    ///
    /// - Parameter now: what the machine's clock shows.
    case passing(PassingFailure, now: Instant)
    /// Something failed that should not; the log has it under the request's identifier.
    case failed(any Error, request: String)
}

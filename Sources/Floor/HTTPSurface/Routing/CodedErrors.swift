import HTTPTypes
package import Hummingbird
import SubscriptionRules

/// Errors as our own surfaces tell them: a code that programs branch on, and a sentence.
package struct CodedErrors: ErrorForm {
    /// What the program is called in sentences: `store`.
    private let program: String
    private let translate: @Sendable (any Error) -> ErrorBody?
    private let explain: @Sendable (_ failure: any Error, _ request: String) -> ErrorBody?

    /// - Parameters:
    ///   - program: what it is called in sentences, such as `store`.
    ///   - translate: tells the program's own errors; nil for those of nobody's asking.
    ///   - explain: says more of a failure than that there was one; nil where there is no more.
    package init(
        program: String, translate: @escaping @Sendable (any Error) -> ErrorBody? = { _ in nil },
        explain: @escaping @Sendable (_ failure: any Error, _ request: String) -> ErrorBody? = {
            _, _ in nil
        }
    ) {
        self.program = program
        self.translate = translate
        self.explain = explain
    }

    package func answer(to error: any Error) -> Response? {
        let complaint = (error as? ErrorBody) ?? translate(error)
        // A complaint of 500 is for the log.
        return complaint.flatMap { $0.status == .internalServerError ? nil : $0.response }
    }

    package func answer(to trouble: RequestTrouble) -> Response {
        var response = complaint(about: trouble).response
        switch trouble {
        case .passing(let passing, _):
            response.headers[.retryAfter] = String(passing.pause.milliseconds / 1000)
        case .tooOften(let limit):
            response.headers[.retryAfter] = String((limit.pause.milliseconds + 999) / 1000)
        default: break
        }
        return response
    }

    private func complaint(about trouble: RequestTrouble) -> ErrorBody {
        switch trouble {
        case .unauthenticated:
            ErrorBody(
                .unauthorized, "unauthenticated",
                "The request needs a valid token: send it as Authorization: Bearer and the token.")
        case .tooOften:
            ErrorBody(
                .tooManyRequests, "tooManyRequests",
                "There were too many requests: Retry-After says when the next one may come.")
        case .bodyTooLarge(let limit):
            ErrorBody(
                .contentTooLarge, "bodyTooLarge",
                "The body is too large: send at most \(limit) bytes.")
        case .unknownPath:
            ErrorBody(
                .notFound, "unknownPath",
                "There is nothing at this path: see /openapi.json for what there is.")
        case .methodNotAllowed(let methods):
            ErrorBody(.methodNotAllowed, "methodNotAllowed", "This path takes only \(methods).")
        case .passing(.busy, _):
            ErrorBody(
                .serviceUnavailable, "busy",
                "The \(program) is busy, and nothing was done: try again in a moment.")
        case .passing(.unreachable, _):
            ErrorBody(
                .serviceUnavailable, "databaseUnavailable",
                "The \(program) cannot reach its database: try again in a moment, with the same "
                    + "Idempotency-Key where there is one, since it may have been done.")
        case .failed(let error, let request):
            explain(error, request)
                ?? ErrorBody(
                    .internalServerError, "internal",
                    "Something went wrong in the \(program); its log has request \(request).")
        }
    }

    // MARK: Descriptions

    package var codeMember: String { "error" }
    package var hasNumbers: Bool { false }

    package func fields(of status: Int) -> [(name: String, about: String)] {
        switch status {
        case 401: [("WWW-Authenticate", "Always Bearer.")]
        case 405: [("Allow", "The methods that the path takes.")]
        case 429, 503:
            [("Retry-After", "After how many seconds it is worth trying again.")]
        default: []
        }
    }

    package func failures(
        of operation: OperationDescription
    ) -> [OperationDescription.Failure] {
        let access = operation.access
        var all = operation.failures
        if access != .tools { all.append(.init(.badRequest, "unknownParameter")) }
        if operation.parameters.contains(where: { $0.place != .path }) {
            all.append(.init(.badRequest, "invalidMember"))
        }
        switch operation.body {
        case .none: break
        case .members(let schema):
            all += ["malformedJSON", "unknownMember", "missingMember", "invalidMember"]
                .map { .init(.badRequest, $0) }
            if let code = schema.codeOfOtherMembers { all.append(.init(.badRequest, code)) }
            all.append(.init(.unsupportedMediaType, "notJSON"))
        case .file:
            all.append(.init(.unsupportedMediaType, "notJSON"))
        }
        if access.token != nil { all.append(.init(.unauthorized, "unauthenticated")) }
        // What is there without the database is there without it.
        if access != .tools { all.append(.init(.serviceUnavailable, "busy")) }
        if access != .tools { all.append(.init(.serviceUnavailable, "databaseUnavailable")) }
        return all + [
            .init(.methodNotAllowed, "methodNotAllowed"),
            .init(.contentTooLarge, "bodyTooLarge"), .init(.internalServerError, "internal"),
        ]
    }
}

extension ErrorBody {
    /// The complaint as a reply.
    fileprivate var response: Response {
        var response = Response.json(self, status: status)
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }
}

extension Schema {
    /// What a body is refused with that has members which do not go together.
    fileprivate var codeOfOtherMembers: String? {
        switch kind {
        case .object(let members): members.count?.code
        case .variants(let variants): variants.code
        default: nil
        }
    }
}

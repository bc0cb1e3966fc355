import AppStoreWire
import HTTPTypes

extension OperationDescription {
    /// An error that an operation can answer.
    struct Failure: Sendable, Hashable {
        let status: HTTPResponse.Status
        /// What programs branch on, of either surface; nil where the status is all there is.
        let code: String?
        /// What the App Store Server API calls it.
        var name: String?

        init(_ status: HTTPResponse.Status, _ code: String) {
            self.status = status
            self.code = code
        }

        /// One of Apple's errors.
        init(_ error: APIError) {
            status = .init(code: error.status)
            code = String(error.code)
            name = error.name
        }

        /// A status without a code.
        init(bare status: HTTPResponse.Status) {
            self.status = status
            code = nil
        }
    }

    /// Every error that can be answered, each once: the operation's own, those that follow from
    /// what it takes and who may call, and those that every request can meet.
    var allFailures: [Failure] {
        let all = access == .developer ? failuresOfServerAPI : failuresOfOurs
        return all.reduce(into: []) { each, failure in
            if !each.contains(failure) { each.append(failure) }
        }
    }

    private var failuresOfOurs: [Failure] {
        var all = failures
        if access != .tools { all.append(.init(.badRequest, "unknownParameter")) }
        if parameters.contains(where: { $0.place != .path }) {
            all.append(.init(.badRequest, "invalidMember"))
        }
        switch body {
        case .none: break
        case .members(let schema):
            all += ["malformedJSON", "unknownMember", "missingMember", "invalidMember"]
                .map { .init(.badRequest, $0) }
            if let code = schema.codeOfOtherMembers { all.append(.init(.badRequest, code)) }
            all.append(.init(.unsupportedMediaType, "notJSON"))
        case .file:
            all.append(.init(.unsupportedMediaType, "notJSON"))
        }
        if access == .device || access == .theOperator {
            all.append(.init(.unauthorized, "unauthenticated"))
        }
        // What is there without the database is there without it.
        if access != .tools { all.append(.init(.serviceUnavailable, "busy")) }
        if access != .tools { all.append(.init(.serviceUnavailable, "databaseUnavailable")) }
        return all + [
            .init(.methodNotAllowed, "methodNotAllowed"),
            .init(.contentTooLarge, "bodyTooLarge"), .init(.internalServerError, "internal"),
        ]
    }

    private var failuresOfServerAPI: [Failure] {
        var all = failures + parameters.compactMap(\.error).map { .init($0) }
        if case .members(let schema) = body, case .object(let members) = schema.kind {
            all += members.all.compactMap(\.error).map { .init($0) }
            all += members.all.compactMap(\.emptyError).map { .init($0) }
            all.append(.init(bare: .badRequest))
        }
        return all + [
            .init(bare: .unauthorized), .init(.appNotFound), .init(bare: .methodNotAllowed),
            .init(bare: .contentTooLarge), .init(.rateLimitExceeded), .init(.generalInternal),
            .init(.generalInternalRetryable),
        ]
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

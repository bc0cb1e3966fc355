import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

/// Errors as the App Store Server API tells them: Apple's codes, and a status and nothing else
/// where it has none.
struct ServerAPIErrors: ErrorForm {
    func answer(to error: any Error) -> Response? {
        if let error = error as? APIError {
            return .json(error, status: .init(code: error.status))
        }
        guard let error = error as? StoreError else { return nil }
        let answer = APIError(error)
        return answer.status == 500 ? nil : .json(answer, status: .init(code: answer.status))
    }

    func answer(to trouble: RequestTrouble) -> Response {
        switch trouble {
        case .unauthenticated:
            // It has no JSON body (API-2).
            var response = Response.text("Unauthenticated\n", status: .unauthorized)
            response.headers[.wwwAuthenticate] = "Bearer"
            return response
        case .tooOften(let limit):
            // The next allowed moment in UNIX milliseconds: neither a number of seconds nor a
            // date, as HTTP would have it (API-3, "Rate limits").
            var response = Response.json(APIError.rateLimitExceeded, status: .tooManyRequests)
            response.headers[.retryAfter] = String(limit.nextAllowed.milliseconds)
            return response
        case .bodyTooLarge:
            return .empty(.contentTooLarge)
        case .unknownPath(let path) where Self.isRetentionMessaging(path):
            // Apple answers those without a grant with a 404 that has no code; official clients
            // read a code from JSON alone, and report the bare status here too.
            return .text(
                "Retention messaging is not part of Perennial: nothing under /inApps/v1/messaging "
                    + "exists.\n", status: .notFound)
        case .unknownPath:
            // Apple publishes no body for a path that does not exist: official clients then report
            // the bare status, and nobody mistakes it for one of the 404s that have a code.
            return .empty(.notFound)
        case .methodNotAllowed:
            return .empty(.methodNotAllowed)
        case .passing(let passing, let now):
            // Apple has no 503: its retryable error says the same, and `Retry-After` is a moment
            // as with its 429.
            var response = Response.json(
                APIError.generalInternalRetryable, status: .internalServerError)
            response.headers[.retryAfter] = String((now + passing.pause).milliseconds)
            return response
        case .failed:
            return .json(APIError.generalInternal, status: .internalServerError)
        }
    }

    private static func isRetentionMessaging(_ path: String) -> Bool {
        Array(path.split(separator: "/").prefix(3)) == ["inApps", "v1", "messaging"]
    }

    // MARK: Descriptions

    var codeMember: String { "errorCode" }
    var hasNumbers: Bool { true }

    func fields(of status: Int) -> [(name: String, about: String)] {
        switch status {
        case 401: [("WWW-Authenticate", "Always Bearer.")]
        case 405: [("Allow", "The methods that the path takes.")]
        case 429:
            [
                (
                    "Retry-After",
                    "The next allowed moment, in milliseconds since 1970: no number of seconds."
                )
            ]
        default: []
        }
    }

    func failures(of operation: OperationDescription) -> [OperationDescription.Failure] {
        var all = operation.failures + operation.parameters.compactMap(\.error?.failure)
        if case .members(let schema) = operation.body, case .object(let members) = schema.kind {
            all += members.all.compactMap(\.error?.failure)
            all += members.all.compactMap(\.emptyError?.failure)
            all.append(.init(.generalBadRequest))
        }
        return all + [
            .init(bare: .unauthorized), .init(.appNotFound), .init(bare: .methodNotAllowed),
            .init(bare: .contentTooLarge), .init(.rateLimitExceeded), .init(.generalInternal),
            .init(.generalInternalRetryable),
        ]
    }
}

import HTTPTypes
import Hummingbird
import Logging

/// On what occasion an error came up, for the log.
struct Occasion {
    /// The path of the endpoint; nil where there is none.
    let route: String?
    /// The request's identifier in the log.
    let id: String
    let log: Logger
}

/// The one place where errors become answers. Nothing of an internal error leaves the server.
extension EndpointServer {
    func answer(to error: any Error, of request: Request, _ occasion: Occasion) -> Response {
        let errors = table.surface(ofRoute: occasion.route, path: request.uri.path).errors
            .speaking(to: request)
        switch error {
        case is DatabaseIsAway:
            return errors.answer(to: .passing(.unreachable, now: machineTime()))
        case is Unauthenticated:
            return errors.answer(to: .unauthenticated)
        case let error as RateLimitExceeded:
            return errors.answer(to: .tooOften(error))
        case let error as BodyTooLarge:
            return errors.answer(to: .bodyTooLarge(limit: error.limit))
        case let error as HTTPError where error.status == .notFound:
            return notFound(request, errors)
        default:
            return errors.answer(to: error) ?? failure(error, errors, occasion)
        }
    }

    private func notFound(_ request: Request, _ errors: any ErrorForm) -> Response {
        let methods = table.methods(ofPath: request.uri.path)
        guard !methods.isEmpty else { return errors.answer(to: .unknownPath(request.uri.path)) }
        let allow = methods.map(\.rawValue).joined(separator: ", ")
        var response = errors.answer(to: .methodNotAllowed(allow))
        response.headers[.allow] = allow
        return response
    }

    /// Something that should not have happened: the details are for the log alone.
    private func failure(
        _ error: any Error, _ errors: any ErrorForm, _ occasion: Occasion
    ) -> Response {
        let passing = PassingFailure(error)
        // Every request of an outage would say the same; the background work says it once.
        occasion.log.log(
            level: passing == nil ? .error : .info, "request failed",
            metadata: [
                "route": "\(occasion.route ?? "NotFound")", "error": "\(error)",
                name.label: "\(name.value)",
            ])
        guard let passing else {
            return errors.answer(to: .failed(error, request: occasion.id))
        }
        return errors.answer(to: .passing(passing, now: machineTime()))
    }
}

import HTTPTypes
import Hummingbird
import Logging
import TimeAndChance
import TimeAndChance

/// The outermost layer: counts every request and turns everything that is thrown into the answer
/// that the surface has for it. Nothing of an internal error leaves the server.
struct Reception<Site: Sendable>: RouterMiddleware {
    typealias Context = BasicRequestContext

    let server: EndpointServer<Site>

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let started = SystemTime.uptime()
        var response: Response
        do {
            try refuseLargeBody(of: request)
            response = try await next(request, context)
        } catch let error as BodyUnreadable {
            // Hummingbird closes the connection, after a 400 where the HTTP itself was broken.
            throw error.cause
        } catch let error as LastAnswer {
            response = answer(error.cause, request, context)
            response.headers[.connection] = "close"
        } catch {
            response = answer(error, request, context)
        }
        if request.method == .head { response = response.createHeadResponse() }
        let took = SystemTime.uptime() - started
        server.metrics.count(
            MetricsRegistry.Label(
                server: server.name, method: request.method,
                route: context.endpointPath ?? "NotFound", status: response.status.code),
            took: took)
        context.logger.debug(
            "request answered",
            metadata: [
                "method": "\(request.method)", "route": "\(context.endpointPath ?? "NotFound")",
                "status": "\(response.status.code)", "took": "\(took)",
            ])
        return response
    }

    /// Refuses a body whose length is said to be over the limit, also where no body is read.
    private func refuseLargeBody(of request: Request) throws {
        let usual = server.limits.body
        guard let length = request.headers[.contentLength].flatMap(Int.init), length > usual
        else { return }
        let limit =
            server.table.takesFile(request.method, request.uri.path)
            ? server.limits.file : usual
        if length > limit { throw BodyTooLarge(limit: limit) }
    }

    private func answer(_ error: any Error, _ request: Request, _ context: Context) -> Response {
        let errors =
            server.table.surface(ofRoute: context.endpointPath, path: request.uri.path).errors
        switch error {
        case let bare as BareStatus:
            return .empty(bare.status)
        case is DatabaseIsAway:
            return errors.answer(to: .passing(.unreachable, now: server.machineTime()))
        case is Unauthenticated:
            return errors.answer(to: .unauthenticated)
        case let error as RateLimitExceeded:
            return errors.answer(to: .tooOften(error))
        case let error as BodyTooLarge:
            return errors.answer(to: .bodyTooLarge(limit: error.limit))
        case let error as HTTPError where error.status == .notFound:
            return notFound(request, errors)
        default:
            return errors.answer(to: error) ?? failure(error, errors, context)
        }
    }

    private func notFound(_ request: Request, _ errors: any ErrorForm) -> Response {
        let methods = server.table.methods(ofPath: request.uri.path)
        guard !methods.isEmpty else { return errors.answer(to: .unknownPath) }
        let allow = methods.map(\.rawValue).joined(separator: ", ")
        var response = errors.answer(to: .methodNotAllowed(allow))
        response.headers[.allow] = allow
        return response
    }

    /// Something that should not have happened: the details are for the log alone.
    private func failure(
        _ error: any Error, _ errors: any ErrorForm, _ context: Context
    ) -> Response {
        let passing = PassingFailure(error)
        // Every request of an outage would say the same; the background work says it once.
        context.logger.log(
            level: passing == nil ? .error : .info, "request failed",
            metadata: [
                "route": "\(context.endpointPath ?? "NotFound")", "error": "\(error)",
                server.name.label: "\(server.name.value)",
            ])
        guard let passing else {
            return errors.answer(to: .failed(error, request: "\(context.id)"))
        }
        return errors.answer(to: .passing(passing, now: server.machineTime()))
    }
}

import HTTPTypes
import Hummingbird
import Logging
import TimeAndChance
import TimeAndChance

/// The outermost layer: counts every request and turns everything that is thrown into the answer
/// that the surface has for it.
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
            response = server.answer(to: error.cause, of: request, context.occasion)
            response.headers[.connection] = "close"
        } catch {
            response = server.answer(to: error, of: request, context.occasion)
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
}

extension BasicRequestContext {
    fileprivate var occasion: Occasion {
        Occasion(route: endpointPath, id: "\(id)", log: logger)
    }
}

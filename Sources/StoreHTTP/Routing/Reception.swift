import AppStoreWire
import HTTPTypes
import Hummingbird
import Logging
import Store
import SubscriptionRules
import TimeAndChance

/// The outermost layer: counts every request and turns everything that is thrown into the answer
/// that the surface has for it. Nothing of an internal error leaves the server.
struct Reception: RouterMiddleware {
    typealias Context = BasicRequestContext

    let server: StoreServer
    let table: RouteTable

    private var environment: StoreEnvironment { table.environment }

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
                environment: environment, method: request.method,
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
        let usual = server.options.bodyLimit
        guard let length = request.headers[.contentLength].flatMap(Int.init), length > usual
        else { return }
        let limit =
            table.takesFile(request.method, request.uri.path)
            ? server.options.fileLimit : usual
        if length > limit { throw BodyTooLarge(limit: limit) }
    }

    private func answer(_ error: any Error, _ request: Request, _ context: Context) -> Response {
        let surface = Surface(path: request.uri.path)
        switch error {
        case let error as APIError:
            return .json(error, status: .init(code: error.status))
        case let limit as RateLimitExceeded:
            return limit.response
        case let complaint as ErrorBody:
            return complaint.response
        case let error as StoreError:
            return answer(error, on: surface, context)
        case let bare as BareStatus:
            return .empty(bare.status)
        case is DatabaseIsAway:
            return answer(.unreachable, on: surface)
        case is Unauthenticated:
            return unauthenticated(on: surface)
        case let error as BodyTooLarge:
            return tooLarge(error, on: surface)
        case let error as HTTPError where error.status == .notFound:
            return notFound(request, on: surface)
        default:
            return failure(error, on: surface, context)
        }
    }

    private func answer(
        _ error: StoreError, on surface: Surface, _ context: Context
    ) -> Response {
        switch surface {
        case .serverAPI:
            let answer = APIError(error)
            if answer.status == 500 { return failure(error, on: surface, context) }
            return .json(answer, status: .init(code: answer.status))
        case .own:
            let complaint = ErrorBody(error)
            if complaint.status == .internalServerError {
                return failure(error, on: surface, context)
            }
            return complaint.response
        }
    }

    /// 401 on the App Store Server API has no JSON body (API-2).
    private func unauthenticated(on surface: Surface) -> Response {
        switch surface {
        case .serverAPI:
            var response = Response.text("Unauthenticated\n", status: .unauthorized)
            response.headers[.wwwAuthenticate] = "Bearer"
            return response
        case .own:
            return ErrorBody(
                .unauthorized, "unauthenticated",
                "The request needs a valid token: send it as Authorization: Bearer and the token."
            ).response
        }
    }

    private func tooLarge(_ error: BodyTooLarge, on surface: Surface) -> Response {
        switch surface {
        case .serverAPI:
            .empty(.contentTooLarge)
        case .own:
            ErrorBody(
                .contentTooLarge, "bodyTooLarge",
                "The body is too large: send at most \(error.limit) bytes."
            ).response
        }
    }

    /// Apple publishes no body for a path that does not exist, so on the App Store Server API there
    /// is none: official clients then report the bare status, and nobody mistakes it for one of
    /// the 404s that have a code.
    private func notFound(_ request: Request, on surface: Surface) -> Response {
        let methods = table.methods(ofPath: request.uri.path)
        let allow = methods.map(\.rawValue).joined(separator: ", ")
        var response: Response
        switch surface {
        case .serverAPI:
            response = .empty(methods.isEmpty ? .notFound : .methodNotAllowed)
        case .own where methods.isEmpty:
            response =
                ErrorBody(
                    .notFound, "unknownPath",
                    "There is nothing at this path: see /openapi.json for what there is."
                ).response
        case .own:
            response =
                ErrorBody(
                    .methodNotAllowed, "methodNotAllowed", "This path takes only \(allow)."
                ).response
        }
        if !methods.isEmpty { response.headers[.allow] = allow }
        return response
    }

    /// Something that should not have happened: the details are for the log alone.
    private func failure(
        _ error: any Error, on surface: Surface, _ context: Context
    ) -> Response {
        let passing = Store.passing(error)
        // Every request of an outage would say the same; the background work says it once.
        context.logger.log(
            level: passing == nil ? .error : .info, "request failed",
            metadata: [
                "route": "\(context.endpointPath ?? "NotFound")", "error": "\(error)",
                "environment": "\(environment)",
            ])
        if let passing { return answer(passing, on: surface) }
        switch surface {
        case .serverAPI:
            return .json(APIError.generalInternal, status: .internalServerError)
        case .own:
            let isDamage = Store.isDamage(error)
            return ErrorBody(
                .internalServerError, isDamage ? "damaged" : "internal",
                isDamage
                    ? "What is stored is damaged: the log says where under request \(context.id), "
                        + "`perennial check` all of it."
                    : "Something went wrong in the store; its log has request \(context.id)."
            ).response
        }
    }

    /// Apple has no 503: there its retryable error says the same, and `Retry-After` is a moment as
    /// with its 429. Ours is HTTP's, in seconds.
    private func answer(_ passing: PassingFailure, on surface: Surface) -> Response {
        var response: Response
        switch surface {
        case .serverAPI:
            response = .json(
                APIError.generalInternalRetryable, status: .internalServerError)
            let moment = server.machineTime() + passing.pause
            response.headers[.retryAfter] = String(moment.milliseconds)
        case .own:
            response = ErrorBody(passing).response
            response.headers[.retryAfter] = String(passing.pause.milliseconds / 1000)
        }
        return response
    }
}

extension ErrorBody {
    fileprivate init(_ passing: PassingFailure) {
        self =
            switch passing {
            case .busy:
                ErrorBody(
                    .serviceUnavailable, "busy",
                    "The store is busy, and nothing was done: try again in a moment.")
            case .unreachable:
                ErrorBody(
                    .serviceUnavailable, "databaseUnavailable",
                    "The store cannot reach its database: try again in a moment, with the same "
                        + "Idempotency-Key where there is one, since it may have been done.")
            }
    }

    /// The complaint as a reply.
    fileprivate var response: Response {
        var response = Response.json(self, status: status)
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }
}

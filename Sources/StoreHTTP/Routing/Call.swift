import AppStoreWire
import HTTPTypes
import Hummingbird
import NIOCore
import Store

/// One request on its way through an endpoint.
struct Call: Sendable {
    let server: StoreServer
    let environment: StoreEnvironment
    let request: Request
    let parameters: Parameters

    var store: Store { server.store }

    /// The query, read at each use.
    var query: QueryString { QueryString(request.uri.query ?? "") }

    /// A path parameter, percent-decoded; nil where the decoding makes no text.
    func parameter(_ name: String) -> String? {
        guard let raw = parameters[name[...]] else {
            preconditionFailure("the path has no parameter \(name)")
        }
        return PercentText.decode(raw)
    }

    /// What stands behind `Bearer` in the Authorization header (RFC 6750 section 2.1).
    func bearerToken() throws(Unauthenticated) -> String {
        guard let header = request.headers[.authorization] else { throw Unauthenticated() }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw Unauthenticated() }
        return String(parts[1])
    }

    /// Does something as long as the client waits for it; the connection ends with the answer.
    ///
    /// - Throws: `BodyUnreadable` when the client has gone, else `LastAnswer`.
    func whileConnected(_ handle: (Call) async throws -> Response) async throws -> Response {
        do {
            var response = try await request.body.consumeWithCancellationOnInboundClose { body in
                var request = request
                request.body = body
                return try await handle(
                    Call(
                        server: server, environment: environment, request: request,
                        parameters: parameters))
            }
            // Hummingbird closes it, since it has read on; whoever keeps connections must know.
            response.headers[.connection] = "close"
            return response
        } catch let error as BodyUnreadable {
            throw error
        } catch let error as CancellationError {
            throw BodyUnreadable(cause: error)
        } catch {
            throw LastAnswer(cause: error)
        }
    }

    /// The whole body.
    ///
    /// - Parameter limit: the most bytes that are read; the server's usual limit unless given.
    /// - Throws: `BodyTooLarge`, or `BodyUnreadable` when the client broke off.
    func body(upTo limit: Int? = nil) async throws -> ByteBuffer {
        let limit = limit ?? server.options.bodyLimit
        do {
            return try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw BodyTooLarge(limit: limit)
        } catch {
            throw BodyUnreadable(cause: error)
        }
    }
}

/// The request shows no token, or a wrong one. Which of the two and why is not told.
struct Unauthenticated: Error {}

/// The request's body is larger than the server takes.
struct BodyTooLarge: Error {
    /// In bytes.
    let limit: Int
}

/// The request's body did not arrive; nobody is left to answer.
struct BodyUnreadable: Error {
    let cause: any Error
}

/// A refusal after which the connection is closed.
struct LastAnswer: Error {
    let cause: any Error
}

/// An answer of a status and nothing else: what Apple's server says where it has no error code.
struct BareStatus: Error {
    let status: HTTPResponse.Status

    init(_ status: HTTPResponse.Status) { self.status = status }
}

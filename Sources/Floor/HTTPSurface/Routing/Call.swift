import HTTPTypes
package import Hummingbird
package import NIOCore

/// One request on its way through an endpoint.
package struct Call<Site: Sendable>: Sendable {
    /// The server at which it came in.
    package let server: EndpointServer<Site>
    package let request: Request
    let parameters: Parameters
    /// Whether it came from within the program, over no connection.
    var isInner = false

    /// What the endpoints of the server are about.
    package var site: Site { server.site }

    /// The query, read at each use.
    package var query: QueryString { QueryString(request.uri.query ?? "") }

    /// A path parameter, percent-decoded; nil where the decoding makes no text.
    package func parameter(_ name: String) -> String? {
        guard let raw = parameters[name[...]] else {
            preconditionFailure("the path has no parameter \(name)")
        }
        return PercentText.decode(raw)
    }

    /// What stands behind `Bearer` in the Authorization header (RFC 6750 section 2.1).
    package func bearerToken() throws(Unauthenticated) -> String {
        guard let header = request.headers[.authorization] else { throw Unauthenticated() }
        guard let space = header.utf8.firstIndex(of: UInt8(ascii: " ")),
            header[..<space].lowercased() == "bearer"
        else { throw Unauthenticated() }
        let token = header[header.utf8.index(after: space)...]
        guard !token.isEmpty else { throw Unauthenticated() }
        return String(token)
    }

    /// Reads a body to its end, keeping no more of it than is found too large afterwards. An answer
    /// that is there before the end was read would end the process: Hummingbird lets go of the
    /// body's source then without finishing it.
    ///
    /// - Throws: `BodyUnreadable`.
    private func read(_ body: RequestBody) async throws -> ByteBuffer {
        var kept = ByteBuffer()
        do {
            for try await part in body where kept.readableBytes <= server.limits.body {
                kept.writeImmutableBuffer(part)
            }
        } catch {
            throw BodyUnreadable(cause: error)
        }
        return kept
    }

    /// Does something as long as the client waits for it; the connection ends with the answer.
    ///
    /// - Throws: `BodyUnreadable` when the client has gone, else `LastAnswer`.
    package func whileConnected(
        _ handle: (Call) async throws -> Response
    ) async throws -> Response {
        if isInner { return try await handle(self) }
        do {
            var response = try await request.body.consumeWithCancellationOnInboundClose { body in
                var request = request
                request.body = RequestBody(buffer: try await read(body))
                return try await handle(
                    Call(server: server, request: request, parameters: parameters))
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
    package func body(upTo limit: Int? = nil) async throws -> ByteBuffer {
        let limit = limit ?? server.limits.body
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
package struct Unauthenticated: Error {
    package init() {}
}

/// The request's body is larger than the server takes.
package struct BodyTooLarge: Error {
    /// In bytes.
    package let limit: Int
}

/// The request's body did not arrive; nobody is left to answer.
package struct BodyUnreadable: Error {
    package let cause: any Error
}

/// A refusal after which the connection is closed.
package struct LastAnswer: Error {
    package let cause: any Error
}

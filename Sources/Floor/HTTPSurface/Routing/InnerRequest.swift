package import HTTPTypes
import Hummingbird
import NIOCore

/// Requests from within the program, such as a page's to the interface that it shows: the same
/// endpoints with the same checks and the same errors, without a connection.
extension EndpointServer {
    /// Answers a request as a client would be answered.
    ///
    /// - Parameters:
    ///   - path: with its query, percent-encoded.
    ///   - fields: the header.
    ///   - body: JSON, if there is any.
    package func answer(
        _ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields = [:],
        body: [UInt8]? = nil
    ) async throws -> (status: HTTPResponse.Status, bytes: [UInt8]) {
        var head = HTTPRequest(
            method: method, scheme: nil, authority: nil, path: path, headerFields: fields)
        if body != nil { head.headerFields[.contentType] = "application/json" }
        let request = Request(
            head: head, body: RequestBody(buffer: ByteBuffer(bytes: body ?? [])))
        let response = await answer(request)
        let collected = CollectedBody()
        try await response.body.write(collected)
        return (response.status, collected.bytes)
    }

    private func answer(_ request: Request) async -> Response {
        let found = table.endpoint(request.method, atPath: request.uri.path)
        do {
            guard let (endpoint, parameters) = found else { throw HTTPError(.notFound) }
            return try await endpoint.answer(
                Call(server: self, request: request, parameters: parameters, isInner: true))
        } catch {
            let cause = (error as? LastAnswer)?.cause ?? error
            return answer(
                to: cause, of: request,
                Occasion(route: found?.0.path, id: "inner", log: log))
        }
    }
}

/// What a response writes, kept.
private final class CollectedBody: ResponseBodyWriter {
    private(set) var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) { bytes += buffer.readableBytesView }

    consuming func finish(_ trailingHeaders: HTTPFields?) {}
}

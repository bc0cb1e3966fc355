package import AppStoreWire
package import HTTPTypes
package import Hummingbird
import NIOCore

extension Response {
    /// Exactly `application/json`: with a charset Apple's Python client loses the error code
    /// (LIB-2).
    private static let jsonFields: HTTPFields = [.contentType: "application/json"]

    /// A JSON reply.
    package static func json(
        _ value: some WireEncodable, status: HTTPResponse.Status = .ok
    ) -> Response {
        json(bytes: value.jsonBytes(), status: status)
    }

    /// A JSON reply whose text is made already.
    package static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: jsonFields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A reply of plain text.
    package static func text(
        _ text: String, status: HTTPResponse.Status = .ok,
        contentType: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(
            status: status, headers: [.contentType: contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// A reply without a body, and without a content type.
    package static func empty(_ status: HTTPResponse.Status) -> Response {
        Response(status: status)
    }
}

extension Response {
    /// A JSON reply of one object; the body writes its members.
    package static func object(
        status: HTTPResponse.Status = .ok, _ body: (inout JSONWriter) -> Void
    ) -> Response {
        var json = JSONWriter()
        json.object(body)
        return .json(bytes: json.bytes, status: status)
    }
}

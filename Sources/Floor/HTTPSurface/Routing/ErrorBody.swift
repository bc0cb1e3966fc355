package import AppStoreWire
package import HTTPTypes

/// Why a surface of our own refuses a request: the members of its JSON error.
package struct ErrorBody: Error, Sendable, WireEncodable {
    package let status: HTTPResponse.Status
    /// What programs branch on, in camel case: `error` on the wire.
    package let code: String
    /// What is wrong and what to do, in one sentence.
    package var message: String
    /// The member or parameter that is wrong.
    package var field: String?
    /// What is wrong and what to do, each a sentence; nil where `message` is one of one piece.
    package private(set) var parts: (problem: String, remedy: String)?
    /// Writes the members that it has besides, if any.
    package var others: (@Sendable (inout JSONWriter) -> Void)?

    package init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, field: String? = nil,
        others: (@Sendable (inout JSONWriter) -> Void)? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.others = others
    }

    /// A complaint of two parts: whoever knows a better remedy gives its own.
    ///
    /// - Parameters:
    ///   - problem: what is wrong, without a full stop.
    ///   - remedy: what to do, likewise, as it stands behind a colon.
    package init(
        _ status: HTTPResponse.Status, _ code: String, _ problem: String, remedy: String,
        field: String? = nil
    ) {
        self.init(status, code, "\(problem): \(remedy).", field: field)
        let command = remedy.prefix(1).uppercased() + String(remedy.dropFirst())
        parts = (problem: problem + ".", remedy: command + ".")
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("error", code)
            json.field("message", message)
            json.field("problem", parts?.problem)
            json.field("remedy", parts?.remedy)
            json.field("field", field)
            others?(&json)
        }
    }
}

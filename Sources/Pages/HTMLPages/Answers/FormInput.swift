package import HTTPSurface
import HTTPTypes
import Hummingbird
import NIOCore

/// What a person filled in, as a browser sends it.
package struct FormInput: Sendable {
    private let values: [String: String]

    /// The longest form, in bytes, unless a page takes longer ones.
    private static let limit = 64 * 1024

    /// Reads the body of a request.
    ///
    /// - Parameter limit: the longest form that the page takes, in bytes.
    /// - Throws: an `ErrorBody` for what no form of ours sends; `BodyTooLarge`.
    package init<Site>(_ call: Call<Site>, upTo limit: Int? = nil) async throws {
        let type = call.request.headers[.contentType] ?? ""
        guard type.prefix(while: { $0 != ";" }) == "application/x-www-form-urlencoded" else {
            throw ErrorBody(.unsupportedMediaType, "notAForm", "This takes forms of its own page.")
        }
        let body = try await call.body(upTo: limit ?? FormInput.limit)
        try self.init(QueryString(String(decoding: body.readableBytesView, as: UTF8.self)))
    }

    /// - Throws: an `ErrorBody` where a field is given twice.
    package init(_ query: QueryString) throws(ErrorBody) {
        var values: [String: String] = [:]
        for (name, value) in query.items {
            guard values.updateValue(value, forKey: name) == nil else {
                throw ErrorBody(.badRequest, "repeatedField", "A field was sent twice.")
            }
        }
        self.values = values
    }

    /// What stands in a field, without spaces around it; nil for nothing.
    package func text(_ name: String) -> String? {
        guard let value = values[name] else { return nil }
        let trimmed = value.drop { $0.isWhitespace }
        let end = trimmed.lastIndex { !$0.isWhitespace }
        return end.map { String(trimmed[...$0]) }
    }

    /// What stands in a field as it is; empty for nothing.
    package subscript(_ name: String) -> String { values[name] ?? "" }

    /// Everything that was filled in, by name, in the order of names.
    package var all: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// Whether a box is ticked.
    package func isTicked(_ name: String) -> Bool { values[name] == "true" }
}

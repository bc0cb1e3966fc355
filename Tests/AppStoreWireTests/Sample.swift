import AppStoreWire
import Foundation
import Testing

/// A value and the golden file that says what it looks like on the wire.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let encoded: [UInt8]
    /// Whether the bytes decode to the value again.
    let isDecoded: @Sendable ([UInt8]) throws -> Bool

    init<Value: WireEncodable & Decodable & Equatable & Sendable>(_ name: String, _ value: Value) {
        self.name = name
        encoded = value.jsonBytes()
        isDecoded = { try Self.decode(Value.self, $0) == value }
    }

    /// Reads a text as Foundation's decoder does and as ours, which must agree in everything but
    /// the words of a refusal.
    static func decode<Value: Decodable & Equatable>(
        _ type: Value.Type, _ text: [UInt8]
    ) throws -> Value {
        let expected = Result { try JSONDecoder().decode(type, from: Data(text)) }
        let read = Result { try JSONValue(parsing: text).decoded(as: type) }
        switch (read, expected) {
        case (.success(let read), .success(let expected)): #expect(read == expected)
        case (.failure(let read), .failure(let expected)):
            let wanted = place(of: expected)
            #expect(wanted == nil || place(of: read) == wanted)
        default: Issue.record("\(read) is not \(expected)")
        }
        return try read.get()
    }

    /// Where a text is not what it should be, and in which way; nil where that is not said, as of
    /// a number that does not fit.
    private static func place(of error: any Error) -> String? {
        let (kind, context): (String, DecodingError.Context)
        switch error as? DecodingError {
        case .typeMismatch(_, let given): (kind, context) = ("type", given)
        case .valueNotFound(_, let given): (kind, context) = ("value", given)
        case .keyNotFound(let key, let given): (kind, context) = (key.stringValue, given)
        default: return nil
        }
        return kind + ": " + context.codingPath.map(\.stringValue).joined(separator: ".")
    }

    var testDescription: String { name }

    /// The text of a golden file without the line end that editors want.
    static func golden(_ name: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.resourceURL)
        let data = try Data(contentsOf: folder.appending(path: "Golden/\(name).json"))
        return Array(data.last == UInt8(ascii: "\n") ? data.dropLast() : data)
    }
}

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
        isDecoded = { try JSONDecoder().decode(Value.self, from: Data($0)) == value }
    }

    var testDescription: String { name }

    /// The text of a golden file without the line end that editors want.
    static func golden(_ name: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.resourceURL)
        let data = try Data(contentsOf: folder.appending(path: "Golden/\(name).json"))
        return Array(data.last == UInt8(ascii: "\n") ? data.dropLast() : data)
    }
}

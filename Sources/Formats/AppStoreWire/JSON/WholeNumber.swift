/// A JSON number read as a whole one, a fraction rounded down.
///
/// Xcode signs times such as `1697679936049.7297` (JWS-9, "Xcode quirks").
private struct WholeNumber: Decodable {
    let value: Int64

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let whole = try? container.decode(Int64.self) {
            value = whole
            return
        }
        let fraction = try container.decode(Double.self)
        guard let whole = Int64(exactly: fraction.rounded(.down)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "The number does not fit 64 bits.")
        }
        value = whole
    }
}

// These two take the place of the standard library's functions of the same name inside this
// module, so that every synthesized `init(from:)` here reads `Int64` members this way.
extension KeyedDecodingContainer {
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try decode(WholeNumber.self, forKey: key).value
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try decodeIfPresent(WholeNumber.self, forKey: key)?.value
    }
}

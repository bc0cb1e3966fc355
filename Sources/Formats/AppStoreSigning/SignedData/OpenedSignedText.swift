package import AppStoreWire

/// Signed texts as people read them. Nobody verifies them: they come straight from the store.
extension JSONValue {
    /// A part of a signed text; nil where it is none.
    ///
    /// - Parameter place: 0 for its header, 1 for what it says.
    package init?(part place: Int = 1, ofSigned text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."))
        guard parts.count == 3, let bytes = Base64URL.decode(parts[place]),
            let value = try? JSONValue(parsing: bytes)
        else { return nil }
        self = value
    }

    /// What a signed member is called where it is shown opened: `transactionInfo` for
    /// `signedTransactionInfo`.
    package static func openedName(of name: String) -> String {
        let rest = name.dropFirst("signed".count)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    /// The same with each signed text in it, however deep, in its opened form alone.
    package var withSignedTextsOpened: JSONValue {
        switch self {
        case .object(let members):
            var opened: [String: JSONValue] = [:]
            for (name, value) in members {
                let signed = name.hasPrefix("signed") ? value.string : nil
                if let payload = signed.flatMap({ JSONValue(ofSigned: $0) }) {
                    opened[JSONValue.openedName(of: name)] = payload.withSignedTextsOpened
                } else {
                    opened[name] = value.withSignedTextsOpened
                }
            }
            return .object(opened)
        case .array(let elements): return .array(elements.map(\.withSignedTextsOpened))
        case .null, .bool, .integer, .number, .string: return self
        }
    }
}

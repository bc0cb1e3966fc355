package import AppStoreWire

/// Signed texts as people read them. Nobody verifies them: they come straight from the store.
extension JSONValue {
    /// What a signed text says; nil where it is none.
    package init?(ofSigned text: String) {
        guard let bytes = try? CompactJWS(text).payload() else { return nil }
        try? self.init(parsing: bytes)
    }

    /// What its header says, likewise.
    package init?(headerOfSigned text: String) {
        guard let bytes = try? CompactJWS(text).headerBytes() else { return nil }
        try? self.init(parsing: bytes)
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

import AppStoreWire
import HTTPTypes

// Reading the bodies of the App Store Server API.

extension JSONValue {
    /// A whole number; nil when the member is absent, a malformed request when it is anything
    /// else.
    func integer(_ name: String) throws(BareStatus) -> Int64? {
        try member(name, \.integer)
    }

    /// True or false, under the same conditions.
    func boolean(_ name: String) throws(BareStatus) -> Bool? {
        try member(name, \.bool)
    }

    /// A text, under the same conditions.
    func text(_ name: String) throws(BareStatus) -> String? {
        try member(name, \.string)
    }

    /// A list of texts, under the same conditions.
    func texts(_ name: String) throws(BareStatus) -> [String]? {
        try member(name) { value in
            guard let elements = value.array else { return nil }
            let texts = elements.compactMap(\.string)
            return texts.count == elements.count ? texts : nil
        }
    }

    private func member<T>(
        _ name: String, _ read: (JSONValue) -> T?
    ) throws(BareStatus) -> T? {
        guard let member = self[name], !member.isNull else { return nil }
        guard let value = read(member) else { throw BareStatus(.badRequest) }
        return value
    }
}

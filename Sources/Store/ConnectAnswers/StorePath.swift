/// A path of a store with a query, its parts percent-encoded.
package struct StorePath: Hashable, Sendable {
    package private(set) var text: String
    /// What stands between the slashes, as it was given.
    package let parts: [String]

    /// - Parameter parts: what stands between the slashes.
    package init(_ parts: String...) { self.init(parts: parts) }

    package init(parts: [String]) {
        self.parts = parts
        text = parts.map { "/" + StorePath.encoded($0) }.joined()
    }

    /// - Parameter text: a path, with or without a query, that is percent-encoded already.
    package init(encoded text: String) {
        self.text = text
        parts = []
    }

    /// The path with a parameter behind it; without one where the value is nil.
    package func with(_ name: String, _ value: String?) -> StorePath {
        guard let value else { return self }
        var path = self
        path.text += (text.contains("?") ? "&" : "?") + "\(name)=\(StorePath.encoded(value))"
        return path
    }

    /// Everything but RFC 3986's unreserved characters as percent signs and numbers.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { encoded, byte in
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~":
                encoded.unicodeScalars.append(scalar)
            default:
                encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}

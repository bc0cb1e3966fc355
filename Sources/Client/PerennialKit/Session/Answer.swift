import AppStoreWire

/// Reading what a store answered: what is missing or wrong is said with its place.
extension JSONValue {
    func requiredText(_ name: String, _ place: String) throws(StoreKitError) -> String {
        guard let text = self[name]?.string else {
            throw .invalidResponse("\(place) has no text `\(name)`")
        }
        return text
    }

    func requiredInteger(_ name: String, _ place: String) throws(StoreKitError) -> Int64 {
        guard let number = self[name]?.wholeNumber else {
            throw .invalidResponse("\(place) has no whole number `\(name)`")
        }
        return number
    }

    func requiredBool(_ name: String, _ place: String) throws(StoreKitError) -> Bool {
        guard let value = self[name]?.bool else {
            throw .invalidResponse("\(place) has no `\(name)` that is true or false")
        }
        return value
    }

    func requiredList(_ name: String, _ place: String) throws(StoreKitError) -> [JSONValue] {
        guard let values = self[name]?.array else {
            throw .invalidResponse("\(place) has no list `\(name)`")
        }
        return values
    }
}

/// A path with its query, percent-encoded.
struct StorePath {
    private(set) var text: String

    /// - Parameter path: needs no encoding.
    init(_ path: String) { text = path }

    /// Adds a parameter, unless it has no value.
    func with(_ name: String, _ value: String?) -> StorePath {
        guard let value else { return self }
        var path = self
        path.text += (text.contains("?") ? "&" : "?") + name + "=" + StorePath.encoded(value)
        return path
    }

    /// Letters, digits and the four marks that RFC 3986 leaves alone; all else is encoded.
    static func encoded(_ value: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

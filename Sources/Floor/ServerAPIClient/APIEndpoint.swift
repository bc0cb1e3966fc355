import AppStoreWire
import FoundationEssentials
import NIOHTTP1

/// An endpoint: where it is, how often it may be called, and by its type what it takes and
/// answers.
struct APIEndpoint<Query: QueryItems, Body: WireEncodable, Reply: Sendable>: Sendable {
    let method: HTTPMethod
    /// A value of the call takes the place of each part in braces.
    let path: String
    let quota: RequestQuota
    /// Reads the body of an answer whose status is 2xx.
    let read: @Sendable ([UInt8]) throws -> Reply

    /// Path and query of a call.
    ///
    /// - Parameter values: what takes the place of the parts in braces, in order.
    /// - Returns: nil where a value would name another path.
    func target(_ values: [String], _ query: Query?) -> String? {
        var rest = values[...]
        var target = ""
        for part in path.split(separator: "/") {
            guard part.hasPrefix("{") else {
                target += "/\(part)"
                continue
            }
            guard let value = rest.popFirst() else {
                preconditionFailure("\(path) takes more than \(values.count) values")
            }
            guard value.contains(where: { $0 != "." }) else { return nil }
            target += "/" + Self.encoded(value)
        }
        precondition(rest.isEmpty, "\(path) takes fewer than \(values.count) values")
        let items = (query?.items ?? []).map { "\($0.name)=\(Self.encoded($0.value))" }
        return items.isEmpty ? target : target + "?" + items.joined(separator: "&")
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

extension APIEndpoint where Reply: Decodable {
    /// An endpoint that answers with JSON.
    init(_ method: HTTPMethod, _ path: String, _ quota: RequestQuota) {
        self.init(
            method: method, path: path, quota: quota,
            read: { try JSONDecoder().decode(Reply.self, from: Data($0)) })
    }
}

extension APIEndpoint where Reply == Void {
    /// An endpoint whose status says everything: 200 or 202, without a body.
    init(_ method: HTTPMethod, _ path: String, _ quota: RequestQuota) {
        self.init(method: method, path: path, quota: quota, read: { _ in })
    }
}

/// What stands behind the question mark of a call.
protocol QueryItems: Sendable {
    /// Names may repeat: values of one name are alternatives.
    var items: [QueryItem] { get }
}

/// A name and its value, not encoded yet.
struct QueryItem: Sendable {
    let name: String
    let value: String

    /// - Returns: nil where there is no value.
    init?(_ name: String, _ value: String?) {
        guard let value else { return nil }
        self.name = name
        self.value = value
    }
}

/// Where an endpoint takes no query, or no body.
enum Nothing: QueryItems, WireEncodable {
    var items: [QueryItem] { switch self {} }

    func encode(to json: inout JSONWriter) { switch self {} }
}

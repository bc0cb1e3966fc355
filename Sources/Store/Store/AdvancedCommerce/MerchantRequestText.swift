import AppStoreWire

/// A request as the journal keeps it: what was asked, behind the transaction that a server named.
struct MerchantRequestText {
    /// The transaction that a call is about; nil for a request on a device.
    let transactionID: Int64?
    private let json: JSONValue

    init(_ asked: String) {
        let start = asked.firstIndex(of: "{") ?? asked.startIndex
        transactionID = Int64(asked[..<start].filter { $0 != " " })
        json = (try? JSONValue(parsing: Array(asked[start...].utf8))) ?? .null
    }

    /// The number by which it is repeated.
    var reference: String? { json["requestInfo"]?["requestReferenceId"]?.string }

    /// The operation's name on the wire; nil for what a server sends.
    var operation: String? { json["operation"]?.string }

    /// Whether a revocation: it names no items.
    var hasItems: Bool { json["items"] != nil }

    /// The SKUs that it replaces at once, each with its successor.
    var renamedAtOnce: [String: String] {
        let changes = (json["changeItems"]?.array ?? []) + (json["items"]?.array ?? [])
        let immediate = AdvancedCommerceEffective.immediately.rawValue
        return Dictionary(
            changes.compactMap { change -> (String, String)? in
                guard change["effective"]?.string == immediate,
                    let current = change["currentSKU"]?.string, let sku = change["SKU"]?.string
                else { return nil }
                return (current, sku)
            }
        ) { first, _ in first }
    }
}

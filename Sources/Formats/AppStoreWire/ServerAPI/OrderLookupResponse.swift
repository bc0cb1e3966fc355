/// Reply of Look Up Order ID (API-5.11).
public struct OrderLookupResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// Whether the order is one of this app.
    public var status: OrderLookupStatus
    /// Its signed transactions; present with a valid order only.
    public var signedTransactions: [String]?

    /// Makes a reply; what is not given stays absent.
    public init(status: OrderLookupStatus, signedTransactions: [String]? = nil) {
        self.status = status
        self.signedTransactions = signedTransactions
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("status", status)
            json.field("signedTransactions", signedTransactions)
        }
    }
}

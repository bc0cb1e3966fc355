/// Reply of the deprecated Get Refund History v1 (API-5.10).
public struct RefundLookupResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// At most 50 signed transactions, the most recent ones.
    public var signedTransactions: [String]

    /// Makes a reply.
    public init(signedTransactions: [String]) {
        self.signedTransactions = signedTransactions
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("signedTransactions", signedTransactions)
        }
    }
}

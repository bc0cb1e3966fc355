/// Reply of Get Refund History v2 (API-5.9).
public struct RefundHistoryResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// At most 20 signed transactions, by rising revocation date.
    public var signedTransactions: [String]
    /// Where the next page begins; in every reply.
    public var revision: String
    /// Whether there is a next page.
    public var hasMore: Bool

    /// Makes a reply.
    public init(signedTransactions: [String], revision: String, hasMore: Bool) {
        self.signedTransactions = signedTransactions
        self.revision = revision
        self.hasMore = hasMore
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("signedTransactions", signedTransactions)
            json.field("revision", revision)
            json.field("hasMore", hasMore)
        }
    }
}

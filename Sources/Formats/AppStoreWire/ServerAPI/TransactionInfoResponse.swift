/// Reply of Get Transaction Info (API-5.1).
public struct TransactionInfoResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// The signed transaction.
    public var signedTransactionInfo: String

    /// Makes a reply.
    public init(signedTransactionInfo: String) {
        self.signedTransactionInfo = signedTransactionInfo
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("signedTransactionInfo", signedTransactionInfo)
        }
    }
}

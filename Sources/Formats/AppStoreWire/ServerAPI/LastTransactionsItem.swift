/// The newest of one subscription (API-5.3).
public struct LastTransactionsItem: WireEncodable, Decodable, Hashable, Sendable {
    /// The subscription.
    public var originalTransactionId: String
    /// Its state.
    public var status: Status
    /// Its newest signed transaction.
    public var signedTransactionInfo: String
    /// Its signed renewal information.
    public var signedRenewalInfo: String

    /// Makes an entry.
    public init(
        originalTransactionId: String, status: Status, signedTransactionInfo: String,
        signedRenewalInfo: String
    ) {
        self.originalTransactionId = originalTransactionId
        self.status = status
        self.signedTransactionInfo = signedTransactionInfo
        self.signedRenewalInfo = signedRenewalInfo
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("originalTransactionId", originalTransactionId)
            json.field("status", status)
            json.field("signedTransactionInfo", signedTransactionInfo)
            json.field("signedRenewalInfo", signedRenewalInfo)
        }
    }
}

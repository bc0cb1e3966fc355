/// Reply of Get App Transaction Info (API-5.4).
public struct AppTransactionInfoResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// The signed ``AppTransaction``.
    public var signedAppTransactionInfo: String

    /// Makes a reply.
    public init(signedAppTransactionInfo: String) {
        self.signedAppTransactionInfo = signedAppTransactionInfo
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("signedAppTransactionInfo", signedAppTransactionInfo)
        }
    }
}

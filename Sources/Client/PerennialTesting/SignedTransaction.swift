public import AppStoreWire

/// A transaction as a device and a server get it: signed, and what it says.
public struct SignedTransaction: Sendable, Hashable {
    /// The compact JWS.
    public let signed: String
    /// What it says; it was verified.
    public let payload: JWSTransactionDecodedPayload

    public var id: String { payload.transactionId }
    public var originalID: String { payload.originalTransactionId }
    public var productID: String { payload.productId }
}

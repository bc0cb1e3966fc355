public import AppStoreWire

/// A notification as it came; everything in it was verified.
public struct ReceivedNotification: Sendable, Hashable {
    /// What the store posted, as your server gets it.
    public let signedPayload: String
    public let payload: ResponseBodyV2DecodedPayload
    /// The transaction in it, where there is one.
    public internal(set) var transaction: SignedTransaction?
    /// The renewal info in it, where there is one.
    public internal(set) var renewal: JWSRenewalInfoDecodedPayload?
    /// The status with which your server answered; nil where none came.
    public internal(set) var answer: Int?

    init(signedPayload: String, payload: ResponseBodyV2DecodedPayload) {
        self.signedPayload = signedPayload
        self.payload = payload
    }

    /// `EXPIRED/VOLUNTARY`, or the type alone.
    public var name: String { Self.name(payload.notificationType, payload.subtype) }

    /// The subscription that it is about, by its first transaction.
    var originalID: String? { transaction?.originalID ?? renewal?.originalTransactionId }

    static func name(_ type: NotificationTypeV2, _ subtype: Subtype?) -> String {
        subtype.map { "\(type.rawValue)/\($0.rawValue)" } ?? type.rawValue
    }
}

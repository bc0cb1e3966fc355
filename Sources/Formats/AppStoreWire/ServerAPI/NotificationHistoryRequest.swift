/// Body of Get Notification History (API-5.17).
public struct NotificationHistoryRequest: WireEncodable, Decodable, Hashable, Sendable {
    /// The first moment, in milliseconds; at most 180 days ago.
    public var startDate: Int64
    /// The last moment, in milliseconds; later than the first.
    public var endDate: Int64
    /// Only of this type; not together with `transactionId`.
    public var notificationType: NotificationTypeV2?
    /// Only of this subtype; needs a type it can go with.
    public var notificationSubtype: Subtype?
    /// Only of the customer of this transaction.
    public var transactionId: String?
    /// Whether only notifications are given that are not delivered yet.
    public var onlyFailures: Bool?

    /// Makes a body; what is not given stays absent.
    public init(
        startDate: Int64, endDate: Int64, notificationType: NotificationTypeV2? = nil,
        notificationSubtype: Subtype? = nil, transactionId: String? = nil,
        onlyFailures: Bool? = nil
    ) {
        self.startDate = startDate
        self.endDate = endDate
        self.notificationType = notificationType
        self.notificationSubtype = notificationSubtype
        self.transactionId = transactionId
        self.onlyFailures = onlyFailures
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("startDate", startDate)
            json.field("endDate", endDate)
            json.field("notificationType", notificationType)
            json.field("notificationSubtype", notificationSubtype)
            json.field("transactionId", transactionId)
            json.field("onlyFailures", onlyFailures)
        }
    }
}

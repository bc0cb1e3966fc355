/// Reply of Get Notification History (API-5.17).
public struct NotificationHistoryResponse: WireEncodable, Decodable, Hashable, Sendable {
    /// At most 20 notifications.
    public var notificationHistory: [NotificationHistoryResponseItem]
    /// Whether there is a next page.
    public var hasMore: Bool
    /// Where the next page begins.
    public var paginationToken: String?

    /// Makes a reply; what is not given stays absent.
    public init(
        notificationHistory: [NotificationHistoryResponseItem], hasMore: Bool,
        paginationToken: String? = nil
    ) {
        self.notificationHistory = notificationHistory
        self.hasMore = hasMore
        self.paginationToken = paginationToken
    }

    /// Writes an object with the members in Apple's order; absent ones stay absent.
    public func encode(to json: inout JSONWriter) {
        json.object { json in
            json.field("notificationHistory", notificationHistory)
            json.field("hasMore", hasMore)
            json.field("paginationToken", paginationToken)
        }
    }
}

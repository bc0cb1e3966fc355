import AppStoreWire
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ServerAPI {
    /// Get Notification History (app-store-server-api.md section 5.17).
    static let getNotificationHistory = Endpoint.serverAPI(
        .post, "/inApps/v1/notifications/history", "getNotificationHistory", perSecond: 50
    ) { call, caller in
        let filter = try NotificationFilter(
            try await call.jsonObject(), now: try await call.store.now(),
            in: caller.environment)
        let token = try call.query.value(
            "paginationToken", or: APIError.invalidPaginationToken)
        return .json(
            try await call.store.notificationHistory(filter, token: token, for: caller))
    }
}

extension NotificationFilter {
    /// Reads the body of Get Notification History. Members of another type make the request
    /// malformed; members that it does not know are ignored.
    ///
    /// - Parameter now: the store's clock, by which notifications are dated.
    init(_ body: JSONValue, now: Instant, in environment: StoreEnvironment) throws {
        guard let start = try body.integer("startDate") else { throw APIError.invalidStartDate }
        guard let end = try body.integer("endDate") else { throw APIError.invalidEndDate }
        guard start >= 0 else { throw APIError.invalidStartDate }
        guard end >= 0 else { throw APIError.invalidEndDate }
        guard start < end else { throw APIError.startDateAfterEndDate }
        guard start >= (now - NotificationFilter.kept(in: environment)).milliseconds else {
            throw APIError.startDateTooFarInPast
        }
        // An end in the future need not be cut to now: nothing is dated later than now.
        self.init(start: Instant(milliseconds: start), end: Instant(milliseconds: end))
        try readType(body)
        onlyFailures = try body.boolean("onlyFailures") ?? false
        let id = try body.text("transactionId") ?? body.text("originalTransactionId")
        if let id {
            guard type == nil else { throw APIError.multipleFiltersSupplied }
            guard let number = Int64(identifier: id) else { throw APIError.invalidTransactionId }
            transactionID = number
        }
    }

    /// How long notifications are kept (SRV-3).
    private static func kept(in environment: StoreEnvironment) -> Span {
        switch environment {
        case .production: .days(180)
        case .sandbox: .days(30)
        }
    }

    private mutating func readType(_ body: JSONValue) throws {
        let subtype = try body.text("notificationSubtype").map(Subtype.init(rawValue:))
        guard let text = try body.text("notificationType") else {
            if subtype != nil { throw APIError.invalidNotificationType }
            return
        }
        let type = NotificationTypeV2(rawValue: text)
        guard type.isKnown, subtype == nil || type.allows(subtype) else {
            throw APIError.invalidNotificationType
        }
        self.type = type
        self.subtype = subtype
    }
}

import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ServerAPI {
    /// Get Notification History (API-5.17).
    static let getNotificationHistory = Endpoint.serverAPI(
        .post, "/inApps/v1/notifications/history", "getNotificationHistory", perSecond: 50,
        OperationDescription(
            .developer, "Get Notification History",
            parameters: [
                .query(
                    "paginationToken", .text("The token of the page before.", 1...1024),
                    or: .invalidPaginationToken)
            ],
            body: .members(filterSchema),
            success: .ok(
                "A page of notifications.",
                .object(
                    "Notifications.",
                    .required(
                        "notificationHistory",
                        .list("At most 20.", of: .named("NotificationItem"))),
                    .required("hasMore", .boolean("Whether there is a next page.")),
                    .optional("paginationToken", .text("What to send for the next page.")))),
            failures: [
                .init(.startDateAfterEndDate), .init(.startDateTooFarInPast),
                .init(.multipleFiltersSupplied), .init(.paginationTokenExpired),
                .init(.transactionIdNotFound),
            ])
    ) { call, caller, input in
        let filter = try NotificationFilter(
            input, now: try await call.store.now(), in: caller.environment)
        return .json(
            try await call.store.notificationHistory(
                filter, token: input.parameterText("paginationToken"), for: caller))
    }

    private static let filterSchema = Schema.openObject(
        "Which notifications.",
        .required(
            "startDate", .integer("The first moment, in milliseconds since 1970."),
            or: .invalidStartDate),
        .required(
            "endDate", .integer("The first moment that is out; later than the first."),
            or: .invalidEndDate),
        .optional("onlyFailures", .boolean("Only those that are not delivered yet.")),
        .optional(
            "notificationSubtype",
            .choice("A subtype that the type can have.", Subtype.known.map(\.rawValue)),
            or: .invalidNotificationType),
        .optional(
            "notificationType",
            .choice(
                "Only of this type; not with an identifier.",
                NotificationTypeV2.known.map(\.rawValue)),
            or: .invalidNotificationType),
        .optional(
            "transactionId", .identifier("Only about this customer."), or: .invalidTransactionId),
        .optional(
            "originalTransactionId", .identifier("The old name of transactionId."),
            or: .invalidTransactionId))
}

extension NotificationFilter {
    /// Reads what depends on more than one member, or on the clock.
    ///
    /// - Parameter now: the store's clock, by which notifications are dated.
    fileprivate init(
        _ input: APIInput, now: Instant, in environment: StoreEnvironment
    ) throws(APIError) {
        let start = input.required(input.integer("startDate"), "startDate")
        let end = input.required(input.integer("endDate"), "endDate")
        guard start < end else { throw .startDateAfterEndDate }
        guard start >= (now - NotificationFilter.kept(in: environment)).milliseconds else {
            throw .startDateTooFarInPast
        }
        // An end in the future need not be cut to now: nothing is dated later than now.
        self.init(start: Instant(milliseconds: start), end: Instant(milliseconds: end))
        try readType(input)
        onlyFailures = input.boolean("onlyFailures") ?? false
        let id = input.text("transactionId") ?? input.text("originalTransactionId")
        guard let id else { return }
        guard type == nil else { throw .multipleFiltersSupplied }
        transactionID = Int64(identifier: id)
    }

    /// How long notifications are kept (SRV-3).
    private static func kept(in environment: StoreEnvironment) -> Span {
        switch environment {
        case .production: .days(180)
        case .sandbox: .days(30)
        }
    }

    private mutating func readType(_ input: APIInput) throws(APIError) {
        type = input.text("notificationType").map(NotificationTypeV2.init(rawValue:))
        subtype = input.text("notificationSubtype").map(Subtype.init(rawValue:))
        guard let subtype else { return }
        guard let type, type.allows(subtype) else { throw .invalidNotificationType }
    }
}

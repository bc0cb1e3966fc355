import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Get All Subscription Statuses (API-5.3). A customer without
    /// subscriptions gets an empty list, the natural reading of what is not documented.
    static let getAllSubscriptionStatuses = Endpoint.serverAPI(
        .get, "/inApps/v1/subscriptions/{anyTransactionId}", "getAllSubscriptionStatuses",
        perSecond: 50, isBrief: true,
        OperationDescription(
            .developer, "Get All Subscription Statuses",
            parameters: [
                anyTransactionID,
                .query(
                    "status", .list("Only in one of these.", of: statusNumber), or: .invalidStatus),
            ],
            success: .ok("The subscriptions.", .named("StatusResponse")),
            failures: [.init(.transactionIdNotFound)])
    ) { call, caller, input in
        let statuses = Set(
            input.parameterIntegers("status").map { Status(rawValue: Int($0)) })
        return .json(
            try await call.store.statuses(
                anyTransaction: input.identifier("anyTransactionId"), statuses, for: caller))
    }
}

import AppStoreWire
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Get All Subscription Statuses (app-store-server-api.md section 5.3). A customer without
    /// subscriptions gets an empty list, the natural reading of what is not documented.
    static let getAllSubscriptionStatuses = Endpoint.serverAPI(
        .get, "/inApps/v1/subscriptions/{anyTransactionId}", "getAllSubscriptionStatuses",
        perSecond: 50
    ) { call, caller in
        let id = try call.identifier("anyTransactionId")
        var statuses: Set<Status> = []
        for text in call.query.values("status") {
            guard let number = Int64(identifier: text), let status = Status(number) else {
                throw APIError.invalidStatus
            }
            statuses.insert(status)
        }
        return .json(try await call.store.statuses(anyTransaction: id, statuses, for: caller))
    }
}

extension Status {
    /// A published status, 1 to 5.
    fileprivate init?(_ number: Int64) {
        guard let status = Status.known.first(where: { Int64($0.rawValue) == number }) else {
            return nil
        }
        self = status
    }
}

import AppStoreWire
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Get Transaction History, version 2 (app-store-server-api.md section 5.2).
    static let getTransactionHistory = Endpoint.serverAPI(
        .get, "/inApps/v2/history/{anyTransactionId}", "getTransactionHistory", perSecond: 50
    ) { call, caller in
        try await history(call, caller, leavesOutFinishedConsumables: false)
    }

    /// Get Transaction History, version 1: finished consumables are left out
    /// (app-store-server-api.md section 5.2).
    static let getTransactionHistoryV1 = Endpoint.serverAPI(
        .get, "/inApps/v1/history/{anyTransactionId}", "getTransactionHistoryV1", perSecond: 50
    ) { call, caller in
        try await history(call, caller, leavesOutFinishedConsumables: true)
    }

    private static func history(
        _ call: Call, _ caller: Caller, leavesOutFinishedConsumables: Bool
    ) async throws -> Response {
        let id = try call.identifier("anyTransactionId")
        let query = call.query
        var filter = try HistoryFilter(query)
        filter.leavesOutFinishedConsumables = leavesOutFinishedConsumables
        let revision = try query.value("revision", or: APIError.invalidRequestRevision)
        return .json(
            try await call.store.history(
                anyTransaction: id, filter, revision: revision, for: caller))
    }
}

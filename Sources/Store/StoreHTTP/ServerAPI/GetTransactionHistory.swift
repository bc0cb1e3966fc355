import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Get Transaction History, version 2 (API-5.2).
    static let getTransactionHistory = Endpoint.serverAPI(
        .get, "/inApps/v2/history/{anyTransactionId}", "getTransactionHistory", perSecond: 50,
        isBrief: true,
        describeHistory("Get Transaction History", "In pages of 20, of all types and states.")
    ) { call, caller, input in
        try await history(call, caller, input, leavesOutFinishedConsumables: false)
    }

    /// Get Transaction History, version 1: finished consumables are left out (API-5.2).
    static let getTransactionHistoryV1 = Endpoint.serverAPI(
        .get, "/inApps/v1/history/{anyTransactionId}", "getTransactionHistoryV1", perSecond: 50,
        describeHistory(
            "Get Transaction History, version 1",
            "As version 2, without consumables that are finished and not refunded.")
    ) { call, caller, input in
        try await history(call, caller, input, leavesOutFinishedConsumables: true)
    }

    private static func describeHistory(
        _ summary: String, _ detail: String
    ) -> OperationDescription {
        OperationDescription(
            .developer, summary, detail: detail,
            parameters: [anyTransactionID, revision] + HistoryFilter.parameters,
            success: .ok("A page.", .named("HistoryResponse")),
            failures: [.init(.transactionIdNotFound)])
    }

    private static func history(
        _ call: Call, _ caller: Caller, _ input: APIInput, leavesOutFinishedConsumables: Bool
    ) async throws -> Response {
        var filter = try HistoryFilter(input)
        filter.leavesOutFinishedConsumables = leavesOutFinishedConsumables
        return .json(
            try await call.store.history(
                anyTransaction: input.identifier("anyTransactionId"), filter,
                revision: input.parameterText("revision"), for: caller))
    }
}

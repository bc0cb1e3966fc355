import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Get Refund History, version 2 (API-5.9).
    static let getRefundHistory = Endpoint.serverAPI(
        .get, "/inApps/v2/refund/lookup/{anyTransactionId}", "getRefundHistory", perSecond: 10,
        OperationDescription(
            .developer, "Get Refund History", parameters: [anyTransactionID, revision],
            success: .ok(
                "A page of refunded transactions.",
                .object(
                    "Refunded transactions, the oldest refund first.",
                    [.required("signedTransactions", signedTransactions)] + page)),
            failures: [.init(.transactionIdNotFound)])
    ) { call, caller, input in
        .json(
            try await call.store.refundHistory(
                anyTransaction: input.identifier("anyTransactionId"),
                revision: input.parameterText("revision"), for: caller))
    }

    /// Get Refund History, version 1: the newest refunds without pages (API-5.10).
    static let getRefundHistoryV1 = Endpoint.serverAPI(
        .get, "/inApps/v1/refund/lookup/{originalTransactionId}", "getRefundHistoryV1",
        perSecond: 10,
        OperationDescription(
            .developer, "Get Refund History, version 1",
            parameters: [
                transactionID(
                    "originalTransactionId", "The original transaction.",
                    or: .invalidOriginalTransactionId)
            ],
            success: .ok(
                "The newest refunds.",
                .object(
                    "Refunded transactions.",
                    .required(
                        "signedTransactions",
                        .list("At most 50, the oldest first.", of: .signed("A transaction"))))),
            failures: [.init(.originalTransactionIdNotFound)])
    ) { call, caller, input in
        .json(
            try await call.store.refundLookup(
                originalTransaction: input.identifier("originalTransactionId"), for: caller))
    }
}

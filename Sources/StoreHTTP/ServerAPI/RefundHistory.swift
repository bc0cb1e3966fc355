import AppStoreWire
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Get Refund History, version 2 (app-store-server-api.md section 5.9).
    static let getRefundHistory = Endpoint.serverAPI(
        .get, "/inApps/v2/refund/lookup/{anyTransactionId}", "getRefundHistory", perSecond: 10
    ) { call, caller in
        let id = try call.identifier("anyTransactionId")
        let revision = try call.query.value("revision", or: APIError.invalidRequestRevision)
        return .json(
            try await call.store.refundHistory(
                anyTransaction: id, revision: revision, for: caller))
    }

    /// Get Refund History, version 1: the newest refunds without pages (section 5.10).
    static let getRefundHistoryV1 = Endpoint.serverAPI(
        .get, "/inApps/v1/refund/lookup/{originalTransactionId}", "getRefundHistoryV1",
        perSecond: 10
    ) { call, caller in
        let id = try call.identifier("originalTransactionId", or: .invalidOriginalTransactionId)
        return .json(try await call.store.refundLookup(originalTransaction: id, for: caller))
    }
}

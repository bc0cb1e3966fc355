import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Get Transaction Info (API-5.1).
    static let getTransactionInfo = Endpoint.serverAPI(
        .get, "/inApps/v1/transactions/{transactionId}", "getTransactionInfo", perSecond: 50,
        isBrief: true,
        OperationDescription(
            .developer, "Get Transaction Info", parameters: [transactionID()],
            success: .ok(
                "The transaction.",
                .object(
                    "A transaction.",
                    .required("signedTransactionInfo", .signed("The transaction")))),
            failures: [.init(.appTransactionIdNotSupported), .init(.transactionIdNotFound)])
    ) { call, caller, input in
        let id = input.identifier("transactionId")
        let signed = try await call.refusingAppTransactions(id, caller) {
            try await call.store.transactionInfo(id, for: caller)
        }
        return .json(TransactionInfoResponse(signedTransactionInfo: signed))
    }

    /// Get App Transaction Info (API-5.4).
    static let getAppTransactionInfo = Endpoint.serverAPI(
        .get, "/inApps/v1/transactions/appTransactions/{anyTransactionId}",
        "getAppTransactionInfo", perSecond: 50,
        OperationDescription(
            .developer, "Get App Transaction Info", parameters: [anyTransactionID],
            success: .ok(
                "The customer's copy of the app.",
                .object(
                    "A copy of the app.",
                    .required("signedAppTransactionInfo", .signed("The copy")))),
            failures: [.init(.transactionIdNotFound), .init(.appTransactionDoesNotExist)])
    ) { call, caller, input in
        let id = input.identifier("anyTransactionId")
        let signed = try await call.store.appTransactionInfo(anyTransaction: id, for: caller)
        return .json(AppTransactionInfoResponse(signedAppTransactionInfo: signed))
    }
}

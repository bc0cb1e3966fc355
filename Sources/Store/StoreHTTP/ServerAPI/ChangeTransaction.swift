import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Set App Account Token (API-5.5). An empty text is no UUID:
    /// whether it would clear the token is not documented.
    static let setAppAccountToken = Endpoint.serverAPI(
        .put, "/inApps/v1/transactions/{transactionId}/appAccountToken",
        "setAppAccountToken", perSecond: 20,
        OperationDescription(
            .developer, "Set App Account Token",
            parameters: [transactionID("transactionId", "The original transaction.")],
            body: .members(
                .openObject(
                    "The token.",
                    .required(
                        "appAccountToken", .uuid("The developer's own name for the customer."),
                        or: .invalidAppAccountTokenUUID))),
            success: .nothing("Set.", .ok),
            failures: [
                .init(.appTransactionIdNotSupported),
                .init(.familyTransactionNotSupported),
                .init(.transactionIdIsNotOriginalTransactionId),
                .init(.originalTransactionIdNotFound),
            ])
    ) { call, caller, input in
        let id = input.identifier("transactionId")
        let token = input.required(
            input.text("appAccountToken")?.lowercasedUUID, "appAccountToken")
        try await call.refusingAppTransactions(id, caller) {
            try await call.store.setAppAccountToken(
                token, originalTransaction: id, bundleID: caller.bundleID,
                in: caller.environment)
        }
        return .empty(.ok)
    }

    /// Finish Transaction (API-5.6). Finishing again is answered 200
    /// again, the safe choice for a caller that retries.
    static let finishTransaction = Endpoint.serverAPI(
        .post, "/inApps/v1/transactions/{transactionId}/finish", "finishTransaction", perSecond: 50,
        OperationDescription(
            .developer, "Finish Transaction", detail: "Finishing again is no error.",
            parameters: [transactionID()], success: .nothing("Finished.", .ok),
            failures: [.init(.appTransactionIdNotSupported), .init(.transactionIdNotFound)])
    ) { call, caller, input in
        let id = input.identifier("transactionId")
        try await call.refusingAppTransactions(id, caller) {
            try await call.store.finish(
                transaction: id, bundleID: caller.bundleID, in: caller.environment)
        }
        return .empty(.ok)
    }
}

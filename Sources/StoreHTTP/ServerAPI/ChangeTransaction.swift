import AppStoreWire
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

extension String {
    /// The text in lower case, if it is a UUID of 36 characters in any case; signed payloads show
    /// lower case (API-5.5).
    var lowercasedUUID: String? {
        let utf8 = utf8
        guard utf8.count == 36 else { return nil }
        for (place, byte) in utf8.enumerated() {
            switch (place, byte) {
            case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")),
                (23, UInt8(ascii: "-")):
                continue
            case (8, _), (13, _), (18, _), (23, _):
                return nil
            case (_, 0x30...0x39), (_, 0x41...0x46), (_, 0x61...0x66):
                continue
            default:
                return nil
            }
        }
        return lowercased()
    }
}

import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension StorefrontSurface {
    /// Asks for the price of a transaction back, as `Transaction.beginRefundRequest()` does.
    static let requestRefund = Endpoint.device(
        .post, "/storefront/v1/transactions/{transactionId}/refund-request", "requestRefund",
        OperationDescription(
            .device, "Ask for a refund",
            detail: "The developer is asked about consumption, and renewal is turned off where "
                + "the transaction is the running period. The app's refund policy decides later, "
                + "or the operator.",
            parameters: [.path("transactionId", .identifier("The transaction."))],
            body: .members(
                .object(
                    "Why.",
                    .required(
                        "reason",
                        .choice("Why the customer wants the money back.", RefundRequest.reasons)))),
            success: .accepted(
                "Asked.",
                .object(
                    "A request for a refund.",
                    .required("id", .integer("Its number.")),
                    .required("transactionId", .identifier("The transaction.")),
                    .required("reason", .choice("Why.", RefundRequest.reasons)),
                    .required("state", .choice("How far it has come.", RefundRequest.states)),
                    .required("requested", .moment("When it was asked for.")),
                    .optional(
                        "decides",
                        .moment(
                            "When the app's policy decides at the latest; absent where the "
                                + "operator decides.")))),
            failures: [
                .init(.notFound, "unknownTransaction"), .init(.conflict, "refundAlreadyRequested"),
                .init(.conflict, "notRefundable"), .init(.conflict, "alreadyRevoked"),
                .init(.conflict, "nothingPaid"), .init(.conflict, "familyShared"),
            ])
    ) { call, device, input in
        let id = try call.pathIdentifier("transactionId", of: .transaction)
        guard let reason = RefundRequest.Reason(rawValue: input.requiredText("reason")) else {
            preconditionFailure("the description allows other reasons")
        }
        let request = try await call.store.requestRefund(transaction: id, reason, by: device)
        return .object(status: .accepted) { request.write(to: &$0) }
    }
}

extension RefundRequest {
    fileprivate static let reasons = Reason.allCases.map(\.rawValue)
    fileprivate static let states = State.allCases.map(\.rawValue)

    fileprivate func write(to json: inout JSONWriter) {
        json.field("id", id)
        json.field("transactionId", String(transactionID))
        json.field("reason", reason.rawValue)
        json.field("state", state.rawValue)
        json.field("requested", requested.iso8601)
        json.field("decides", decidesAt?.iso8601)
    }
}

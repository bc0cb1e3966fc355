import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Look Up Order ID (API-5.11). An order that is unknown is 200
    /// with status 1, not 404.
    ///
    /// Production only: "does not exist" in Sandbox (API-1), so there it is not routed and
    /// answers as an unknown path does. What Apple's host answers is not documented.
    static let lookUpOrderID = Endpoint.serverAPI(
        .get, "/inApps/v1/lookup/{orderId}", "lookUpOrderID", perSecond: 10, in: [.production],
        OperationDescription(
            .developer, "Look Up Order ID",
            parameters: [
                .path(
                    "orderId",
                    .text("The order, as it is on the receipt.", 1...64, .alphanumeric),
                    or: .generalBadRequest)
            ],
            success: .ok(
                "What the order is.",
                .object(
                    "An order.",
                    .required(
                        "status",
                        .numbers(
                            "0 it has purchases of the app, 1 it has none or is unknown.",
                            OrderLookupStatus.known.map { Int64($0.rawValue) })),
                    .optional("signedTransactions", signedTransactions))))
    ) { call, caller, input in
        let order = input.required(input.parameterText("orderId"), "orderId")
        let signed = try await call.store.transactions(ofOrder: order, for: caller)
        guard !signed.isEmpty else { return .json(OrderLookupResponse(status: .invalid)) }
        return .json(OrderLookupResponse(status: .valid, signedTransactions: signed))
    }
}

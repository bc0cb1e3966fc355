import AppStoreWire
import HTTPTypes
import Hummingbird
import Store

extension ServerAPI {
    /// Look Up Order ID (app-store-server-api.md section 5.11). An order that is unknown is 200
    /// with status 1, not 404.
    ///
    /// Production only: "does not exist" in Sandbox (section 1), so there it is not routed and
    /// answers as an unknown path does. What Apple's host answers is not documented.
    static let lookUpOrderID = Endpoint.serverAPI(
        .get, "/inApps/v1/lookup/{orderId}", "lookUpOrderID", perSecond: 10, in: [.production]
    ) { call, caller in
        guard let order = call.parameter("orderId"), order.isOrderID else {
            throw APIError.generalBadRequest
        }
        let signed = try await call.store.transactions(ofOrder: order, for: caller)
        guard !signed.isEmpty else { return .json(OrderLookupResponse(status: .invalid)) }
        return .json(OrderLookupResponse(status: .valid, signedTransactions: signed))
    }
}

extension String {
    /// Whether it can be an order identifier: letters and digits, as they are on a receipt.
    fileprivate var isOrderID: Bool {
        (1...64).contains(utf8.count)
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: false
                }
            }
    }
}

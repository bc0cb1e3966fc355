import AppStoreWire
import HTTPSurface
import HTTPTypes
import Store

/// What is refused about purchases that wait, and to accounts that may not pay.
extension ErrorBody {
    static let paymentsNotAllowed = ErrorBody(
        .forbidden, "paymentsNotAllowed",
        "This account may not pay for anything: `canMakePayments` is false.")

    static func purchaseInterrupted(_ id: Int64) -> ErrorBody {
        ErrorBody(
            .conflict, "purchaseInterrupted",
            "The customer has something to settle first, such as new terms. Nothing was bought; "
                + "once request \(id) is settled, the transaction comes up among the unfinished "
                + "ones.", others: { $0.field("requestId", String(id)) })
    }

    static func needsApproval(_ id: Int64) -> ErrorBody {
        ErrorBody(
            .conflict, "needsApproval",
            "Request \(id) waits for somebody else's approval: the customer cannot give it.")
    }

    static func requestClosed(_ id: Int64, _ state: HeldPurchase.State) -> ErrorBody {
        let end =
            switch state {
            case .waiting: "still waits"
            case .approved: "was approved"
            case .declined: "was declined"
            case .lapsed: "has lapsed"
            }
        return ErrorBody(
            .conflict, "requestClosed", "Request \(id) \(end): buy again to make a new one.")
    }

    static func unknownPurchaseRequest(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownPurchaseRequest",
            "There is no request \(id) here: GET /connect/v1/purchase-requests lists those there "
                + "are.")
    }

    static let sandboxCannotApprove = ErrorBody(
        .conflict, "sandboxCannotApprove",
        "The app's Sandbox defers purchases and approves none, as Apple's: set "
            + "`sandboxApprovesPurchases` to change that.")
}

import HTTPSurface
import HTTPTypes
import SubscriptionRules

/// What the store refuses about prices, extensions and refunds, in sentences.
extension ErrorBody {
    static let noPriceIncrease = ErrorBody(
        .conflict, "noPriceIncrease",
        "No price increase of this subscription can be answered: none was announced, or it is too "
            + "late.",
        field: "priceIncrease")

    static func noScheduledPrice(_ product: String) -> ErrorBody {
        ErrorBody(
            .notFound, "noScheduledPrice",
            "No price of \(product) is scheduled there that is not live yet.")
    }

    static func unknownMassExtension(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownMassExtension", "There is no mass extension \(id) here",
            remedy: "GET /connect/v1/mass-extensions lists those there are")
    }

    static func unknownRefundRequest(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownRefundRequest",
            "There is no open refund request \(id)",
            remedy: "list the requests to see which are open")
    }

    static let refundAlreadyRequested = ErrorBody(
        .conflict, "refundAlreadyRequested",
        "A refund of this transaction was requested already and is not decided yet.")

    static func notRefundable(_ id: String, _ reason: String) -> ErrorBody {
        ErrorBody(
            .conflict, "notRefundable", "Transaction \(id) cannot be refunded: \(reason).")
    }

    static func reversedByBank(_ id: String) -> ErrorBody {
        ErrorBody(
            .conflict, "reversedByBank",
            "The bank took the payment of transaction \(id) back, and only the "
                + "bank restores it",
            remedy: "answer the bill \(id) with `restored`")
    }

    /// To programs the same as where there was none: nothing is there to be reversed.
    static func alreadyReversed(_ id: String) -> ErrorBody {
        ErrorBody(
            .conflict, "\(RefundRefusal.notRefunded)",
            "The refund of transaction \(id) was reversed already.")
    }

    static func refundRefused(_ refusal: RefundRefusal) -> ErrorBody {
        let sentence =
            switch refusal {
            case .alreadyRevoked: "The transaction was refunded already."
            case .nothingPaid: "Nothing was paid for the transaction."
            case .nothingLeft: "The period is used up: nothing of its price is left."
            case .notRefunded:
                "The transaction is not refunded as a whole, so nothing can be reversed."
            }
        return ErrorBody(.conflict, "\(refusal)", sentence)
    }

    /// - Parameter moment: when it can be extended again.
    static func extendedTwice(until moment: Instant?) -> ErrorBody {
        guard let moment else { return notExtended(.limitReached) }
        return ErrorBody(
            .conflict, "notExtended", "It was extended twice within 365 days",
            remedy: "it can be again from \(moment.plainText) on")
    }

    static func notExtended(_ refusal: ExtensionRefusal) -> ErrorBody {
        let sentence =
            switch refusal {
            case .invalidDays: "An extension has 1 to 90 days."
            case .invalidReason: "The reason code is 0 to 3."
            case .familyMember: "Extend the purchaser's subscription instead."
            case .expired: "The subscription is over."
            case .revoked: "The running period was refunded."
            case .inBillingRetry: "Its renewal failed and is being tried again."
            case .inGraceAfterExpiry: "The paid time is over; only a grace period gives access."
            case .inFreeOffer: "The running period is free."
            case .neverPaid: "No period was paid yet."
            case .limitReached: "It was extended twice within 365 days."
            }
        return ErrorBody(.conflict, "notExtended", sentence)
    }
}

import HTTPSurface
import HTTPTypes
import Store
import SubscriptionRules

extension ErrorBody {
    /// What the store refuses, in the codes of our own surfaces. The one place where they are
    /// translated; the sentences follow below.
    init(_ error: StoreError) {
        self =
            switch error {
            case .unknown(let kind, let name): .unknown(kind, name.shortened)
            case .refused(let refusal): .refused(refusal)
            case .purchase(let error): .purchase(error)
            case .offerCode(let error): ErrorBody(error)
            case .subscription(let error): .subscription(error)
            case .refund(let error): .refund(error)
            case .setting(let error): .setting(error)
            case .clock(let error): .clock(error)
            case .request(let error): .request(error)
            case .copy(let error): .copy(error)
            case .family(let error): .family(error)
            case .advancedCommerce(let error): ErrorBody(advancedCommerce: error)
            }
    }

    private static func unknown(_ kind: StoreError.Kind, _ name: String) -> ErrorBody {
        switch kind {
        case .app: .unknownApp(name)
        case .account: .unknownAccount(name)
        case .appTransaction: .noAppTransaction
        case .bill: .unknownBill(name)
        case .device: .unknownDevice(name)
        case .family: .unknownFamily(name)
        case .fault: .unknownFault(name)
        case .fork: .unknownFork(name)
        case .key: .unknownKey(name)
        case .mail: .unknownMail(name)
        case .massExtension: .unknownMassExtension(name)
        case .notification: .unknownNotification(name)
        case .offerCodeBatch: .unknownOfferCodes(name)
        case .originalTransaction: .unknownSubscription(name)
        case .product: .unknownProduct(name)
        case .purchaseRequest: .unknownPurchaseRequest(name)
        case .refundRequest: .unknownRefundRequest(name)
        case .scheduledPrice: .noScheduledPrice(name)
        case .snapshot: .unknownSnapshot(name)
        case .storefront: .unknownStorefront(name)
        case .transaction: .unknownTransaction(name)
        }
    }

    private static func refused(_ refusal: Refusal) -> ErrorBody {
        switch refusal {
        case .alreadySubscribed: .alreadySubscribed
        case .notActive: .notActive
        case .paymentPending: .paymentPending
        case .noPriceIncrease: .noPriceIncrease
        case .notExtended(let refusal): .notExtended(refusal)
        // The sweeper's and the bank's own business; no request can bring them about. What is
        // refused of a merchant's request is told in Apple's numbers.
        case .notDue, .notBilled, .priceNotChanged, .notModified: .internalFault
        }
    }

    private static func purchase(_ error: StoreError.PurchaseError) -> ErrorBody {
        switch error {
        case .notForSale(let id): .notForSale(id)
        case .notBilledMonthly(let id, let storefront):
            ErrorBody(
                .conflict, "notBilledMonthly",
                storefront.map { "\(id) is not sold with monthly billing in \($0.code)." }
                    ?? "\(id) is not sold with monthly billing.")
        case .invalidQuantity(_, let largest): .invalidQuantity(largest: largest)
        case .paymentDeclined: .paymentDeclined
        case .offer(let error): ErrorBody(error)
        case .paymentsNotAllowed: .paymentsNotAllowed
        case .interrupted(let id): .purchaseInterrupted(id)
        case .needsApproval(let id): .needsApproval(id)
        case .requestClosed(let id, let state): .requestClosed(id, state)
        }
    }

    private static func subscription(_ error: StoreError.SubscriptionError) -> ErrorBody {
        switch error {
        case .notAnOriginalTransaction(let id): .unknownSubscription(id.shortened)
        case .notASubscription(let id): .notASubscription(id)
        case .notAsked: .notAsked
        case .wrongGroup(let product, let group): .wrongGroup(product, group)
        }
    }

    private static func refund(_ error: StoreError.RefundError) -> ErrorBody {
        switch error {
        case .alreadyRequested: .refundAlreadyRequested
        case .refused(let refusal): .refundRefused(refusal)
        case .alreadyReversed(let id): .alreadyReversed(id)
        case .notRefundable(let id, let reason): .notRefundable(id, reason)
        case .reversedByBank(let id): .reversedByBank(id)
        }
    }

    private static func setting(_ error: StoreError.SettingError) -> ErrorBody {
        switch error {
        case .appExists(let id): .appExists(id)
        case .invalid(let field, let reason): .invalidSetting(field, reason)
        case .offSaleEverywhere(let id): .offSaleEverywhere(id)
        case .noNotificationURL: .noNotificationURL
        case .sandboxCannotApprove: .sandboxCannotApprove
        case .productDeleted(let id): .productDeleted(id)
        case .stillForSale(let id): .stillForSale(id)
        case .keyTaken(let id): .keyTaken(id)
        }
    }

    private static func clock(_ error: StoreError.ClockError) -> ErrorBody {
        switch error {
        case .isSystem: .clockIsSystem
        case .wouldGoBack(let now): .clockWouldGoBack(now)
        case .outOfRange: .clockOutOfRange
        case .nothingAhead(let now): .nothingAhead(now)
        case .limitReached(let now): .limitReached(now)
        }
    }

    private static func request(_ error: StoreError.RequestError) -> ErrorBody {
        switch error {
        case .signedOut: .signedOut
        case .commandIDReused: .idempotencyKeyReused
        case .invalidCursor: .invalidCursor
        case .tooManyWaiting: .tooManyWaiting
        case .invalidRevision, .invalidPaginationToken, .paginationTokenExpired: .invalidToken
        }
    }
}

// MARK: What is not there

extension ErrorBody {
    private static let invalidCursor = ErrorBody(
        .badRequest, "invalidCursor",
        "This is no cursor of an answer: send the one of the last answer as it was, or none.",
        field: "after")

    private static let tooManyWaiting = ErrorBody(
        .conflict, "tooManyWaiting",
        "As many requests as may do wait for changes on this device: end one of them, or ask "
            + "without waiting.")

    private static func unknownApp(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownApp",
            "There is no app \(id)",
            remedy: "add it at /connect/v1/apps",
            field: "bundleId")
    }

    private static func unknownTransaction(_ id: String) -> ErrorBody {
        ErrorBody(.notFound, "unknownTransaction", "There is no transaction \(id) here.")
    }

    private static func unknownSubscription(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownSubscription",
            "There is no subscription \(id) here",
            remedy: "send an originalTransactionId")
    }

    private static func unknownProduct(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownProduct", "The app has no product \(id).", field: "productId")
    }

    private static func unknownStorefront(_ code: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownStorefront",
            "There is no storefront \(code): send a three-letter code such as USA.",
            field: "storefront")
    }

    private static func unknownAccount(_ account: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownAccount",
            "There is no account \(account) in this environment",
            remedy: "signing in makes one")
    }

    private static func unknownMail(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownMail",
            "There is no mail \(id) here: GET /connect/v1/mailbox lists those there are.")
    }

    private static func unknownNotification(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownNotification",
            "There is no notification \(id) here",
            remedy: "GET /connect/v1/notifications lists those there are")
    }

    private static func unknownDevice(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownDevice",
            "The customer has no device \(id)",
            remedy: "GET /connect/v1/customers/{account}/devices lists those "
                + "there are")
    }

    private static func unknownBill(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownBill",
            "There is no bill \(id) here",
            remedy: "GET /connect/v1/bills lists those there are")
    }

    private static func unknownFault(_ id: String) -> ErrorBody {
        ErrorBody(
            .notFound, "unknownFault",
            "There is no rule \(id) here",
            remedy: "GET /connect/v1/faults lists those there are")
    }

    private static let noAppTransaction = ErrorBody(
        .notFound, "noAppTransaction", "The customer has no copy of the app.")

    private static let signedOut = ErrorBody(
        .unauthorized, "unauthenticated",
        "No device is signed in with this token here: sign in again.")
}

// MARK: What the rules and the catalogue refuse

extension ErrorBody {
    private static func notForSale(_ id: String) -> ErrorBody {
        ErrorBody(
            .conflict, "notForSale", "\(id) is not for sale in the customer's storefront.",
            field: "productId")
    }

    private static func invalidQuantity(largest: Int) -> ErrorBody {
        ErrorBody(
            .badRequest, "invalidQuantity",
            "So many of this product cannot be bought at once: send "
                + (largest == 1 ? "1." : "1 to \(largest)."),
            field: "quantity")
    }

    private static func notASubscription(_ id: String) -> ErrorBody {
        ErrorBody(
            .conflict, "notASubscription", "\(id) is not an auto-renewable subscription.",
            field: "productId")
    }

    private static func wrongGroup(_ product: String, _ group: String) -> ErrorBody {
        ErrorBody(
            .conflict, "wrongGroup",
            "\(product) is not in the subscription's group, \(group): buy it instead.",
            field: "productId")
    }

    private static let alreadySubscribed = ErrorBody(
        .conflict, "alreadySubscribed", "The customer is subscribed to this product.",
        field: "productId")

    static func subscribedInGrace(until end: Instant) -> ErrorBody {
        ErrorBody(
            .conflict, "alreadySubscribed",
            "The customer is subscribed to this product: its payment failed, and the grace period "
                + "runs until \(end.iso8601). The renewal is charged again to another payment "
                + "method; a second purchase is not needed.", field: "productId")
    }

    private static let notActive = ErrorBody(
        .conflict, "notActive", "The subscription is over: buy it again.")

    private static let paymentDeclined = ErrorBody(
        .paymentRequired, "paymentDeclined",
        "The customer's payment method declined the charge",
        remedy: "give another one")

    private static let paymentPending = ErrorBody(
        .conflict, "paymentPending",
        "The bank has yet to answer an earlier bill of the subscription",
        remedy: "wait for it, or answer it at /connect/v1/bills")

    private static let idempotencyKeyReused = ErrorBody(
        .conflict, "idempotencyKeyReused",
        "The Idempotency-Key was used for another request: send a new one.",
        field: "Idempotency-Key")

    private static let internalFault = ErrorBody(
        .internalServerError, "internal", "Something went wrong in the store.")
}

// MARK: What the operator cannot set

extension ErrorBody {
    private static func appExists(_ id: String) -> ErrorBody {
        ErrorBody(
            .conflict, "appExists",
            "An app has the bundle id \(id) or this Apple id already: choose others.")
    }

    private static func invalidSetting(_ field: String, _ reason: String) -> ErrorBody {
        ErrorBody(
            .badRequest, "invalidSetting", "`\(field)` cannot be set so: \(reason).", field: field)
    }

    private static func offSaleEverywhere(_ id: String) -> ErrorBody {
        ErrorBody(
            .conflict, "offSaleEverywhere",
            "\(id) is off sale everywhere, so that no single storefront can sell it: put it on "
                + "sale without `storefront` first, then take it off where it is not sold.",
            field: "storefront")
    }

    private static let clockIsSystem = ErrorBody(
        .conflict, "clockIsSystem",
        "The clock goes by the machine and cannot be moved",
        remedy: "make a world with another clock")

    private static func clockWouldGoBack(_ now: Instant) -> ErrorBody {
        ErrorBody(
            .conflict, "clockWouldGoBack",
            "The clock shows \(now.plainText) and never goes back: send a later moment.",
            field: "to")
    }

    private static let clockOutOfRange = ErrorBody(
        .badRequest, "clockOutOfRange",
        "The clock ends before \(Instant.latest.plainText): send an earlier moment.")

    private static func nothingAhead(_ now: Instant) -> ErrorBody {
        ErrorBody(
            .conflict, "nothingAhead",
            "Nothing happens any more by itself: the clock stands at \(now.plainText).")
    }

    private static func limitReached(_ now: Instant) -> ErrorBody {
        ErrorBody(
            .conflict, "limitReached",
            "No such notification came into being: the clock stands at the limit, "
                + "\(now.plainText).", field: "limit")
    }

    private static let noNotificationURL = ErrorBody(
        .conflict, "noNotificationURL",
        "The app has no notification URL in this environment, so no "
            + "notification comes into being",
        remedy: "set one, in Production as `notificationUrl`, in Sandbox "
            + "as `sandboxNotificationUrl`")

    private static let invalidToken = ErrorBody(
        .badRequest, "invalidToken", "The token does not belong to this question.")
}

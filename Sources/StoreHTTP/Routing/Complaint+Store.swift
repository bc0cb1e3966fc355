import HTTPTypes
import Store
import SubscriptionRules

extension Complaint {
    /// What the store refuses, in the words of our own surfaces. The one place where it is said.
    init(_ error: StoreError) {
        let (status, code, message, field) = Complaint.parts(of: error)
        self.init(status, code, message, field: field)
    }

    private typealias Parts = (
        status: HTTPResponse.Status, code: String, message: String, field: String?
    )

    private static func parts(of error: StoreError) -> Parts {
        switch error {
        case .unknownApp(let id):
            (.notFound, "unknownApp", "There is no app \(id.shortened): add it at /connect/v1/apps.",
                "bundleId")
        case .unknownTransaction(let id):
            (.notFound, "unknownTransaction", "The customer has no transaction \(id.shortened).", nil)
        case .unknownOriginalTransaction(let id), .notAnOriginalTransaction(let id):
            (.notFound, "unknownSubscription",
                "There is no subscription \(id.shortened) here: send an originalTransactionId.", nil)
        case .unknownProduct(let id):
            (.notFound, "unknownProduct", "The app has no product \(id.shortened).", "productId")
        case .unknownStorefront(let code):
            (.notFound, "unknownStorefront",
                "There is no storefront \(code.shortened): send a three-letter code such as USA.",
                "storefront")
        case .unknownAccount(let account):
            (.notFound, "unknownAccount",
                "There is no account \(account.shortened) in this environment: signing in makes one.", nil)
        case .unknownNotification:
            (.notFound, "unknownNotification", "There is no such notification.", nil)
        case .noAppTransaction:
            (.notFound, "noAppTransaction", "The customer has no copy of the app.", nil)
        case .signedOut:
            (.unauthorized, "unauthenticated",
                "No device is signed in with this token: sign in again.", nil)
        case .notForSale(let id):
            (.conflict, "notForSale", "\(id.shortened) is not for sale in the customer's storefront.",
                "productId")
        case .invalidQuantity(let quantity, let largest):
            (.badRequest, "invalidQuantity",
                "\(quantity) of this product cannot be bought at once: send 1 to \(largest).",
                "quantity")
        case .notASubscription(let id):
            (.conflict, "notASubscription", "\(id.shortened) is not an auto-renewable subscription.",
                "productId")
        case .wrongGroup(let product, let group):
            (.conflict, "wrongGroup",
                "\(product) is not in the subscription's group, \(group).", "productId")
        case .refused(let refusal):
            parts(of: refusal)
        case .appExists(let id):
            (.conflict, "appExists",
                "An app has the bundle id \(id.shortened) or this Apple id already: choose others.", nil)
        case .invalidSetting(let field, let reason):
            (.badRequest, "invalidSetting", "\(field) cannot be set so: \(reason).", field)
        case .clockIsSystem:
            (.conflict, "clockIsSystem",
                "The clock goes by the system and cannot be moved: use a running or frozen one.",
                nil)
        case .clockWouldGoBack(let now):
            (.conflict, "clockWouldGoBack",
                "The clock shows \(now.iso8601) and never goes back: send a later moment.", nil)
        case .clockOutOfRange:
            (.badRequest, "clockOutOfRange",
                "The clock ends before \(Instant.latest.iso8601): send an earlier moment.", nil)
        case .noNotificationURL:
            (.conflict, "noNotificationURL", "No notification URL is set for this app.", nil)
        case .commandIDReused:
            (.conflict, "idempotencyKeyReused",
                "The Idempotency-Key was used for another product: send a new one.", nil)
        case .invalidRevision, .invalidPaginationToken, .paginationTokenExpired:
            (.badRequest, "invalidToken", "The token does not fit the question.", nil)
        }
    }

    private static func parts(of refusal: Refusal) -> Parts {
        switch refusal {
        case .alreadySubscribed:
            (.conflict, "alreadySubscribed", "The customer is subscribed to this product.",
                "productId")
        case .notActive:
            (.conflict, "notActive", "The subscription is over: buy it again.", nil)
        case .paymentDeclined:
            (.paymentRequired, "paymentDeclined",
                "The customer's payment method declined the charge.", nil)
        case .notDue, .notBilled:
            (.conflict, "notDue", "Nothing is due yet.", nil)
        }
    }
}

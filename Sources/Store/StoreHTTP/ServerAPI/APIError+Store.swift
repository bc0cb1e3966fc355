import AppStoreWire
import Store
import SubscriptionRules

extension APIError {
    /// What the store refuses, in Apple's codes. The one place where they are translated.
    init(_ error: StoreError) {
        self =
            switch error {
            case .unknown(let kind, _): Self.unknown(kind)
            case .subscription(.notAnOriginalTransaction): .transactionIdIsNotOriginalTransactionId
            case .subscription(.notASubscription): .subscriptionExtensionIneligible
            case .refused(.notExtended(.limitReached)): .subscriptionMaxExtension
            case .refused(.notExtended(.familyMember)):
                .familySharedSubscriptionExtensionIneligible
            case .refused(.notExtended): .subscriptionExtensionIneligible
            case .advancedCommerce(let error): error
            case .family(.isShared): .familyTransactionNotSupported
            case .setting(.noNotificationURL): .serverNotificationURLNotFound
            case .request(.invalidRevision): .invalidRequestRevision
            case .request(.invalidPaginationToken): .invalidPaginationToken
            case .request(.paginationTokenExpired): .paginationTokenExpired
            // What only customers and the operator can bring about: here it is a fault of ours.
            case .request(.signedOut), .request(.commandIDReused), .request(.invalidCursor),
                .request(.tooManyWaiting), .subscription(.wrongGroup),
                .subscription(.notAsked),
                .setting(.appExists), .setting(.invalid), .setting(.offSaleEverywhere),
                .setting(.productDeleted), .setting(.stillForSale), .setting(.sandboxCannotApprove),
                .setting(.keyTaken),
                .refused, .purchase, .offerCode, .refund, .clock, .copy, .family:
                .generalInternal
            }
    }

    private static func unknown(_ kind: StoreError.Kind) -> APIError {
        switch kind {
        case .app: .appNotFound
        case .transaction: .transactionIdNotFound
        case .originalTransaction: .originalTransactionIdNotFound
        case .appTransaction: .appTransactionDoesNotExist
        case .product: .invalidProductId
        case .massExtension: .statusRequestNotFound
        // Nothing that this API is asked for.
        case .account, .bill, .device, .family, .fault, .fork, .key, .mail, .notification,
            .offerCodeBatch, .purchaseRequest, .refundRequest, .scheduledPrice, .snapshot,
            .storefront:
            .generalInternal
        }
    }
}

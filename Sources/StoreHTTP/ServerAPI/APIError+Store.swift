import AppStoreWire
import Store
import SubscriptionRules

extension APIError {
    /// What the store refuses, in Apple's codes. The one place where they are translated.
    init(_ error: StoreError) {
        self =
            switch error {
            case .unknownApp: .appNotFound
            case .unknownTransaction: .transactionIdNotFound
            case .unknownOriginalTransaction: .originalTransactionIdNotFound
            case .notAnOriginalTransaction: .transactionIdIsNotOriginalTransactionId
            case .noNotificationURL: .serverNotificationURLNotFound
            case .noAppTransaction: .appTransactionDoesNotExist
            case .invalidRevision: .invalidRequestRevision
            case .invalidPaginationToken: .invalidPaginationToken
            case .paginationTokenExpired: .paginationTokenExpired
            case .refused(.notExtended(.limitReached)): .subscriptionMaxExtension
            case .refused(.notExtended(.familyMember)):
                .familySharedSubscriptionExtensionIneligible
            case .refused(.notExtended), .notASubscription: .subscriptionExtensionIneligible
            case .unknownProduct: .invalidProductId
            case .unknownMassExtension: .statusRequestNotFound
            // What only customers and the operator can bring about: here it is a fault of ours.
            case .unknownStorefront, .unknownAccount, .notForSale, .invalidQuantity, .wrongGroup,
                .noScheduledPrice, .unknownRefundRequest, .unknownBill, .paymentDeclined,
                .refundAlreadyRequested,
                .refundRefused, .notRefundable, .reversedByBank, .refused, .signedOut, .appExists,
                .invalidSetting, .offSaleEverywhere, .clockIsSystem, .clockWouldGoBack,
                .clockOutOfRange, .nothingAhead, .limitReached, .unknownFault, .commandIDReused:
                .generalInternal
            }
    }
}

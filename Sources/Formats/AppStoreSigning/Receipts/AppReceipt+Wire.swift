public import AppStoreWire

extension AppReceipt {
    /// How verifyReceipt tells the receipt (RCP-3.1): what is frozen in it, not what is so now.
    ///
    /// - Parameter requestDate: when it is asked, in milliseconds since 1970 UTC.
    public func verified(requestDate: Int64) -> VerifiedReceipt {
        VerifiedReceipt(
            receiptType: environment, appAppleId: appAppleID ?? 0, bundleId: bundleID,
            applicationVersion: appVersion, downloadId: downloadID,
            versionExternalIdentifier: versionExternalIdentifier,
            receiptCreationDate: creationDate, requestDate: requestDate,
            originalPurchaseDate: originalPurchaseDate ?? creationDate,
            originalApplicationVersion: originalAppVersion ?? appVersion,
            expirationDate: expirationDate, inApp: inApp.map(\.transaction))
    }
}

extension InAppReceipt {
    /// How verifyReceipt tells the transaction in `in_app` (RCP-3.2).
    public var transaction: ReceiptTransaction {
        ReceiptTransaction(
            quantity: quantity, productId: productID, transactionId: transactionID,
            originalTransactionId: originalTransactionID ?? transactionID,
            purchaseDate: purchaseDate, originalPurchaseDate: originalPurchaseDate ?? purchaseDate,
            expiresDate: expiresDate,
            // Where there is none, receipts have 0.
            webOrderLineItemId: webOrderLineItemID.flatMap { $0 == 0 ? nil : String($0) },
            isTrialPeriod: isTrialPeriod,
            // Receipts have the attribute in every transaction, verifyReceipt in some.
            isInIntroOfferPeriod: productType.map { $0 == .autoRenewable } == false
                ? nil : isInIntroOfferPeriod,
            cancellationDate: cancellationDate, promotionalOfferId: promotionalOfferID)
    }
}

extension ReceiptVerificationError.Code {
    /// What verifyReceipt answers to a receipt that is refused for this (RCP-2).
    public var status: VerifyReceiptStatus {
        switch self {
        case .malformed, .tooLarge: .malformedReceipt
        default: .notAuthenticated
        }
    }
}

import AppStoreSigning
import AppStoreWire
import MerchantRules
import SubscriptionRules

/// One transaction, as receipts of either kind tell it.
struct ReceiptEntry: Sendable {
    let transaction: ReceiptTransaction
    let kind: TransactionFacts.Kind

    /// As it stands in a receipt.
    init(_ one: InAppReceipt) {
        transaction = ReceiptTransaction(
            quantity: one.quantity, productId: one.productID, transactionId: one.transactionID,
            originalTransactionId: one.originalTransactionID ?? one.transactionID,
            purchaseDate: one.purchaseDate,
            originalPurchaseDate: one.originalPurchaseDate ?? one.purchaseDate,
            expiresDate: one.expiresDate,
            webOrderLineItemId: one.webOrderLineItemID.map { String($0) },
            isTrialPeriod: one.isTrialPeriod, isInIntroOfferPeriod: one.isInIntroOfferPeriod,
            cancellationDate: one.cancellationDate, promotionalOfferId: one.promotionalOfferID)
        kind =
            switch one.productType {
            case .nonConsumable?: .nonConsumable
            case .consumable?: .consumable
            case .nonRenewing?: .nonRenewing
            case .autoRenewable?: .autoRenewable
            case nil: Self.kind(of: transaction)
            }
    }

    /// As verifyReceipt tells it, which does not name the kind of the product.
    init(_ one: ReceiptTransaction, under policy: AccessPolicy) {
        transaction = one
        let isSeason = one.expiresDate == nil && policy.durations[one.productId] != nil
        kind = isSeason ? .nonRenewing : Self.kind(of: one)
    }

    /// Where nobody says what was bought: only auto-renewable subscriptions have an end.
    private static func kind(of one: ReceiptTransaction) -> TransactionFacts.Kind {
        one.expiresDate == nil ? .nonConsumable : .autoRenewable
    }

    /// Whether another plan took its place: a receipt has the same date for that as for a refund,
    /// and only a purchase of that very second tells them apart.
    func isUpgraded(among siblings: [ReceiptEntry]) -> Bool {
        if transaction.isUpgraded == true { return true }
        guard kind == .autoRenewable, transaction.cancellationReason == nil,
            let ended = transaction.cancellationDate
        else { return false }
        return siblings.contains {
            $0.transaction.transactionId != transaction.transactionId
                && $0.transaction.purchaseDate / 1000 == ended / 1000
        }
    }

    /// Whether the store charged for it by itself: at the end of a period that was not cut short,
    /// or up to a day before.
    func isRenewal(among siblings: [ReceiptEntry]) -> Bool {
        guard kind == .autoRenewable,
            transaction.transactionId != transaction.originalTransactionId
        else { return false }
        let bought = transaction.purchaseDate
        return siblings.contains { other in
            guard let end = other.transaction.expiresDate,
                other.transaction.cancellationDate == nil
            else { return false }
            return other.transaction.purchaseDate < bought && bought <= end
                && end - Span.days(1).milliseconds <= bought
        }
    }
}

extension MerchantEnvironment {
    /// Nil for what Xcode made, and for what nobody has published.
    init?(_ receipt: ReceiptEnvironment) {
        switch receipt {
        case .production, .productionVPP: self = .production
        case .sandbox, .sandboxVPP: self = .sandbox
        default: return nil
        }
    }

    /// What its receipts call it.
    var receipts: Set<ReceiptEnvironment> {
        switch self {
        case .production: [.production, .productionVPP]
        case .sandbox: [.sandbox, .sandboxVPP]
        }
    }
}

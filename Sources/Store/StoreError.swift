public import SubscriptionRules

/// Why the store refuses a command or finds nothing to show. Nothing has changed.
public enum StoreError: Error, Sendable, Hashable {
    case unknownApp(String)
    case unknownTransaction(String)
    case unknownOriginalTransaction(String)
    case notAnOriginalTransaction(String)
    case unknownProduct(String)
    case unknownStorefront(String)
    case unknownAccount(String)
    case notForSale(String)
    /// It can be put on sale everywhere, and not in one storefront alone.
    case offSaleEverywhere(String)
    case invalidQuantity(Int, largest: Int)
    case notASubscription(String)
    case wrongGroup(product: String, group: String)
    case refused(Refusal)
    /// The bank declined what the customer wanted to buy.
    case paymentDeclined
    case unknownBill(String)
    case signedOut
    case appExists(String)
    case invalidSetting(String, reason: String)
    case clockIsSystem
    case clockWouldGoBack(Instant)
    case clockOutOfRange(Instant)
    /// Nothing happens any more by itself; the clock shows this.
    case nothingAhead(Instant)
    /// What was waited for has not come; the clock stands at the limit.
    case limitReached(Instant)
    case noNotificationURL
    case unknownFault(String)
    case noScheduledPrice(String)
    case unknownMassExtension(String)
    case unknownRefundRequest(String)
    case refundAlreadyRequested(String)
    case refundRefused(RefundRefusal)
    case notRefundable(String, reason: String)
    /// The bank took the payment of this transaction back: only the bank restores it.
    case reversedByBank(String)
    case commandIDReused
    case noAppTransaction
    case invalidRevision
    case invalidPaginationToken
    /// The token is one of ours, but for another question.
    case paginationTokenExpired
}

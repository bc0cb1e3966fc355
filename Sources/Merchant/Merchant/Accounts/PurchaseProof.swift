/// What an app has that proves what its customer bought, or who the customer is at the store.
public enum PurchaseProof: Hashable, Sendable {
    /// A signed transaction (JWS), as StoreKit gives it.
    case signedTransaction(String)
    /// The app receipt in Base64.
    case receipt(String)
    /// The signed app transaction (JWS): it names the store's customer, and no purchase.
    case signedAppTransaction(String)
}

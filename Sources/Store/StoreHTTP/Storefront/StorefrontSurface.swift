import HTTPSurface

/// What StoreKit does for an app on a customer's device: signing in, buying, and what the customer
/// owns. Callers show the token of a sign-in.
enum StorefrontSurface {
    static let endpoints: [Endpoint] = [
        signIn, signOut, listProducts, purchase, redeem, listTransactions, finish, restore,
        listUpdates, getReceipt, getTransactionReceipt,
        listEntitlements,
        listSubscriptions, changeSubscription, requestRefund, listMessages, getAppTransaction,
        listOwnRequests, settlePurchase, listOptIns, answerOptIn, revokeOptIn,
        getFamily, changeFamily, leaveFamily, setSharing, listInAppMessages, seeInAppMessage,
        linkAccount, listOwnPurchases, getOwnPurchase, getCode,
    ]

    /// The shapes that have names of their own in `/openapi.json`.
    static let schemas: [(name: String, schema: Schema)] = [
        ("Product", productSchema), ("Transaction", transactionSchema),
        ("DeviceSubscription", subscriptionSchema), ("DeviceMessage", messageSchema),
        ("InAppMessage", inAppMessageSchema),
        ("OwnFamily", familySchema), ("OwnOptIn", ownOptInSchema),
        ("OwnPurchase", ownPurchaseSchema),
    ]
}

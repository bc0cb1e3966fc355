// What an Advanced Commerce request may not do as things are.

extension APIError.AdvancedCommerce {
    /// 4000097.
    public static let repeatedRequestReferenceId = APIError(
        4_000_097, "RepeatedRequestReferenceId",
        "`requestReferenceId` belongs to another request: send a new UUID.")

    /// 4000113: in-app requests.
    public static let invalidPreviousSubscription = APIError(
        4_000_113, "InvalidPreviousSubscription",
        "The previous subscription cannot be resumed: name one of this customer's that "
            + "has expired.")

    /// 4000114: in-app requests.
    public static let productAlreadyExists = APIError(
        4_000_114, "ProductAlreadyExists",
        "The customer has this SKU already: leave it out, or change it.")

    /// 4000116: in-app requests.
    public static let invalidSalable = APIError(
        4_000_116, "InvalidSalable",
        "The product is not the generic one for this: buy the app's generic product.")

    /// 4000117: in-app requests.
    public static let invalidSalableDuration = APIError(
        4_000_117, "InvalidSalableDuration",
        "The generic product cannot have this period: check its setting.")

    /// 4000121.
    public static let invalidProduct = APIError(
        4_000_121, "InvalidProduct",
        "The subscription has no item with this SKU: name one that it has.")

    /// 4000131: in-app requests.
    public static let invalidRenewalPrice = APIError(
        4_000_131, "InvalidRenewalPrice",
        "The price at the renewal is not valid: check the items' prices and the "
            + "currency's decimals.")

    /// 4000133.
    public static let mismatchedStorefront = APIError(
        4_000_133, "MismatchedStorefront",
        "`storefront` is not the transaction's: send that one, or leave it out.")

    /// 4000134.
    public static let missingPricingConfigForStorefront = APIError(
        4_000_134, "MissingPricingConfigForStorefront",
        "There are no prices in this storefront and currency: send the storefront's own "
            + "currency.")

    /// 4000135.
    public static let operationNotAllowed = APIError(
        4_000_135, "OperationNotAllowed",
        "The operation is not allowed for this transaction: check what it is for.")

    /// 4000145: in-app requests.
    public static let removeItemNotFound = APIError(
        4_000_145, "RemoveItemNotFound",
        "An item to remove is not in the subscription: name one that it has.")

    /// 4000146: in-app requests.
    public static let changeItemNotFound = APIError(
        4_000_146, "ChangeItemNotFound",
        "An item to change or to reactivate is not in the subscription: name one that it has, "
            + "by the SKU of now.")

    /// 4000158.
    public static let simulateRefundDeclineOnlyInSandbox = APIError(
        4_000_158, "SimulateRefundDeclineOnlyInSandbox",
        "SIMULATE_REFUND_DECLINE is for the sandbox only: send another reason.")

    /// 4000168.
    public static let removalAllNotAllowed = APIError(
        4_000_168, "RemovalAllNotAllowed",
        "Every item of the active subscription would be gone: leave at least one, or end "
            + "the subscription.")

    /// 4000176: migrate.
    public static let subscriptionAlreadyMigrated = APIError(
        4_000_176, "SubscriptionAlreadyMigrated",
        "The subscription is one of Advanced Commerce already: if it was migrated, go on with "
            + "its new transaction.")

    /// 4000177: in-app requests.
    public static let offerPreventsItemMidCycleChange = APIError(
        4_000_177, "OfferPreventsItemMidCycleChange",
        "An item is in an offer and cannot be changed before the next billing cycle: let "
            + "it happen then.")

    /// 4000178: in-app requests.
    public static let priceChangeNotSupportedThroughModifyItems = APIError(
        4_000_178, "PriceChangeNotSupportedThroughModifyItems",
        "An item that stays has another price: change it with Change Subscription Price.")

    /// 4000180: migrate.
    public static let pendingChangesMismatch = APIError(
        4_000_180, "PendingChangesMismatch",
        "`renewalItems` and the pending change disagree: send them where a change is "
            + "pending, and only there.")

    /// 4000181.
    public static let pendingRefund = APIError(
        4_000_181, "PendingRefund",
        "A refund of this transaction is being decided: wait for its notification.")

    /// 4000182.
    public static let proratedOnlyLatestTransaction = APIError(
        4_000_182, "ProratedOnlyLatestTransaction",
        "PRORATED is only for the latest transaction: send FULL or CUSTOM, or name the "
            + "latest one.")

    /// 4000186: revoke.
    public static let revokeOnInactiveSubscription = APIError(
        4_000_186, "RevokeOnInactiveSubscription",
        "The subscription is not active: there is nothing to revoke.")

    /// 4000205: change price.
    public static let priceChangeCannotBeIssuedWhenAlreadyCommunicated = APIError(
        4_000_205, "PriceChangeCannotBeIssuedWhenAlreadyCommunicated",
        "The customer has been told of a price increase: wait until it has taken effect.")

    /// 4000214: in-app requests.
    public static let invalidPriceForChangeItemInPriceIncrease = APIError(
        4_000_214, "InvalidPriceForChangeItemInPriceIncrease",
        "The price of a changed item with an offer is not the one of its price increase: "
            + "send the increased price.")

    /// 4000220: change price.
    public static let invalidSKUProvidedMustBeCurrentSKUSetToRenew = APIError(
        4_000_220, "InvalidSKUProvidedMustBeCurrentSKUSetToRenew",
        "A SKU is not one that will renew: name items by the SKU that they have from the next "
            + "renewal on.")

    /// 4000221: change price.
    public static let acaPriceIncreaseIsNotCurrentlySupportedInIndia = APIError(
        4_000_221, "ACAPriceIncreaseIsNotCurrentlySupportedInIndia",
        "A price increase is not available in India: lower prices only.")

    /// 4030008.
    public static let subscriptionDoesNotExist = APIError(
        4_030_008, "SubscriptionDoesNotExist",
        "The transaction has no subscription: name a transaction of one.")

    /// 4030009.
    public static let subscriptionAlreadyExists = APIError(
        4_030_009, "SubscriptionAlreadyExists",
        "The customer has a subscription of this kind already: change that one.")

    /// 4030010.
    public static let subscriptionNotEligible = APIError(
        4_030_010, "SubscriptionNotEligible",
        "The subscription is not eligible for this: check that it is an Advanced Commerce one, "
            + "is active, renews and is paid.")

    /// 4030011: in-app requests.
    public static let subscriptionAlreadyActive = APIError(
        4_030_011, "SubscriptionAlreadyActive",
        "The subscription is active: there is nothing to begin anew or to reactivate.")

    /// 4030013.
    public static let productNotOwned = APIError(
        4_030_013, "ProductNotOwned",
        "The customer does not own the product: check the transaction id and the SKUs.")

    /// 4030015.
    public static let inactiveACASub = APIError(
        4_030_015, "InactiveACASub",
        "The Advanced Commerce subscription is not active: buy it anew.")

    /// 4030020.
    public static let insufficientFunds = APIError(
        4_030_020, "InsufficientFunds",
        "There are no funds for the refund: try again later.")

    /// 4030021.
    public static let alreadyRefunded = APIError(
        4_030_021, "AlreadyRefunded",
        "The transaction has been refunded already: nothing is left to give back.")

    /// 4030022: migrate.
    public static let storefrontChange = APIError(
        4_030_022, "StorefrontChange",
        "The customer has changed the storefront: the subscription cannot be migrated.")

    /// 4030023.
    public static let productNotEligible = APIError(
        4_030_023, "ProductNotEligible",
        "The product is not eligible for this: name an Advanced Commerce subscription, or "
            + "for a migration an ordinary one.")

    /// 4030024.
    public static let transactionNotRefundable = APIError(
        4_030_024, "TransactionNotRefundable",
        "The transaction cannot be refunded: check that it is an Advanced Commerce one, was paid "
            + "for and is not shared.")

    /// 4030025.
    public static let transactionCannotBeRefundedContactSupport = APIError(
        4_030_025, "TransactionCannotBeRefundedContactSupport",
        "The transaction cannot be refunded this way: the customer may ask support.")

    /// 4030027: migrate.
    public static let migrationNotAllowedWhenPriceIncreaseCommunicated = APIError(
        4_030_027, "MigrationNotAllowedWhenPriceIncreaseCommunicated",
        "The customer has been told of a price increase: migrate when it has taken "
            + "effect.")

    /// 4040010.
    public static let transactionIdNotFound = APIError.transactionIdNotFound

    /// 4040016.
    public static let productNotFound = APIError(
        4_040_016, "ProductNotFound",
        "The generic product is not known: check the app's products.")

    static let state: [APIError] = [
        repeatedRequestReferenceId, invalidPreviousSubscription, productAlreadyExists,
        invalidSalable, invalidSalableDuration, invalidProduct, invalidRenewalPrice,
        mismatchedStorefront, missingPricingConfigForStorefront, operationNotAllowed,
        removeItemNotFound, changeItemNotFound, simulateRefundDeclineOnlyInSandbox,
        removalAllNotAllowed, subscriptionAlreadyMigrated, offerPreventsItemMidCycleChange,
        priceChangeNotSupportedThroughModifyItems, pendingChangesMismatch, pendingRefund,
        proratedOnlyLatestTransaction, revokeOnInactiveSubscription,
        priceChangeCannotBeIssuedWhenAlreadyCommunicated, invalidPriceForChangeItemInPriceIncrease,
        invalidSKUProvidedMustBeCurrentSKUSetToRenew,
        acaPriceIncreaseIsNotCurrentlySupportedInIndia, subscriptionDoesNotExist,
        subscriptionAlreadyExists, subscriptionNotEligible, subscriptionAlreadyActive,
        productNotOwned, inactiveACASub, insufficientFunds, alreadyRefunded, storefrontChange,
        productNotEligible, transactionNotRefundable, transactionCannotBeRefundedContactSupport,
        migrationNotAllowedWhenPriceIncreaseCommunicated, transactionIdNotFound, productNotFound,
    ]
}

// What does not go together in an Advanced Commerce request.

extension APIError.AdvancedCommerce {
    /// 4000063: in-app requests.
    public static let oneItemNeededInModify = APIError(
        4_000_063, "OneItemNeededInModify",
        "The request changes nothing: add, change or remove an item, or change the period "
            + "or the descriptors.")

    /// 4000115.
    public static let invalidProductChanges = APIError(
        4_000_115, "InvalidProductChanges",
        "The request changes nothing: send what is to be another than before.")

    /// 4000137: in-app requests.
    public static let moreOffersThanAllowed = APIError(
        4_000_137, "MoreOffersThanAllowed",
        "There are too many offers: send one for each item.")

    /// 4000139: in-app requests.
    public static let emptyAddChangeItems = APIError(
        4_000_139, "EmptyAddChangeItems",
        "`addItems` or `changeItems` is empty: send at least one item, or leave it out.")

    /// 4000140: in-app requests.
    public static let missingUpdatedItemsWithPeriodChange = APIError(
        4_000_140, "MissingUpdatedItemsWithPeriodChange",
        "The period changes and not every item with it: name each item in `changeItems` "
            + "or `removeItems`.")

    /// 4000141: in-app requests.
    public static let periodResetWithRetainBillingCycle = APIError(
        4_000_141, "PeriodResetWithRetainBillingCycle",
        "A period that changes at once begins a new billing cycle: set "
            + "`retainBillingCycle` to false, or change it at the next one.")

    /// 4000142: in-app requests.
    public static let periodChangeEffectiveConflict = APIError(
        4_000_142, "PeriodChangeEffectiveConflict",
        "The period changes at the next billing cycle and items at once: let both happen "
            + "at the same time.")

    /// 4000143.
    public static let multipleOperationsOnSingleSKU = APIError(
        4_000_143, "MultipleOperationsOnSingleSKU",
        "A SKU is named more than once: send one operation for each.")

    /// 4000144: in-app requests.
    public static let removeItemsWithoutAddOrChangeItems = APIError(
        4_000_144, "RemoveItemsWithoutAddOrChangeItems",
        "Items are removed in a new billing cycle that nothing begins: add or change an "
            + "item as well, or keep the cycle.")

    /// 4000147: in-app requests.
    public static let misalignedBillingCycle = APIError(
        4_000_147, "MisalignedBillingCycle",
        "The period does not fit the subscription's billing cycle: send the "
            + "subscription's own.")

    /// 4000148: in-app requests.
    public static let billingCycleResetWithEffectiveLater = APIError(
        4_000_148, "BillingCycleResetWithEffectiveLater",
        "A new billing cycle begins at once and a change waits for the next one: set "
            + "`retainBillingCycle` to true, or let it happen at once.")

    /// 4000149: in-app requests.
    public static let periodChangeImmediateWithEffectiveAtNextBillingCycle = APIError(
        4_000_149, "PeriodChangeImmediateWithEffectiveAtNextBillingCycle",
        "The period changes at once and an item at the next billing cycle: let both "
            + "happen at the same time.")

    /// 4000150: in-app requests.
    public static let multiplePrices = APIError(
        4_000_150, "MultiplePrices",
        "An item has a prorated price and an offer: send one of the two.")

    /// 4000184.
    public static let partialSimulateRefundDecline = APIError(
        4_000_184, "PartialSimulateRefundDecline",
        "SIMULATE_REFUND_DECLINE is the reason of some items: send it for all of them, or "
            + "for none.")

    /// 4000192: change price.
    public static let dependentSKUsCannotBeShared = APIError(
        4_000_192, "DependentSKUsCannotBeShared",
        "A SKU depends on more than one item: let it depend on one.")

    /// 4000193: change price.
    public static let dependentSKUsCannotBeChained = APIError(
        4_000_193, "DependentSKUsCannotBeChained",
        "A dependent SKU has dependents of its own: name all of them at the first item.")

    /// 4000194: change price.
    public static let itemCannotBeSpecifiedMultipleTimes = APIError(
        4_000_194, "ItemCannotBeSpecifiedMultipleTimes",
        "A SKU is named more than once: send one entry for each.")

    /// 4000222: in-app requests.
    public static let invalidProratedPriceForChangeItemWithEffectiveLater = APIError(
        4_000_222, "InvalidProratedPriceForChangeItemWithEffectiveLater",
        "`proratedPrice` is only for a change that happens at once: leave it out.")

    /// 4000223: in-app requests.
    public static let freeTrialOfferMustUsePeriodCountOfOne = APIError(
        4_000_223, "FreeTrialOfferMustUsePeriodCountOfOne",
        "An offer that is free must have a `periodCount` of 1: send a longer period "
            + "instead.")

    static let together: [APIError] = [
        oneItemNeededInModify, invalidProductChanges, moreOffersThanAllowed, emptyAddChangeItems,
        missingUpdatedItemsWithPeriodChange, periodResetWithRetainBillingCycle,
        periodChangeEffectiveConflict, multipleOperationsOnSingleSKU,
        removeItemsWithoutAddOrChangeItems, misalignedBillingCycle,
        billingCycleResetWithEffectiveLater, periodChangeImmediateWithEffectiveAtNextBillingCycle,
        multiplePrices, partialSimulateRefundDecline, dependentSKUsCannotBeShared,
        dependentSKUsCannotBeChained, itemCannotBeSpecifiedMultipleTimes,
        invalidProratedPriceForChangeItemWithEffectiveLater, freeTrialOfferMustUsePeriodCountOfOne,
    ]
}

/// The six endpoints that servers call for Advanced Commerce, all of them POST.
public enum AdvancedCommerceEndpoint: String, CaseIterable, Sendable {
    case cancel, changeMetadata, changePrice, migrate, revoke, requestRefund

    /// The path, with `{transactionId}` as its one parameter.
    public var path: String {
        switch self {
        case .requestRefund: "/advancedCommerce/v1/transaction/requestRefund/{transactionId}"
        case .cancel, .changeMetadata, .changePrice, .migrate, .revoke:
            "/advancedCommerce/v1/subscription/\(rawValue)/{transactionId}"
        }
    }

    /// Calls that an app may make in a second, in Production; Sandbox allows a tenth of them
    /// (ACP-8).
    public var requestsPerSecond: Int {
        switch self {
        case .changeMetadata, .changePrice, .migrate: 50
        case .cancel, .revoke, .requestRefund: 5
        }
    }

    /// The errors that Apple documents for it, by status and code; without 401, 429 and 500
    /// (ACP-8).
    public var errors: [APIError] {
        (Self.common + documented).sorted { $0.code < $1.code }
    }

    private typealias Errors = APIError.AdvancedCommerce

    private static let common: [APIError] = [
        Errors.nullRequestInfo, Errors.nullRequestReferenceId, Errors.invalidRequestReferenceId,
        Errors.invalidConsistencyToken, Errors.invalidAppAccountToken, Errors.invalidStorefront,
        Errors.mismatchedStorefront, Errors.operationNotAllowed, Errors.malformedPayload,
        Errors.subscriptionDoesNotExist, Errors.subscriptionNotEligible,
        Errors.transactionIdNotFound,
    ]

    private static let lengths: [APIError] = [
        Errors.skuLengthExceeded, Errors.descriptionLengthExceeded,
        Errors.displayNameLengthExceeded, Errors.invalidProduct, Errors.invalidSKU,
    ]

    private static let texts: [APIError] = [
        Errors.invalidDisplayName, Errors.invalidDescription, Errors.invalidTaxProductCode,
        Errors.atLeastOneItem, Errors.inactiveACASub, Errors.productNotEligible,
        Errors.productNotFound,
    ]

    private static let refunds: [APIError] = [
        Errors.repeatedRequestReferenceId, Errors.simulateRefundDeclineOnlyInSandbox,
        Errors.refundAmountWithoutCustom, Errors.nullRefundRisking, Errors.invalidRefundType,
        Errors.invalidRefundReason, Errors.negativeRefundAmount, Errors.nullRefundAmount,
        Errors.nullRefundReason, Errors.nullRefundType, Errors.pendingRefund,
        Errors.productNotOwned, Errors.insufficientFunds, Errors.alreadyRefunded,
        Errors.transactionNotRefundable,
    ]

    private var documented: [APIError] {
        switch self {
        case .cancel: [Errors.productNotOwned]
        case .changeMetadata:
            Self.lengths + Self.texts + [
                Errors.repeatedRequestReferenceId, Errors.nullEffective,
                Errors.invalidProductChanges, Errors.atLeastOneOfDisplayNameOrDescription,
                Errors.productNotOwned,
            ]
        case .changePrice:
            Self.lengths + [
                Errors.nullItems, Errors.nullSKU, Errors.invalidCurrency, Errors.negativePrice,
                Errors.missingPricingConfigForStorefront, Errors.dependentSKUsCannotBeShared,
                Errors.dependentSKUsCannotBeChained, Errors.itemCannotBeSpecifiedMultipleTimes,
                Errors.priceChangeCannotBeIssuedWhenAlreadyCommunicated,
                Errors.invalidSKUProvidedMustBeCurrentSKUSetToRenew,
            ]
        case .migrate:
            Self.lengths + Self.texts + [
                Errors.repeatedRequestReferenceId, Errors.nullTaxCode, Errors.nullItems,
                Errors.nullDescriptors, Errors.nullSKU, Errors.nullDisplayName,
                Errors.nullDescription, Errors.missingPricingConfigForStorefront,
                Errors.nullTargetProductId, Errors.invalidTargetProductId,
                Errors.subscriptionAlreadyMigrated, Errors.itemLimitExceeded,
                Errors.pendingChangesMismatch, Errors.subscriptionAlreadyExists,
                Errors.productNotOwned, Errors.storefrontChange,
                Errors.migrationNotAllowedWhenPriceIncreaseCommunicated,
            ]
        case .revoke: Self.refunds + [Errors.revokeOnInactiveSubscription]
        case .requestRefund:
            Self.refunds + [
                Errors.removalAllNotAllowed, Errors.proratedOnlyLatestTransaction,
                Errors.partialSimulateRefundDecline,
            ]
        }
    }

    /// What it answers besides, where Apple's list has no number for what is wrong or leaves out
    /// one that the changelog names.
    public var furtherErrors: [APIError] {
        switch self {
        case .cancel: [Errors.invalidTransactionId, Errors.repeatedRequestReferenceId]
        case .changeMetadata:
            [
                Errors.invalidTransactionId, Errors.moreItemsThanAllowed,
                Errors.multipleOperationsOnSingleSKU, Errors.nullCurrentSKU,
            ]
        case .changePrice:
            [
                Errors.invalidTransactionId, Errors.repeatedRequestReferenceId, Errors.nullPrice,
                Errors.invalidAmount, Errors.moreItemsThanAllowed,
                Errors.acaPriceIncreaseIsNotCurrentlySupportedInIndia,
            ]
        case .migrate: [Errors.invalidTransactionId, Errors.multipleOperationsOnSingleSKU]
        case .revoke:
            [
                Errors.invalidTransactionId,
                Errors.transactionCannotBeRefundedContactSupport,
            ]
        case .requestRefund:
            [
                Errors.invalidTransactionId, Errors.invalidCurrency, Errors.skuLengthExceeded,
                Errors.nullItems, Errors.nullSKU, Errors.invalidSKU, Errors.invalidAmount,
                Errors.moreItemsThanAllowed, Errors.multipleOperationsOnSingleSKU,
                Errors.transactionCannotBeRefundedContactSupport,
            ]
        }
    }
}

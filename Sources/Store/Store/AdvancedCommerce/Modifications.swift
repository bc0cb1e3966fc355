import AppStoreWire
import SubscriptionRules

extension MerchantModification {
    /// A request in the words of the rules.
    ///
    /// - Throws: `StoreError.advancedCommerce` for amounts that are none in the currency.
    init(
        _ request: AdvancedCommerceSubscriptionModifyInAppRequest, of plan: Plan,
        _ place: RequestPrices
    ) throws(StoreError) {
        self.init(
            keepsCycle: request.retainBillingCycle,
            requestID: request.requestInfo.requestReferenceId)
        for item in request.addItems ?? [] {
            added.append(
                try Item(
                    item.sku, item.displayName, item.description, item.price, item.offer,
                    item.proratedPrice, place))
        }
        for item in request.changeItems ?? [] {
            changed.append(
                Change(
                    of: item.currentSKU,
                    to: try Item(
                        item.sku, item.displayName, item.description, item.price, item.offer,
                        item.proratedPrice, place),
                    isImmediate: item.effective == .immediately))
        }
        removed = (request.removeItems ?? []).map(\.sku)
        if let change = request.periodChange {
            guard let length = CalendarPeriod(iso8601: change.period.rawValue) else {
                throw .advancedCommerce(APIError.AdvancedCommerce.invalidRenewalPeriod)
            }
            period = Dated(length, isImmediate: change.effective == .immediately)
        }
        if let change = request.descriptors, let known = plan.merchant?.texts {
            texts = Dated(
                DisplayTexts(
                    displayName: change.displayName ?? known.displayName,
                    description: change.description ?? known.description),
                isImmediate: change.effective == .immediately)
        }
        taxCode = request.taxCode
    }
}

extension MerchantModification.Item {
    fileprivate init(
        _ sku: String, _ displayName: String, _ description: String, _ price: Int64,
        _ offer: AdvancedCommerceOffer?, _ proratedPrice: Int64?, _ place: RequestPrices
    ) throws(StoreError) {
        try place.check(price: price)
        if let proratedPrice { try place.check(price: proratedPrice) }
        var applied: AppliedOffer?
        if let offer { applied = try place.offer(offer) }
        self.init(
            Plan.Line(
                sku: sku, price: price, offer: applied,
                texts: DisplayTexts(displayName: displayName, description: description)),
            proratedPrice: proratedPrice)
    }
}

extension StoreError {
    /// What the rules refuse of a merchant's request, in Apple's numbers.
    static func asAdvancedCommerce<Answer>(_ request: () throws -> Answer) throws -> Answer {
        do {
            return try request()
        } catch StoreError.refused(.notModified(let refusal)) {
            throw StoreError.advancedCommerce(APIError(refusal))
        } catch StoreError.refused(.priceNotChanged(let refusal)) {
            throw StoreError.advancedCommerce(APIError(refusal))
        } catch StoreError.refused(.notActive) {
            throw StoreError.advancedCommerce(APIError.AdvancedCommerce.subscriptionNotEligible)
        } catch StoreError.refused(.paymentPending) {
            throw StoreError.advancedCommerce(
                APIError.AdvancedCommerce.subscriptionNotEligible.saying(
                    "The bank has not answered an earlier bill: ask again when it has."))
        }
    }
}

extension APIError {
    /// Why a merchant's plan is not changed.
    fileprivate init(_ refusal: MerchantModificationRefusal) {
        typealias Errors = APIError.AdvancedCommerce
        self =
            switch refusal {
            case .notActive:
                Errors.subscriptionNotEligible.saying("The subscription is not active.")
            case .changedItemMissing: Errors.changeItemNotFound
            case .removedItemMissing: Errors.removeItemNotFound
            case .nothingLeft: Errors.removalAllNotAllowed
            case .itemExists: Errors.productAlreadyExists
            case .tooManyItems: Errors.itemLimitExceeded
            case .itemsOfPeriodMissing: Errors.missingUpdatedItemsWithPeriodChange
            case .offerRuns: Errors.offerPreventsItemMidCycleChange
            case .misaligned:
                Errors.misalignedBillingCycle.saying(
                    "An offer would not end with a billing cycle: make it as long as the "
                        + "subscription's period, or give all items offers that end together.")
            case .priceChange: Errors.priceChangeNotSupportedThroughModifyItems
            case .notTheIncreasedPrice: Errors.invalidPriceForChangeItemInPriceIncrease
            case .renewsAlready: Errors.subscriptionAlreadyActive
            case .sameName:
                Errors.invalidDisplayName.saying(
                    "An item would have the name of the whole subscription: give them two.")
            }
    }

    /// Why a merchant's prices are not changed (ACP-4, ACP-5).
    fileprivate init(_ refusal: MerchantPriceRefusal) {
        typealias Errors = APIError.AdvancedCommerce
        self =
            switch refusal {
            case .notActive:
                Errors.subscriptionNotEligible.saying("The subscription is not active.")
            case .renewalOff:
                Errors.subscriptionNotEligible.saying("The customer has turned renewal off.")
            case .inOffer:
                Errors.subscriptionNotEligible.saying(
                    "An offer runs on the item: its price is changed when that is over.")
            case .unknownItem: Errors.invalidSKUProvidedMustBeCurrentSKUSetToRenew
            case .noIncreases: Errors.acaPriceIncreaseIsNotCurrentlySupportedInIndia
            case .communicated: Errors.priceChangeCannotBeIssuedWhenAlreadyCommunicated
            case .chainedDependent: Errors.dependentSKUsCannotBeChained
            case .sharedDependent: Errors.dependentSKUsCannotBeShared
            }
    }
}

import AppStoreWire
import NaiveModel
import Store
import SubscriptionRules
import TestSupport

/// What merchants describe themselves, asked of the real store.
extension Player {
    func play(_ deed: MerchantDeed, _ index: Int) async throws -> Outcome {
        let tail = String(repeating: "0", count: 12 - "\(index)".count) + "\(index)"
        let info = AdvancedCommerceRequestInfo(
            requestReferenceId: "00000000-0000-4000-8000-\(tail)")
        switch deed {
        case .create(let name, let items, let length, let token):
            var create = self.request(info, items, length, in: naive.accounts[name]!.country)
            if begunAgain[index] == nil {
                let found = try await subscription(name, MerchantDeed.group)?.id
                begunAgain.updateValue(found, forKey: index)
            }
            create.previousTransactionId = begunAgain[index]?.map { String($0) }
            try await buy(.createSubscription(create), index, token: token, by: name)
        case .claim(let number, let items, let asksConsumption, let isToBeDeclined):
            return try await claim(number, items, info, asksConsumption, isToBeDeclined)
        case .modify(let name, _), .reactivate(let name, _), .prices(let name, _),
            .cancel(let name), .describe(let name, _), .revoke(let name, _, _, _):
            guard let found = try await subscription(name, MerchantDeed.group) else {
                return .notActive
            }
            try await play(deed, index, info, of: found, name)
        case .migrate(let name, let group, let items, let renewing):
            guard let found = try await subscription(name, group) else { return .notActive }
            _ = try await store.migrate(
                transaction: found.id, .init(sent(migration(info, items, renewing))),
                for: caller(of: name))
        }
        return .done
    }

    /// What is done with a subscription that there is.
    private func play(
        _ deed: MerchantDeed, _ index: Int, _ info: AdvancedCommerceRequestInfo,
        of found: Subscription, _ name: Account.Name
    ) async throws {
        let caller = caller(of: name)
        switch deed {
        case .modify(_, let change):
            let request = try AdvancedCommerceSubscriptionModifyInAppRequest(
                change, of: found, info)
            try await buy(.modifySubscription(request), index, by: name)
        case .reactivate(_, let skus):
            let request = AdvancedCommerceSubscriptionReactivateInAppRequest(
                transactionId: "\(found.id)", requestInfo: info,
                items: skus?.map(AdvancedCommerceSubscriptionReactivateItem.init(sku:)))
            try await buy(
                .reactivateSubscription(try .init(sent(request))), index, by: name)
        case .prices(_, let changes):
            _ = try await store.changePrices(
                transaction: found.newestPeriod.transactionID,
                AdvancedCommerceSubscriptionPriceChangeRequest(
                    requestInfo: info, currency: found.plan.currency.code,
                    items: changes.map {
                        AdvancedCommerceSubscriptionPriceChangeItem(
                            sku: $0.sku, price: Int64($0.price),
                            dependentSKUs: $0.dependents.isEmpty ? nil : $0.dependents)
                    }), for: caller)
        case .cancel:
            _ = try await store.cancel(
                transaction: found.id, AdvancedCommerceSubscriptionCancelRequest(requestInfo: info),
                for: caller)
        case .describe(_, let naming):
            _ = try await store.changeMetadata(
                transaction: found.id, .init(sent(naming.request(info))), for: caller)
        case .revoke(_, let kind, let asksConsumption, let isToBeDeclined):
            let request = AdvancedCommerceSubscriptionRevokeRequest(
                requestInfo: info,
                refundReason: isToBeDeclined ? .simulateRefundDecline : .other,
                refundType: kind.type, refundRiskingPreference: asksConsumption)
            _ = try await store.revoke(
                transaction: found.id, .init(sent(request)), for: caller)
        case .create, .claim, .migrate: preconditionFailure("\(deed) is done elsewhere")
        }
    }

    private func migration(
        _ info: AdvancedCommerceRequestInfo, _ items: [String], _ renewing: [String]?
    ) -> AdvancedCommerceSubscriptionMigrateRequest {
        AdvancedCommerceSubscriptionMigrateRequest(
            requestInfo: info,
            descriptors: AdvancedCommerceDescriptors(displayName: "Mine", description: "All"),
            items: items.map { .init(sku: $0, displayName: $0, description: $0) },
            renewalItems: renewing?.map { .init(sku: $0, displayName: $0, description: $0) },
            targetProductId: MerchantDeed.product, taxCode: "C003-00-1")
    }

    private func buy(
        _ request: AdvancedCommerceInAppRequest, _ index: Int, token: String? = nil,
        by name: Account.Name
    ) async throws {
        var purchase = PurchaseRequest(productID: MerchantDeed.product, appAccountToken: token)
        purchase.advancedCommerce = SignedInAppRequest(nonce: "nonce \(index)", request)
        _ = try await store.buy(purchase, by: devices[name]!)
    }

    private func claim(
        _ number: Int, _ items: [ItemClaim], _ info: AdvancedCommerceRequestInfo,
        _ asksConsumption: Bool, _ isToBeDeclined: Bool
    ) async throws -> Outcome {
        // Receipts are found by their number, so all have to be there.
        try await store.settle()
        guard let (name, id) = try await transaction(number) else { return .done }
        let request = AdvancedCommerceRequestRefundRequest(
            requestInfo: info,
            items: items.map { item in
                AdvancedCommerceRequestRefundItem(
                    sku: item.sku,
                    refundReason: isToBeDeclined ? .simulateRefundDecline : .other,
                    refundType: item.kind.type, revoke: item.ends,
                    refundAmount: item.kind.amount.map(Int64.init))
            }, refundRiskingPreference: asksConsumption)
        _ = try await store.requestRefund(
            transaction: id, .init(sent(request)), for: caller(of: name))
        return .done
    }

    private func caller(of name: Account.Name) -> Caller {
        Caller(bundleID: OpenWorld.bundleID, environment: name.environment)
    }

    private func request(
        _ info: AdvancedCommerceRequestInfo, _ items: [HeldLine], _ length: Length,
        in country: Country
    ) -> AdvancedCommerceSubscriptionCreateRequest {
        AdvancedCommerceSubscriptionCreateRequest(
            requestInfo: info, currency: country.currency, taxCode: "C003-00-1",
            descriptors: AdvancedCommerceDescriptors(displayName: "Mine", description: "All"),
            period: AdvancedCommercePeriod(rawValue: OpenWorld.period(length).iso8601),
            items: items.map { item in
                AdvancedCommerceSubscriptionCreateItem(
                    sku: item.sku, displayName: item.name, description: item.sku,
                    price: Int64(item.price), offer: item.offer.map(AdvancedCommerceOffer.init))
            })
    }
}

/// A request as it comes in: what could not be sent is the author's mistake.
private func sent(_ request: some WireEncodable) throws -> JSONValue {
    var json = JSONWriter(capacity: 1024)
    request.encode(to: &json)
    return try JSONValue(parsing: json.bytes)
}

extension AdvancedCommerceSubscriptionModifyInAppRequest {
    fileprivate init(
        _ change: Modification, of found: Subscription, _ info: AdvancedCommerceRequestInfo
    ) throws {
        var request = AdvancedCommerceSubscriptionModifyInAppRequest(
            transactionId: "\(found.id)", requestInfo: info,
            currency: found.plan.currency.code, retainBillingCycle: change.keepsCycle)
        request.descriptors = change.title.map {
            .init(effective: .init(isNow: change.isTitleNow), displayName: $0)
        }
        request.periodChange = change.length.map {
            .init(
                effective: .init(isNow: !change.keepsCycle),
                period: AdvancedCommercePeriod(rawValue: OpenWorld.period($0).iso8601))
        }
        request.addItems = change.added.map { one in
            AdvancedCommerceSubscriptionModifyAddItem(
                sku: one.line.sku, displayName: one.line.name, description: one.line.sku,
                price: Int64(one.line.price),
                offer: one.line.offer.map(AdvancedCommerceOffer.init),
                proratedPrice: one.prorated.map(Int64.init))
        }
        request.changeItems = change.changed.map { one in
            AdvancedCommerceSubscriptionModifyChangeItem(
                currentSKU: one.current, sku: one.line.sku, displayName: one.line.name,
                description: one.line.sku, price: Int64(one.line.price),
                offer: one.line.offer.map(AdvancedCommerceOffer.init),
                proratedPrice: one.prorated.map(Int64.init),
                effective: .init(isNow: one.isNow),
                reason: one.line.offer == nil ? .upgrade : .applyOffer)
        }
        request.removeItems = change.removed.map(
            AdvancedCommerceSubscriptionModifyRemoveItem.init(sku:))
        if change.added.isEmpty { request.addItems = nil }
        if change.changed.isEmpty { request.changeItems = nil }
        if change.removed.isEmpty { request.removeItems = nil }
        try self.init(sent(request))
    }
}

extension AdvancedCommerceEffective {
    fileprivate init(isNow: Bool) { self = isNow ? .immediately : .nextBillCycle }
}

extension Naming {
    fileprivate func request(
        _ info: AdvancedCommerceRequestInfo
    ) -> AdvancedCommerceSubscriptionChangeMetadataRequest {
        AdvancedCommerceSubscriptionChangeMetadataRequest(
            requestInfo: info,
            descriptors: title.map {
                .init(effective: .init(isNow: isTitleNow), displayName: $0)
            },
            items: items.isEmpty
                ? nil
                : items.map { item in
                    AdvancedCommerceSubscriptionChangeMetadataItem(
                        currentSKU: item.current, effective: .init(isNow: item.isNow),
                        sku: item.sku, displayName: item.name)
                })
    }
}

extension ItemClaim.Kind {
    fileprivate var type: AdvancedCommerceRefundType {
        switch self {
        case .full: .full
        case .prorated: .prorated
        case .custom: .custom
        }
    }

    fileprivate var amount: Int? { if case .custom(let amount) = self { amount } else { nil } }
}

extension AdvancedCommerceOffer {
    fileprivate init(_ discount: Discount) {
        self.init(
            period: AdvancedCommerceOfferPeriod(
                rawValue: OpenWorld.period(discount.length).iso8601),
            periodCount: discount.count, price: Int64(discount.price),
            reason: AdvancedCommerceOfferReason(rawValue: discount.name ?? ""))
    }
}

extension Outcome {
    /// What a request of a merchant is refused with; nil for what never may happen.
    init?(_ error: APIError) {
        guard let outcome = Outcome.ofMerchants[error.code] else { return nil }
        self = outcome
    }

    private typealias Errors = APIError.AdvancedCommerce

    private static let ofMerchants: [Int64: Outcome] = [
        Errors.nullAdvancedCommerceData.code: .needsRequest,
        Errors.invalidSalable.code: .notSalable,
        Errors.subscriptionAlreadyActive.code: .alreadyActive,
        Errors.invalidAmount.code: .invalidAmount,
        Errors.subscriptionNotEligible.code: .notEligible,
        Errors.priceChangeCannotBeIssuedWhenAlreadyCommunicated.code: .notEligible,
        Errors.acaPriceIncreaseIsNotCurrentlySupportedInIndia.code: .notEligible,
        Errors.invalidSKUProvidedMustBeCurrentSKUSetToRenew.code: .invalidSKU,
        Errors.dependentSKUsCannotBeChained.code: .dependentsInChain,
        Errors.dependentSKUsCannotBeShared.code: .dependentsShared,
        Errors.invalidSignature.code: .signatureUsed,
        Errors.changeItemNotFound.code: .changedItemMissing,
        Errors.removeItemNotFound.code: .removedItemMissing,
        Errors.removalAllNotAllowed.code: .nothingLeft,
        Errors.productAlreadyExists.code: .itemExists,
        Errors.missingUpdatedItemsWithPeriodChange.code: .itemsOfPeriodMissing,
        Errors.offerPreventsItemMidCycleChange.code: .offerRuns,
        Errors.misalignedBillingCycle.code: .misaligned,
        Errors.priceChangeNotSupportedThroughModifyItems.code: .noPriceChange,
        Errors.invalidPriceForChangeItemInPriceIncrease.code: .notTheIncreasedPrice,
        Errors.productNotOwned.code: .notOwned,
        Errors.transactionNotRefundable.code: .notRefundable,
        Errors.alreadyRefunded.code: .alreadyRefunded,
        Errors.pendingRefund.code: .refundPending,
        Errors.proratedOnlyLatestTransaction.code: .notTheNewest,
        Errors.insufficientFunds.code: .notSoMuchLeft,
        Errors.simulateRefundDeclineOnlyInSandbox.code: .onlyInSandbox,
        Errors.revokeOnInactiveSubscription.code: .notActive,
        Errors.inactiveACASub.code: .notActive,
        Errors.invalidProduct.code: .changedItemMissing,
        Errors.invalidProductChanges.code: .invalidNaming,
        Errors.productNotFound.code: .unknownProduct,
        Errors.subscriptionAlreadyMigrated.code: .alreadyMigrated,
        Errors.storefrontChange.code: .countryChanged,
        Errors.productNotEligible.code: .notMigrated,
        Errors.pendingChangesMismatch.code: .otherChangesPending,
        Errors.migrationNotAllowedWhenPriceIncreaseCommunicated.code: .increaseTold,
    ]
}

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
            var request = PurchaseRequest(
                productID: MerchantDeed.product, appAccountToken: token)
            var create = self.request(info, items, length, in: naive.accounts[name]!.country)
            if begunAgain[index] == nil {
                let found = try await subscription(name, MerchantDeed.group)?.id
                begunAgain.updateValue(found, forKey: index)
            }
            create.previousTransactionId = begunAgain[index]?.map { String($0) }
            request.advancedCommerce = SignedInAppRequest(
                nonce: "nonce \(index)", .createSubscription(create))
            _ = try await store.buy(request, by: devices[name]!)
        case .prices(let name, let changes):
            guard let found = try await subscription(name, MerchantDeed.group) else {
                return .notActive
            }
            _ = try await store.changePrices(
                transaction: found.newestPeriod.transactionID,
                AdvancedCommerceSubscriptionPriceChangeRequest(
                    requestInfo: info, currency: found.plan.currency.code,
                    items: changes.map {
                        AdvancedCommerceSubscriptionPriceChangeItem(
                            sku: $0.sku, price: Int64($0.price),
                            dependentSKUs: $0.dependents.isEmpty ? nil : $0.dependents)
                    }), for: caller(of: name))
        case .cancel(let name):
            guard let found = try await subscription(name, MerchantDeed.group) else {
                return .notActive
            }
            _ = try await store.cancel(
                transaction: found.id, AdvancedCommerceSubscriptionCancelRequest(requestInfo: info),
                for: caller(of: name))
        }
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
                    sku: item.sku, displayName: item.sku, description: item.sku,
                    price: Int64(item.price), offer: item.offer.map(AdvancedCommerceOffer.init))
            })
    }
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
        typealias Errors = APIError.AdvancedCommerce
        switch error.code {
        case Errors.nullAdvancedCommerceData.code: self = .needsRequest
        case Errors.invalidSalable.code: self = .notSalable
        case Errors.subscriptionAlreadyActive.code: self = .alreadyActive
        case Errors.invalidAmount.code: self = .invalidAmount
        case Errors.subscriptionNotEligible.code,
            Errors.priceChangeCannotBeIssuedWhenAlreadyCommunicated.code,
            Errors.acaPriceIncreaseIsNotCurrentlySupportedInIndia.code:
            self = .notEligible
        case Errors.invalidSKUProvidedMustBeCurrentSKUSetToRenew.code: self = .invalidSKU
        case Errors.invalidSignature.code: self = .signatureUsed
        default: return nil
        }
    }
}

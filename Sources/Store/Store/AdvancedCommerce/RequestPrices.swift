import AppStoreWire
import SubscriptionRules

/// The documented errors of requests.
private typealias Errors = APIError.AdvancedCommerce

/// What the amounts of a request may be where it is to take effect.
struct RequestPrices {
    let storefront: Storefront

    init(_ storefront: Storefront) { self.storefront = storefront }

    func check(storefront code: String?, currency: String?) throws(StoreError) {
        if let code {
            guard Storefront(code: code) != nil else {
                throw .advancedCommerce(Errors.invalidStorefront)
            }
            guard code == storefront.code else {
                throw .advancedCommerce(
                    Errors.mismatchedStorefront.saying("The storefront is \(storefront.code)."))
            }
        }
        guard currency == nil || currency == storefront.currency.code else {
            throw .advancedCommerce(
                Errors.invalidCurrency.saying(
                    "In \(storefront.code) prices are in \(storefront.currency.code)."))
        }
    }

    /// Prices have no more decimals than the currency allows (ACP-6).
    func check(price: Int64) throws(StoreError) {
        let currency = storefront.currency
        guard price <= Catalogue.largestPrice else {
            throw .advancedCommerce(
                Errors.invalidAmount.saying(
                    "\(price) is more than the store takes: give at most "
                        + "\(Catalogue.largestPrice) milliunits."))
        }
        guard currency.allows(price) else {
            throw .advancedCommerce(
                Errors.invalidAmount.saying(
                    "\(price) is no price in \(currency.code): give milliunits in steps of "
                        + "\(currency.step)."))
        }
    }

    /// An offer as it applies to the first period: for nothing as a whole, or period by period.
    /// Its identifier is its reason.
    func offer(_ offer: AdvancedCommerceOffer) throws(StoreError) -> AppliedOffer {
        try check(price: offer.price)
        guard let period = offer.period.flatMap({ CalendarPeriod(iso8601: $0.rawValue) }) else {
            throw .advancedCommerce(Errors.invalidOfferPeriod)
        }
        return AppliedOffer(
            kind: .promotional, id: offer.reason.rawValue,
            mode: offer.price == 0 ? .freeTrial : .payAsYouGo, period: period,
            wholePeriod: period.repeated(offer.periodCount), price: offer.price,
            periodsLeft: offer.periodCount - 1)
    }
}

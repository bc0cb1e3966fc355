import AppStoreWire
import Storage
import SubscriptionRules

/// The documented errors of requests.
private typealias Errors = APIError.AdvancedCommerce

/// What a developer describes and signs itself, as it is bought (0036).
extension PurchaseWork {
    /// - Throws: `StoreError.advancedCommerce` and what any purchase throws.
    func sell(_ signed: SignedInAppRequest) throws -> Sale {
        guard product.isGeneric,
            app.isForSale(product.id, in: customer.storefront, customer.environment)
        else { throw StoreError.advancedCommerce(Errors.invalidSalable) }
        // Of what was approved the signature was used up when it was asked for.
        if !isApproved {
            let isNew = try OfferSignatureUse.insert(
                app: app.id, environment: customer.environment, nonce: signed.nonce,
                at: work.now, in: work.session)
            guard isNew else {
                throw StoreError.advancedCommerce(
                    Errors.invalidSignature.saying(
                        "The nonce was used already: sign anew, with another one."))
            }
        }
        switch signed.request {
        case .createOneTimeCharge(let request): return try charge(request)
        case .createSubscription(let request): return try create(request)
        case .modifySubscription, .reactivateSubscription:
            throw StoreError.advancedCommerce(Errors.operationNotAllowed)
        }
    }

    private func charge(_ request: AdvancedCommerceOneTimeChargeCreateRequest) throws -> Sale {
        guard product.type == .consumable else {
            throw StoreError.advancedCommerce(Errors.invalidSalable)
        }
        let place = RequestPlace(customer.storefront)
        try place.check(storefront: request.storefront, currency: request.currency)
        try place.check(price: request.item.price)
        try app.checkSKU(request.item.sku)
        if let held = try hold() { return .held(held) }
        var asked = BillRecord(
            id: work.nextTransactionID(in: customer.environment), app: app.id,
            environment: customer.environment, customer: customer.id, subscription: nil,
            purpose: .oneTimePurchase, productID: product.id, groupID: nil, quantity: 1,
            amount: Money(milliunits: request.item.price, place.storefront.currency),
            storefront: customer.storefront, appAccountToken: token(of: request.requestInfo),
            bill: nil, state: .sent, made: work.now, changed: work.now)
        asked.advancedCommerce = AdvancedCommerceTransactionInfo(
            items: [
                AdvancedCommerceTransactionItem(
                    sku: request.item.sku, displayName: request.item.displayName,
                    description: request.item.description, price: request.item.price)
            ], requestReferenceId: request.requestInfo.requestReferenceId,
            taxCode: request.taxCode)
        return try pay(asked)
    }

    private func create(_ request: AdvancedCommerceSubscriptionCreateRequest) throws -> Sale {
        guard let terms = product.subscription else {
            throw StoreError.advancedCommerce(Errors.invalidSalable)
        }
        let place = RequestPlace(customer.storefront)
        try place.check(storefront: request.storefront, currency: request.currency)
        let plan = try plan(request, terms, place)
        let previous = try previous(request, groupID: terms.groupID)
        guard let previous else {
            return try subscribeFirst(to: Choice(plan: plan), terms.groupID)
        }
        let one = SubscriptionWork(work: work, app: app, customer: customer, record: previous)
        try one.checkChoice(of: plan, in: place.storefront)
        if let held = try hold() { return .held(held) }
        one.record.storefront = place.storefront
        if let token = token(of: request.requestInfo) { one.record.appAccountToken = token }
        try one.choose(plan, command: command)
        return one.sale
    }

    private func plan(
        _ request: AdvancedCommerceSubscriptionCreateRequest, _ terms: SubscriptionTerms,
        _ place: RequestPlace
    ) throws -> Plan {
        guard let period = CalendarPeriod(iso8601: request.period.rawValue) else {
            throw StoreError.advancedCommerce(Errors.invalidRenewalPeriod)
        }
        return Plan(
            productID: product.id, level: terms.level, period: period,
            lines: try request.items.map { item in
                try app.checkSKU(item.sku)
                try place.check(price: item.price)
                return Plan.Line(
                    sku: item.sku, price: item.price,
                    offer: try item.offer.map { try place.offer($0) },
                    texts: DisplayTexts(
                        displayName: item.displayName, description: item.description))
            },
            currency: place.storefront.currency,
            merchant: MerchantPlan(
                texts: DisplayTexts(
                    displayName: request.descriptors.displayName,
                    description: request.descriptors.description),
                taxCode: request.taxCode, requestID: request.requestInfo.requestReferenceId))
    }

    /// The subscription that is to begin again, which must be over: the one that is named, or the
    /// customer's, who has one at a time of a generic product.
    private func previous(
        _ request: AdvancedCommerceSubscriptionCreateRequest, groupID: String
    ) throws -> SubscriptionRecord? {
        guard let text = request.previousTransactionId else {
            let found = try SubscriptionRecord.find(
                customer: customer.id, app: app.id, groupID: groupID, in: work.session)
            guard let found, !found.subscription.isOver else { return found }
            throw StoreError.advancedCommerce(
                Errors.subscriptionAlreadyActive.saying(
                    "The customer has a subscription of \(product.id) already, and one at a time."))
        }
        guard let id = Int64(text), let transaction = try work.transaction(id),
            transaction.customer == customer.id, transaction.app == app.id,
            let found = try transaction.subscription.flatMap({
                try SubscriptionRecord.find($0, in: work.session)
            }), found.customer == customer.id, found.subscription.plan.productID == product.id
        else { throw StoreError.advancedCommerce(Errors.invalidPreviousTransactionId) }
        guard found.subscription.isOver else {
            throw StoreError.advancedCommerce(Errors.subscriptionAlreadyActive)
        }
        return found
    }

    private func token(of info: AdvancedCommerceRequestInfo) -> String? {
        let token = info.appAccountToken ?? request.appAccountToken
        return token?.isEmpty == true ? nil : token
    }
}

/// Where a request is to take effect, which decides what its amounts may be.
struct RequestPlace {
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
        guard currency.allows(price), price <= Catalogue.largestPrice else {
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

extension App {
    /// A merchant's item is none of the catalogue's products, whose prices would reach it.
    func checkSKU(_ sku: String) throws(StoreError) {
        guard product(sku) == nil else {
            throw .advancedCommerce(
                Errors.invalidSKU.saying("\(sku) is the identifier of a product of the catalogue."))
        }
    }

    /// A request is made once: repeated, it finds what was done.
    func command(
        of request: some WireEncodable & AdvancedCommerceCommand, in environment: StoreEnvironment
    ) -> Command {
        Command(
            id: "advancedCommerce/\(environment.rawValue)/\(id)/"
                + request.requestInfo.requestReferenceId,
            asked: AdvancedCommerceText.text(request))
    }
}

/// A request of Advanced Commerce, on a device or by a server.
protocol AdvancedCommerceCommand {
    var requestInfo: AdvancedCommerceRequestInfo { get }
}

extension AdvancedCommerceInAppRequest: AdvancedCommerceCommand {}
extension AdvancedCommerceSubscriptionPriceChangeRequest: AdvancedCommerceCommand {}
extension AdvancedCommerceSubscriptionCancelRequest: AdvancedCommerceCommand {}

import AppStoreWire
import Storage
import SubscriptionRules

/// The documented errors of requests.
private typealias Errors = APIError.AdvancedCommerce

/// What a developer describes and signs itself, as it is bought (0036).
extension PurchaseWork {
    /// - Throws: `StoreError.advancedCommerce` and what any purchase throws.
    func sell(_ signed: SignedInAppRequest) throws -> Sale {
        // Of what was approved the signature was used up when it was asked for.
        guard !isApproved else { return try carryOut(signed.request) }
        let isNew = try OfferSignatureUse.insert(
            app: app.id, environment: customer.environment, nonce: signed.nonce, at: work.now,
            in: work.session)
        guard isNew else {
            throw StoreError.advancedCommerce(
                Errors.invalidSignature.saying(
                    "The nonce was used already: sign anew, with another one."))
        }
        return try spending(signed.nonce) { try carryOut(signed.request) }
    }

    private func carryOut(_ request: AdvancedCommerceInAppRequest) throws -> Sale {
        guard product.isGeneric else { throw StoreError.advancedCommerce(Errors.invalidSalable) }
        return try StoreError.asAdvancedCommerce {
            switch request {
            case .createOneTimeCharge(let request): try charge(request)
            case .createSubscription(let request): try create(request)
            case .modifySubscription(let request): try modify(request)
            case .reactivateSubscription(let request): try reactivate(request)
            }
        }
    }

    private func checkIsForSale() throws(StoreError) {
        guard app.isForSale(product.id, in: customer.storefront, customer.environment) else {
            throw .advancedCommerce(Errors.invalidSalable)
        }
    }

    private func charge(_ request: AdvancedCommerceOneTimeChargeCreateRequest) throws -> Sale {
        guard product.type == .consumable else {
            throw StoreError.advancedCommerce(Errors.invalidSalable)
        }
        try checkIsForSale()
        let place = RequestPrices(customer.storefront)
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
        try checkIsForSale()
        let place = RequestPrices(customer.storefront)
        try place.check(storefront: request.storefront, currency: request.currency)
        var plan = try plan(request, terms, place)
        guard plan.isAligned else {
            throw StoreError.refused(.notModified(.misaligned))
        }
        let previous = try request.previousTransactionId.map { try ended($0) }
        try checkIsNew(plan.lines.map(\.sku), groupID: terms.groupID, except: previous)
        guard let previous else {
            if let held = try hold() { return .held(held) }
            return try begin(PurchaseOffers.Choice(plan: plan), terms.groupID)
        }
        let one = SubscriptionWork(work: work, app: app, customer: customer, record: previous)
        if !isApproved { try one.checkToken(request.requestInfo) }
        plan.merchant?.migratedFrom = previous.subscription.plan.merchant?.migratedFrom
        try one.checkChoice(of: plan, in: place.storefront)
        if let held = try hold() { return .held(held) }
        one.record.storefront = place.storefront
        if let token = token(of: request.requestInfo) { one.record.appAccountToken = token }
        try one.choose(plan, command: command)
        return one.sale
    }

    /// A customer has an item once: nothing that runs, or is to begin, delivers it already.
    private func checkIsNew(
        _ skus: [String], groupID: String, except own: SubscriptionRecord?
    ) throws {
        let owned = try work.merchantItems(
            of: customer, app.id, groupID: groupID, except: own?.subscription.id)
        if let sku = skus.first(where: owned.contains) {
            throw StoreError.advancedCommerce(
                Errors.productAlreadyExists.saying("The customer subscribes to \(sku) already."))
        }
    }

    private func plan(
        _ request: AdvancedCommerceSubscriptionCreateRequest, _ terms: SubscriptionTerms,
        _ place: RequestPrices
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

    /// The subscription of a transaction, of the customer and of the generic product; nil for
    /// another.
    private func subscription(of transactionID: String) throws -> SubscriptionRecord? {
        guard let id = Int64(transactionID), let transaction = try work.transaction(id),
            transaction.customer == customer.id, transaction.app == app.id,
            let found = try transaction.subscription.flatMap({
                try SubscriptionRecord.find($0, in: work.session)
            }), found.customer == customer.id, found.subscription.plan.productID == product.id,
            found.subscription.plan.merchant != nil
        else { return nil }
        return found
    }

    /// The subscription that is to begin again, which must be over.
    private func ended(_ transactionID: String) throws -> SubscriptionRecord {
        guard let found = try subscription(of: transactionID) else {
            throw StoreError.advancedCommerce(Errors.invalidPreviousTransactionId)
        }
        guard found.subscription.isOver else {
            throw StoreError.advancedCommerce(Errors.subscriptionAlreadyActive)
        }
        return found
    }

    private func modify(_ request: AdvancedCommerceSubscriptionModifyInAppRequest) throws -> Sale {
        guard let record = try subscription(of: request.transactionId) else {
            throw StoreError.advancedCommerce(Errors.transactionIdNotFound)
        }
        let place = RequestPrices(record.storefront)
        try place.check(storefront: request.storefront, currency: request.currency)
        let coming =
            (request.addItems ?? []).map(\.sku)
            + (request.changeItems ?? []).filter { $0.sku != $0.currentSKU }.map(\.sku)
        for sku in coming { try app.checkSKU(sku) }
        try checkIsNew(coming, groupID: record.subscription.groupID, except: record)
        let modification = try MerchantModification(request, of: record.subscription.plan, place)
        return try change(record, by: .merchantModified(modification), request.requestInfo)
    }

    private func reactivate(
        _ request: AdvancedCommerceSubscriptionReactivateInAppRequest
    ) throws -> Sale {
        guard let record = try subscription(of: request.transactionId) else {
            throw StoreError.advancedCommerce(Errors.transactionIdNotFound)
        }
        try RequestPrices(record.storefront).check(storefront: request.storefront, currency: nil)
        return try change(
            record, by: .merchantReactivated(skus: request.items?.map(\.sku)), request.requestInfo)
    }

    /// What would be refused is refused before anybody is asked.
    private func change(
        _ record: SubscriptionRecord, by event: Event, _ info: AdvancedCommerceRequestInfo
    ) throws -> Sale {
        let one = SubscriptionWork(work: work, app: app, customer: customer, record: record)
        if !isApproved { try one.checkToken(info) }
        try one.check(event, in: record.storefront)
        if let held = try hold() { return .held(held) }
        if let token = token(of: info) { one.record.appAccountToken = token }
        try one.handle(event, at: work.now, command: command)
        return one.sale
    }

    private func token(of info: AdvancedCommerceRequestInfo) -> String? {
        let token = info.appAccountToken ?? request.appAccountToken
        return token?.isEmpty == true ? nil : token
    }
}

extension UnitOfWork {
    /// The items of a merchant that a customer has, is to have, or is paying for.
    ///
    /// - Parameter own: a subscription whose items do not count.
    func merchantItems(
        of customer: Customer, _ app: Int64, groupID: String, except own: Int64? = nil
    ) throws -> Set<String> {
        let records = try SubscriptionRecord.all(
            customer: customer.id, app: app, groupID: groupID, in: session)
        let bills = try BillRecord.outstanding(
            ofCustomer: customer.id, app: app, groupID: groupID, in: session)
        let subscriptions = records.map(\.subscription).filter { !$0.isOver && $0.id != own }
        let paying = bills.filter { $0.subscription != own || own == nil }.compactMap(\.bill)
        let plans =
            subscriptions.map(\.plan) + subscriptions.compactMap(\.nextPlan)
            + paying.map(\.plan) + paying.compactMap { $0.modification?.next }
        return Set(plans.flatMap(\.lines).map(\.sku))
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
    ///
    /// - Parameter transaction: what a call is about; a request on a device says so itself.
    func command(
        of request: some WireEncodable & AdvancedCommerceCommand, to transaction: Int64? = nil,
        in environment: StoreEnvironment
    ) -> Command {
        Command(
            id: Command.advancedCommerce(
                request.requestInfo.requestReferenceId, app: id, environment),
            asked: (transaction.map { "\($0) " } ?? "") + AdvancedCommerceText.text(request))
    }
}

extension Command {
    /// By what a request is known.
    static func advancedCommerce(
        _ reference: String, app: Int64, _ environment: StoreEnvironment
    ) -> String {
        "\(advancedCommerce)\(environment.rawValue)/\(app)/\(reference)"
    }

    /// What the names of all requests begin with.
    static let advancedCommerce = "advancedCommerce/"
}

/// A request of Advanced Commerce, on a device or by a server.
protocol AdvancedCommerceCommand {
    var requestInfo: AdvancedCommerceRequestInfo { get }
}

extension AdvancedCommerceInAppRequest: AdvancedCommerceCommand {}
extension AdvancedCommerceSubscriptionPriceChangeRequest: AdvancedCommerceCommand {}
extension AdvancedCommerceSubscriptionCancelRequest: AdvancedCommerceCommand {}
extension AdvancedCommerceSubscriptionChangeMetadataRequest: AdvancedCommerceCommand {}
extension AdvancedCommerceSubscriptionMigrateRequest: AdvancedCommerceCommand {}
extension AdvancedCommerceSubscriptionRevokeRequest: AdvancedCommerceCommand {}
extension AdvancedCommerceRequestRefundRequest: AdvancedCommerceCommand {}

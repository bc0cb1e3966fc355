import Storage
public import SubscriptionRules

/// What a code brings, before anybody redeems it.
public struct OfferOfCode: Sendable {
    public let productID: String
    /// Whether many customers may redeem it.
    public let isCustom: Bool
    public let billing: BillingPlan
    public let terms: Terms

    /// What is to be paid.
    public enum Terms: Sendable {
        /// A subscription's offer, and what one discounted period costs.
        case lasting(Offer, Money)
        /// Of what is bought once (COD-6).
        case once(Money)
    }
}

extension Store {
    /// What a code brings the customer on a device. Whether this customer can redeem it only the
    /// redemption says.
    ///
    /// - Parameter code: as it was typed; capital and small letters are the same.
    /// - Throws: `StoreError.offerCode(.unknown)`, `.purchase(.offer)`.
    public func offer(ofCode code: String, for device: DeviceSession) async throws -> OfferOfCode {
        try await read { reader in
            let app = try reader.apps[device.app]
            let found = try app.offerCode(
                code.uppercased(), in: device.environment, seed: World.seed(in: reader.session),
                reader.session)
            guard let (batch, _) = found, let product = app.product(batch.productID) else {
                throw StoreError.offerCode(.unknown)
            }
            let customer = try reader.account(device)
            var isCustom = false
            if case .custom = batch.kind { isCustom = true }
            if let terms = product.subscription {
                guard let offer = terms.offer(.offerCode, batch.offerID) else {
                    throw StoreError.purchase(.offer(.unknown(batch.offerID)))
                }
                let running = try SubscriptionRecord.all(
                    ofCustomer: customer.id, app: app.id, in: reader.session
                ).first { $0.subscription.groupID == terms.groupID && !$0.subscription.isOver }
                let price = offer.price(in: running?.storefront ?? customer.storefront)
                return OfferOfCode(
                    productID: product.id, isCustom: isCustom, billing: offer.billing,
                    terms: .lasting(offer, price))
            }
            guard let offer = product.oneTimeOffer(batch.offerID) else {
                throw StoreError.purchase(.offer(.unknown(batch.offerID)))
            }
            let standard = product.price(in: customer.storefront)
            let price = offer.price(in: customer.storefront)
            return OfferOfCode(
                productID: product.id, isCustom: isCustom, billing: .upFront,
                terms: .once(
                    Money(
                        milliunits: min(price.milliunits, standard.milliunits), standard.currency)))
        }
    }

    /// Redeems an offer code for the customer on a device: the product is bought with its offer,
    /// or the offer begins with the next renewal (COD-1 to COD-5, COD-6).
    ///
    /// - Parameters:
    ///   - code: as it was typed; capital and small letters are the same.
    ///   - isTyped: whether it was typed into account settings, where custom codes are not
    ///     taken (COD-2).
    /// - Throws: `StoreError.offerCode`, and what `buy` throws.
    public func redeem(
        code: String, isTyped: Bool = false, appAccountToken: String? = nil,
        idempotencyKey: String? = nil, by device: DeviceSession
    ) async throws -> Bought {
        let code = code.uppercased()
        let (batch, offer) = try await read { reader in
            let app = try reader.apps[device.app]
            let found = try app.offerCode(
                code, in: device.environment, seed: World.seed(in: reader.session), reader.session)
            guard let found else { throw StoreError.offerCode(.unknown) }
            let terms = app.product(found.batch.productID)?.subscription
            return (found.batch, terms?.offer(.offerCode, found.batch.offerID))
        }
        if case .custom = batch.kind, isTyped { throw StoreError.offerCode(.customTyped) }
        return try await buy(
            PurchaseRequest(
                productID: batch.productID, billing: offer?.billing ?? .upFront,
                offer: .code(code), appAccountToken: appAccountToken,
                idempotencyKey: idempotencyKey), by: device)
    }
}

extension App {
    /// The batch that a code belongs to, and its place there, nil for a custom one.
    fileprivate func offerCode(
        _ code: String, in environment: StoreEnvironment, seed: String, _ session: any Session
    ) throws -> (batch: OfferCodeBatch, place: Int64?)? {
        if let custom = try OfferCodeBatch.find(
            custom: code, app: id, in: environment, session)
        {
            return (custom, nil)
        }
        guard
            let one = OfferCode(code, seed: seed, scope: offerCodeScope(in: environment)),
            let batch = try OfferCodeBatch.find(
                ordinal: one.ordinal, app: id, in: environment, session),
            one.place < Int64(batch.count)
        else { return nil }
        return (batch, one.place)
    }
}

extension PurchaseOffers {
    /// The plan with a code's offer: after the introductory one where it may follow that (COD-3).
    ///
    /// - Throws: `StoreError.offerCode`, `.purchase(.offer)`.
    func choice(
        code: String, _ terms: SubscriptionTerms, _ plan: Plan, introductory: AppliedOffer?,
        for running: SubscriptionRecord?, in storefront: Storefront
    ) throws -> Choice {
        let redemption = try redemption(of: code)
        guard let offer = terms.offer(.offerCode, redemption.batch.offerID) else {
            throw StoreError.purchase(.offer(.unknown(redemption.batch.offerID)))
        }
        let refusal = offer.refusal(
            of: plan, for: running?.subscription, at: now,
            under: app.conditions(for: customer, in: storefront))
        if let refusal { throw StoreError.purchase(.offer(.refused(refusal))) }
        let applied = AppliedOffer(offer, in: storefront)
        let mayBeIntroduced =
            running.map { $0.subscription.isOver && !$0.subscription.hasUsedIntroductoryOffer }
            ?? true
        return Choice(
            plan: plan.changingLines { line in
                if offer.isStackable, mayBeIntroduced, let introductory {
                    (line.offer, line.nextOffer) = (introductory, applied)
                } else {
                    line.offer = applied
                }
            }, redemption: redemption)
    }

    /// What is paid for something that is bought once, by a code or without one (COD-6).
    ///
    /// - Throws: `StoreError.offerCode`, `.purchase(.offer)`.
    func oneTimeChoice() throws -> (price: Money, offerID: String?, redemption: OfferRedemption?) {
        let standard = product.price(in: customer.storefront)
        guard case .code(let code) = asked else { return (standard, nil, nil) }
        let redemption = try redemption(of: code)
        guard let offer = product.oneTimeOffer(redemption.batch.offerID) else {
            throw StoreError.purchase(.offer(.unknown(redemption.batch.offerID)))
        }
        let lastPaid = try TransactionRecord.lastPaid(
            by: .init(customer: customer.id, app: app.id), in: session)
        let refusal = offer.refusal(
            in: customer.storefront, lastPaid: lastPaid, at: now)
        if let refusal { throw StoreError.purchase(.offer(.refused(refusal))) }
        // Where the price was lowered since, nobody pays more for having a code.
        let price = offer.price(in: customer.storefront)
        return (
            Money(milliunits: min(price.milliunits, standard.milliunits), standard.currency),
            offer.id, redemption
        )
    }

    /// The bill that the customer has yet to pay for this very code; nil where there is none.
    func openBill() throws -> Int64? {
        guard case .code(let code) = asked else { return nil }
        let bill = try find(code).bill(in: session)
        return try bill.flatMap { bill in
            try BillRecord.state(of: bill, in: session)?.isOutstanding == true ? bill : nil
        }
    }

    private func find(_ code: String) throws -> OfferRedemption {
        guard
            let (batch, place) = try app.offerCode(
                code, in: customer.environment, seed: seed, session)
        else { throw StoreError.offerCode(.unknown) }
        return OfferRedemption(batch: batch, place: place, customer: customer.id)
    }

    private func redemption(of code: String) throws -> OfferRedemption {
        let redemption = try find(code)
        let (batch, place) = (redemption.batch, redemption.place)
        guard batch.isOpen(at: now) else { throw StoreError.offerCode(.expired) }
        guard try !redemption.isRepeated(in: session) else {
            throw StoreError.offerCode(.offerRedeemedBefore)
        }
        let isUsedUp =
            try place == nil ? batch.redeemed >= batch.count : redemption.isTaken(in: session)
        guard !isUsedUp else { throw StoreError.offerCode(.redeemed) }
        return redemption
    }
}

extension PurchaseWork {
    /// Keeps that a code was redeemed, once it was: what the bank declines was not.
    ///
    /// - Throws: `StoreError.offerCode(.redeemed)` where somebody else was first.
    func keep(_ redemption: OfferRedemption?, for sale: Sale) throws {
        guard let redemption else { return }
        // What waits for somebody has redeemed nothing yet.
        if case .held = sale { return }
        guard try redemption.insert(bill: sale.billID, at: work.now, in: work.session) else {
            throw StoreError.offerCode(.redeemed)
        }
    }
}

extension UnitOfWork {
    /// A code whose purchase was not paid in the end is good again.
    func releaseCode(of bill: BillRecord) throws {
        let isByCode =
            bill.bill.map { content in
                content.isChosen
                    && content.plan.lines.contains {
                        $0.offer?.kind == .offerCode || $0.nextOffer?.kind == .offerCode
                    }
            } ?? (bill.offerID != nil)
        guard isByCode else { return }
        try OfferRedemption.release(bill: bill.id, of: bill.customer, in: session)
    }
}

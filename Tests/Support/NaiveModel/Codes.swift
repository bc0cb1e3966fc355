/// An offer of a plan that is had by code, and who may have it (TAB-5.2).
public struct CodeOffer: Hashable, Sendable {
    /// Whom it is for, by what there is or was in the group.
    public enum Audience: Hashable, Sendable, CaseIterable { case new, existing, expired }

    public var discount: Discount
    public var audience: Set<Audience>
    /// Whether it comes after the introductory offer, and not in its place (COD-3).
    public var isSecond: Bool
    /// How the plan is paid that it is an offer of.
    public var billing = Billing.upFront

    public init(_ discount: Discount, audience: Set<Audience>, isSecond: Bool) {
        self.discount = discount
        self.discount.isByCode = true
        self.audience = audience
        self.isSecond = isSecond
    }
}

/// Codes that were made of an offer (COD-1, COD-2).
public struct CodeBatch: Hashable, Sendable {
    public var product: String
    public var offer: String
    public var isSandbox: Bool
    /// What a custom code reads; nil for codes that are good once.
    public var custom: String?
    /// How many of them, or how many customers may redeem the custom one.
    public var count: Int
    /// From when on they are good no more.
    public var until: Int?
    /// Who redeemed which of them, and with which invoice, if it was one.
    public internal(set) var redemptions: [Redemption] = []

    public init(
        product: String, offer: String, isSandbox: Bool, custom: String?, count: Int, until: Int?
    ) {
        self.product = product
        self.offer = offer
        self.isSandbox = isSandbox
        self.custom = custom
        self.count = count
        self.until = until
    }

    /// One that was redeemed.
    public struct Redemption: Hashable, Sendable {
        public var place: Int
        public var account: Account.Name
        var invoice: Int?
    }

    /// Whether one is used up: a custom code by so many, another one by one.
    func isUsedUp(_ place: Int) -> Bool {
        custom == nil
            ? redemptions.contains { $0.place == place } : redemptions.count >= count
    }
}

/// One of the codes that were made.
public struct Code: Hashable, Sendable {
    /// The place of its batch among all.
    public var batch: Int
    /// Its own place there.
    public var place: Int

    public init(batch: Int, place: Int) {
        self.batch = batch
        self.place = place
    }
}

extension NaiveStore {
    /// The operator has codes made; those that are good once end after six months at most.
    public mutating func makeCodes(_ order: CodeBatch) -> Outcome {
        guard let article = shop.article(order.product) else { return .unknownProduct }
        guard article.codeOffers.contains(where: { $0.discount.name == order.offer }) else {
            return .unknownOffer
        }
        var batch = order
        let last = NaiveCalendar.adding(months: 6, to: now, isPacific: false)
        if let until = batch.until {
            guard until > now, batch.custom != nil || until <= last else { return .invalidCode }
        } else if batch.custom == nil {
            batch.until = last
        }
        let isTaken = batches.contains {
            $0.custom != nil && $0.custom == batch.custom && $0.isSandbox == batch.isSandbox
        }
        guard !isTaken else { return .codeTaken }
        batches.append(batch)
        return .done
    }

    /// Nobody redeems any of them from now on.
    public mutating func endCodes(_ batch: Int) {
        batches[batch].until = min(batches[batch].until ?? now, now)
    }

    /// A customer redeems a code, or something that is none.
    ///
    /// - Parameter isTyped: whether in the settings of the account, where custom ones are not
    ///   taken.
    public mutating func redeem(
        _ code: Code?, isTyped: Bool, token: String? = nil, by name: Account.Name
    ) -> Outcome {
        guard let code = code.flatMap({ known($0, in: name.isSandbox) }) else {
            return .unknownCode
        }
        let batch = batches[code.batch]
        guard batch.custom == nil || !isTyped else { return .codeTyped }
        // Redeemed again while it is to be paid, it is the same purchase.
        let isAwaited = batch.redemptions.contains { one in
            one.account == name && (batch.custom != nil || one.place == code.place)
                && one.invoice.map { invoices[$0].state == .pending } ?? false
        }
        guard !isAwaited else { return .done }
        var wish = Wish(product: batch.product, token: token)
        wish.code = code
        wish.billing = offer(of: code).billing
        let outcome = buy(wish, by: name)
        if outcome != .done { note("code: \(outcome.rawValue)") }
        return outcome
    }

    /// The code that somebody means; nil where there is none. A custom one is a text, which each
    /// environment may have.
    private func known(_ code: Code, in sandbox: Bool) -> Code? {
        let batch = batches[code.batch]
        guard batch.isSandbox != sandbox else {
            return batch.custom != nil || code.place < batch.count ? code : nil
        }
        guard batch.custom != nil else { return nil }
        return batches.firstIndex { $0.custom == batch.custom && $0.isSandbox == sandbox }
            .map { Code(batch: $0, place: code.place) }
    }

    /// Why a customer cannot redeem a code; nil for who can.
    func refusal(of code: Code, by name: Account.Name, _ group: String) -> Outcome? {
        let batch = batches[code.batch]
        if let until = batch.until, now >= until { return .codeExpired }
        // One code of an offer is all that anybody has (TAB-5.2).
        let hadIt = batches.contains { other in
            other.product == batch.product && other.offer == batch.offer
                && other.redemptions.contains { $0.account == name }
        }
        if hadIt { return .offerRedeemedBefore }
        if batch.isUsedUp(code.place) { return .codeRedeemed }
        let life = self.life(name, in: group)
        let audience: CodeOffer.Audience =
            life.map { $0.isOver ? .expired : .existing } ?? .new
        guard offer(of: code).audience.contains(audience) else { return .notInAudience }
        // COD-4: a subscriber stays on the level, or goes up.
        if let life, !life.isOver,
            currentLevel(batch.product) > currentLevel(life.plan.product)
        {
            return .wouldDowngrade
        }
        return nil
    }

    func offer(of code: Code) -> CodeOffer {
        let batch = batches[code.batch]
        return shop.article(batch.product)!.codeOffers.first { $0.discount.name == batch.offer }!
    }

    /// The plan with the discount of a code: after the introductory one for whom that is still
    /// there, or in its place (COD-3).
    func plan(
        _ plan: HeldPlan, with code: Code, _ group: String, by name: Account.Name
    ) -> HeldPlan {
        let (offer, life) = (offer(of: code), self.life(name, in: group))
        var (plan, discount) = (plan, offer.discount)
        let country = life.flatMap { $0.isOver ? nil : $0.country } ?? accounts[name]!.country
        discount.price = country.rounded(discount.price)
        let isNew = life.map { $0.isOver && !$0.usedIntroduction } ?? true
        let line = plan.lines[0]
        if offer.isSecond, isNew, line.offer != nil {
            plan.lines[0].upcoming = discount
        } else {
            plan.lines[0] = HeldLine(sku: line.sku, price: line.price, offer: discount)
        }
        return plan
    }

    /// Keeps that a code was redeemed; what waits for the bank keeps it from others.
    mutating func keep(_ code: Code, by name: Account.Name, invoice: Int?) {
        note("code redeemed")
        batches[code.batch].redemptions.append(
            CodeBatch.Redemption(place: code.place, account: name, invoice: invoice))
    }

    /// Keeps that a subscriber redeemed one, with the invoice that waits, if one does.
    mutating func keep(_ code: Code, _ index: Int, by name: Account.Name) {
        keep(code, by: name, invoice: lives[index].invoice)
    }

    /// A code whose purchase is not paid in the end is good again.
    mutating func release(codeOf invoice: Int) {
        for place in batches.indices {
            let before = batches[place].redemptions.count
            batches[place].redemptions.removeAll { $0.invoice == invoice }
            if batches[place].redemptions.count < before { note("code good again") }
        }
    }
}

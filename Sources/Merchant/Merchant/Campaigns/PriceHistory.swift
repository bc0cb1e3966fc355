import AppStoreWire
import MerchantRules
import SubscriptionRules

/// What a subscription has cost so far: offers and increases, told apart by what was signed of
/// each period (CMP-3).
struct PriceHistory {
    /// A period with what was signed about it.
    fileprivate struct Paid {
        let facts: TransactionFacts
        let price: Int64
        let payload: JWSTransactionDecodedPayload
    }

    /// The periods of the product that were signed, the oldest first.
    private let paid: [Paid]
    private let current: TransactionFacts

    /// - Parameter current: the transaction that counts.
    init(_ purchase: AudiencePurchase, _ current: TransactionFacts) {
        self.current = current
        paid = purchase.transactions.compactMap { one in
            guard one.facts.productID == current.productID, one.facts.revoked == nil,
                let price = one.price,
                let payload = purchase.payloads[one.facts.transactionID]
            else { return nil }
            return Paid(facts: one.facts, price: price, payload: payload)
        }
    }

    private var running: Paid? {
        paid.last { $0.facts.transactionID == current.transactionID }
    }

    // MARK: Ordinary products

    /// What the last period without an offer cost; nil where there was none.
    var standardPrice: Int64? { paid.last { $0.payload.offerType == nil }?.price }

    /// When a higher standard price was charged last; nil where it never rose.
    var lastIncrease: Instant? {
        let standard = paid.filter { $0.payload.offerType == nil }
        return Self.lastRise(standard.map { ($0.facts.purchased, $0.price, $0.payload.currency) })
    }

    /// The offer of the running period; nil where none runs.
    func offer(of plan: CalendarPeriod) -> AppliedOffer? {
        guard let running, let type = running.payload.offerType,
            let kind = Offer.Kind(rawValue: type.rawValue),
            let discount = running.payload.offerDiscountType,
            let mode = Offer.Mode(rawValue: discount.rawValue),
            let whole = running.payload.offerPeriod.flatMap({ CalendarPeriod(iso8601: $0) })
        else { return nil }
        let one = mode == .payAsYouGo ? plan : whole
        let count = mode == .payAsYouGo ? whole.count(of: plan) : 1
        return AppliedOffer(
            kind: kind, id: running.payload.offerIdentifier ?? "", mode: mode, period: one,
            wholePeriod: whole, price: running.price, periodsLeft: max(0, count - run.count))
    }

    /// When the running offer began; nil where none runs.
    var offerBegan: Instant? { run.first?.facts.purchased ?? firstItemOffer }

    /// The periods of the running offer, up to the one that runs.
    private var run: [Paid] {
        guard let running, running.payload.offerType != nil else { return [] }
        let before = paid.prefix { $0.facts.purchased < running.facts.purchased }
        let same = before.reversed().prefix {
            $0.payload.offerType == running.payload.offerType
                && $0.payload.offerIdentifier == running.payload.offerIdentifier
        }
        return Array(same.reversed()) + [running]
    }

    // MARK: Items of Advanced Commerce

    /// The offer of an item in the running period; nil where none runs.
    func offer(of sku: String, _ offer: AdvancedCommerceOffer?) -> AppliedOffer? {
        guard let offer,
            let period = offer.period.flatMap({ CalendarPeriod(iso8601: $0.rawValue) })
        else { return nil }
        let isFree = offer.price == 0
        let used = isFree ? offer.periodCount : periods(of: offer, sku).count
        return AppliedOffer(
            kind: .promotional, id: offer.reason.rawValue,
            mode: isFree ? .freeTrial : .payAsYouGo, period: period,
            wholePeriod: period.repeated(max(1, offer.periodCount)), price: offer.price,
            periodsLeft: max(0, offer.periodCount - used))
    }

    /// When a higher price of an item was charged last; nil where it never rose.
    func lastIncrease(of sku: String) -> Instant? {
        Self.lastRise(
            paid.compactMap { one in
                guard let item = one.item(sku), item.offer == nil else { return nil }
                return (one.facts.purchased, item.price, one.payload.currency)
            })
    }

    /// When the first of the offers that run began.
    private var firstItemOffer: Instant? {
        let items = running?.payload.advancedCommerceInfo?.items ?? []
        return items.compactMap { item in
            item.offer.flatMap { periods(of: $0, item.sku).first?.facts.purchased }
        }.min()
    }

    /// The periods in which an item has had an offer, up to the running one.
    private func periods(of offer: AdvancedCommerceOffer, _ sku: String) -> [Paid] {
        let until = paid.filter { $0.facts.purchased <= current.purchased }
        let same = until.reversed().prefix { $0.item(sku)?.offer == offer }
        return Array(same.reversed())
    }

    /// When the last of some prices rose, the oldest first. Another currency is no increase.
    private static func lastRise(
        _ prices: [(at: Instant, price: Int64, currency: String?)]
    ) -> Instant? {
        let pairs = Array(zip(prices, prices.dropFirst()))
        let rise = pairs.last { before, after in
            before.currency == after.currency && after.price > before.price
        }
        return rise?.1.at
    }
}

extension PriceHistory.Paid {
    fileprivate func item(_ sku: String) -> AdvancedCommerceTransactionItem? {
        payload.advancedCommerceInfo?.items.first { $0.sku == sku }
    }
}

extension CalendarPeriod {
    /// How many periods of a plan this one holds, at least one.
    fileprivate func count(of plan: CalendarPeriod) -> Int {
        if let months, let one = plan.months { return max(1, months / one) }
        if let days, let one = plan.days { return max(1, days / one) }
        return 1
    }
}

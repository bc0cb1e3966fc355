import AppStoreWire
import MerchantRules
import SubscriptionRules

/// Makes a subscriber of a campaign out of what the registers keep of a purchase.
struct SubscriberReading {
    let purchase: AudiencePurchase
    let setup: AppSetup
    let now: Instant
    let current: TransactionFacts
    /// How long the periods of a product or SKU are, where the campaign says so.
    private let periods: [String: CalendarPeriod]
    private let payload: JWSTransactionDecodedPayload?
    private let renewalInfo: JWSRenewalInfoDecodedPayload?

    init(
        _ purchase: AudiencePurchase, of setup: AppSetup, at now: Instant,
        periods: [String: CalendarPeriod]
    ) {
        self.purchase = purchase
        self.setup = setup
        self.now = now
        self.periods = periods
        current = purchase.purchase.current(at: now)
        payload = purchase.payloads[current.transactionID]
        renewalInfo = (purchase.renewal?.signature.text).flatMap(KeptPayload.renewal)
    }

    /// The subscriber; nil where no signed text says the storefront, or what a period costs.
    var subscriber: CampaignSubscriber? {
        guard let payload, let storefront = payload.storefront,
            let currency = payload.currency.flatMap({ Currency(everUsed: $0) }),
            let renews = current.expires
        else { return nil }
        let period = self.period
        let items = items(of: period)
        guard !items.isEmpty else { return nil }
        let contact = purchase.contact
        return CampaignSubscriber(
            originalTransactionID: purchase.originalTransactionID,
            transactionID: current.transactionID, account: purchase.accountName,
            environment: CampaignSubscriber.Environment(purchase.environment),
            storefront: storefront, currency: currency, productID: current.productID,
            items: items, isAdvancedCommerce: isAdvancedCommerce, period: period,
            purchased: Instant(milliseconds: payload.originalPurchaseDate),
            periodStart: current.purchased, renews: renews, anchor: anchor,
            offerBegan: offers.offerBegan, status: status, expectation: expectation,
            isFamilyMember: current.isShared, hasPendingChange: hasPendingChange,
            extensions: purchase.notices.filter { $0.kind == .extended }.map(\.at),
            paidPeriods: paidPeriods, email: contact?.email,
            pushTokens: (contact?.pushTokens ?? []).map(\.token), locale: contact?.locale,
            entitlements: setup.entitlements(of: current), tempo: tempo(of: period))
    }

    /// What the running period's items cost, offers aside: what the store has charged or would,
    /// whatever comes next.
    var paidPrice: Int64? {
        guard let info = payload?.advancedCommerceInfo else { return offers.standardPrice }
        return info.items.filter { $0.revocationDate == nil }.reduce(0) { $0 + $1.price }
    }

    private var isAdvancedCommerce: Bool { payload?.advancedCommerceInfo != nil }

    /// The prices and offers of the past.
    private var offers: PriceHistory { PriceHistory(purchase, current) }

    // MARK: Periods

    /// The length of the plan's periods: signed for Advanced Commerce, said by the campaign for a
    /// product, else what comes nearest to a period that was paid.
    private var period: CalendarPeriod {
        let signed =
            payload?.advancedCommerceInfo?.period ?? renewalInfo?.advancedCommerceInfo?.period
        if let signed, let period = CalendarPeriod(iso8601: signed.rawValue) { return period }
        if let named = periods[current.productID] { return named }
        let paid = purchase.transactions.last { one in
            one.facts.productID == current.productID && one.facts.expires != nil
                && purchase.payloads[one.facts.transactionID]?.offerType == nil
        }
        let shown = paid?.facts ?? current
        let length = (shown.expires ?? shown.purchased).since(shown.purchased)
        return CalendarPeriod.billing.min { first, second in
            first.distance(to: length) < second.distance(to: length)
        } ?? .month
    }

    /// The speed at which Sandbox runs is signed nowhere: it is that at which the running period
    /// has its length.
    private func tempo(of period: CalendarPeriod) -> Tempo {
        guard purchase.environment == .sandbox, let expires = current.expires else { return .real }
        let length = expires.since(current.purchased)
        let speed = SandboxSpeed.allCases.first { $0.length(of: period) == length }
        return .sandbox(speed ?? .fiveMinutes)
    }

    /// From when periods are counted: within an offer from its begin, else from the start of the
    /// uninterrupted time.
    private var anchor: Instant? {
        if let began = offers.offerBegan { return began }
        let recent = renewalInfo?.recentSubscriptionStartDate ?? payload?.originalPurchaseDate
        return recent.map(Instant.init(milliseconds:))
    }

    /// Periods that cost money.
    private var paidPeriods: Int {
        purchase.transactions.count { one in
            one.facts.kind == .autoRenewable && one.facts.revoked == nil && !one.facts.isShared
                && one.price != 0
        }
    }

    // MARK: Where it stands

    private var status: ExtensionEligibility.Status {
        switch purchase.purchase.access(at: now, under: setup.policy).reason {
        case .active, .awaitingRenewal, .owned: .active
        case .gracePeriod: .grace
        case .billingRetry: .billingRetry
        case .expired: isRenewalUnheard ? .active : .expired
        case .upgraded: .expired
        case .refunded, .sharingEnded: .revoked
        }
    }

    /// Whether only the clock says that it has ended: the store was to renew it, and the news of
    /// that may come for as long as the App Store repeats a notification, which is a week (CMP-37).
    private var isRenewalUnheard: Bool {
        guard let renewal = purchase.renewal?.facts, let end = current.expires else { return false }
        return renewal.renewsAutomatically && renewal.expirationIntent == nil
            && now < end + .days(7)
    }

    private var expectation: RenewalOutlook.Expectation {
        guard let renewal = purchase.renewal?.facts else { return .renews }
        if renewal.isInBillingRetry { return .inBillingRetry }
        guard renewal.renewsAutomatically else { return .willNotRenew }
        // What was paid late was charged when that was said.
        let since = purchase.notices.last {
            $0.kind != .extended && $0.at >= current.purchased
        }
        guard let since else { return .renews }
        return since.kind == .recovered ? .recovered(at: since.at) : .turnedOnAgain(at: since.at)
    }

    /// Whether the next renewal brings another price or plan already.
    private var hasPendingChange: Bool {
        if let next = purchase.renewal?.facts.nextProductID, next != current.productID {
            return true
        }
        guard let renewalInfo else { return false }
        let increases = renewalInfo.advancedCommerceInfo?.items.contains {
            $0.priceIncreaseInfo != nil
        }
        return renewalInfo.priceIncreaseStatus == .pending || increases == true
    }

    // MARK: What it charges for

    private func items(of period: CalendarPeriod) -> [CampaignSubscriber.Item] {
        let offers = self.offers
        guard let info = payload?.advancedCommerceInfo else {
            guard let price = offers.standardPrice ?? nextPrice else { return [] }
            return [
                CampaignSubscriber.Item(
                    sku: current.productID, price: price, offer: offers.offer(of: period),
                    lastIncrease: offers.lastIncrease)
            ]
        }
        let running = Dictionary(
            info.items.map { ($0.sku, $0) }, uniquingKeysWith: { first, _ in first })
        // What renews counts: an item that was removed is part of the running period only.
        guard let next = renewalInfo?.advancedCommerceInfo?.items, !next.isEmpty else {
            return info.items.filter { $0.revocationDate == nil }.map { item in
                CampaignSubscriber.Item(
                    sku: item.sku, price: item.price,
                    offer: offers.offer(of: item.sku, item.offer),
                    lastIncrease: offers.lastIncrease(of: item.sku))
            }
        }
        return next.map { item in
            CampaignSubscriber.Item(
                sku: item.sku, price: item.price,
                offer: offers.offer(of: item.sku, running[item.sku]?.offer),
                lastIncrease: offers.lastIncrease(of: item.sku),
                dependents: item.priceIncreaseInfo?.dependentSKUs ?? [])
        }
    }

    /// What the next renewal costs, where it is the standard price of the same product.
    private var nextPrice: Int64? {
        guard let renewalInfo, renewalInfo.offerType == nil,
            renewalInfo.autoRenewProductId == current.productID
        else { return nil }
        return renewalInfo.renewalPrice
    }
}

extension CalendarPeriod {
    /// How far a length of time is from this one, in milliseconds; a month has 30.4 days.
    fileprivate func distance(to length: Span) -> Int64 {
        let own = months.map { Int64($0) * 2_629_746_000 } ?? Span.days(days ?? 0).milliseconds
        return abs(own - length.milliseconds)
    }
}

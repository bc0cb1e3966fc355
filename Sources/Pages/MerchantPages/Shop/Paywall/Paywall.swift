import HTMLPages
import SubscriptionRules

/// What is for sale, with everything that must be said of it (SHP-1).
struct Paywall {
    private let visit: ShopVisit
    private let holdings: Holdings
    private let goods: ShopGoods
    private let words: any ShopWords

    init(_ visit: ShopVisit, _ holdings: Holdings) async throws {
        self.visit = visit
        self.holdings = holdings
        goods = visit.goods()
        words = visit.words
    }

    var page: Page {
        guard visit.home.canPay else {
            return Page(
                words.paywallTitle(goods.app),
                [Notice(.attention, words.cannotPay), LinkList(ways), restoreForm])
        }
        var blocks: [any PageBlock] = []
        if !plans.isEmpty { blocks.append(section(words.plans, "plans", plans)) }
        if !others.isEmpty { blocks.append(section(words.singlePurchases, "singles", others)) }
        if blocks.isEmpty { blocks.append(Prose(words.nothingForSale)) }
        if plans.contains(where: \.isShareable) { blocks.append(Prose(words.familyAbout)) }
        blocks += required
        return Page(words.paywallTitle(goods.app), lead: words.paywallLead, blocks)
    }

    /// For a watch: Close comes first, then each option with its own button (SHP-4).
    var compactPage: Page {
        var blocks: [any PageBlock] = [
            LinkList([PageLink(words.close, ShopPath.content)]), Prose(words.compactAbout),
        ]
        guard visit.home.canPay else {
            blocks.append(Notice(.attention, words.cannotPay))
            return Page(words.plans, blocks)
        }
        for product in plans + others { blocks.append(item(product)) }
        if plans.isEmpty, others.isEmpty { blocks.append(Prose(words.nothingForSale)) }
        blocks += required
        return Page(words.plans, blocks)
    }

    /// What stands below every offer.
    private var required: [any PageBlock] {
        [Prose(words.renewalTerms), LinkList(ways), restoreForm]
    }

    /// The highest level first, then the longest period.
    private var plans: [ShopProduct] {
        goods.offered.filter { $0.plan != nil }.enumerated().sorted { one, other in
            guard let a = one.element.plan, let b = other.element.plan else {
                return one.offset < other.offset
            }
            return (a.group, a.level, one.offset) < (b.group, b.level, other.offset)
        }.map(\.element)
    }

    private var others: [ShopProduct] { goods.offered.filter { $0.plan == nil } }

    private func section(
        _ title: String, _ id: String, _ products: [ShopProduct]
    ) -> PageSection {
        PageSection(title, id: id, products.map { item($0) })
    }

    /// One option, kept together: name, what each period brings, total, terms, button.
    private func item(_ product: ShopProduct) -> PageSection {
        PageSection(
            title(of: product),
            id: "product-\(product.id)",
            about: product.about.isEmpty
                ? nil
                : product.plan == nil ? product.about : "\(words.eachPeriod): \(product.about)",
            [
                Offering(
                    total(of: product), details: details(of: product),
                    act: PageLink(call(for: product), visit.store.buy(product.id)))
            ])
    }

    /// Its name, with the length where another has the same name (HIG-15).
    private func title(of product: ShopProduct) -> String {
        let name = product.isShareable ? words.familyName(product.name) : product.name
        guard let plan = product.plan,
            goods.products.contains(where: { $0.id != product.id && $0.name == product.name })
        else { return name }
        return "\(name) · \(words.length(plan.period))"
    }

    private func total(of product: ShopProduct) -> String {
        let amount = visit.locale.amount(product.price, product.currency)
        return product.plan.map { words.price(amount, every: $0.period) } ?? amount
    }

    private func call(for product: ShopProduct) -> String {
        guard product.plan != nil else { return words.buy(product.name, total(of: product)) }
        if let offer = introduction(of: product), offer.mode == .freeTrial {
            return words.tryFree(product.name, words.length(offer.length))
        }
        return words.subscribe(product.name, total(of: product))
    }

    /// The offer for newcomers; not for people who have subscribed in its group before.
    private func introduction(of product: ShopProduct) -> ShopProduct.Introduction? {
        guard let plan = product.plan, let offer = plan.introduction else { return nil }
        let isKnown = goods.products.contains { other in
            other.plan?.group == plan.group && holdings.products.contains(other.id)
        }
        return isKnown ? nil : offer
    }

    private func details(of product: ShopProduct) -> [String] {
        var details: [String] = []
        if let offer = introduction(of: product) { details.append(terms(of: offer, product)) }
        switch product.type {
        case .autoRenewableSubscription: details.append(words.renewsByItself)
        case .nonRenewingSubscription: details.append(words.endsByItself)
        case .consumable: details.append(words.usedUp)
        case .nonConsumable: details.append(words.yoursForGood)
        }
        if let monthly = monthly(product) {
            let amount = visit.locale.amount(monthly, product.currency)
            details.append(words.comesTo(words.price(amount, every: .month)))
        }
        if let saving = saving(product) { details.append(words.saves(saving)) }
        return details
    }

    /// Its price, how long, and the usual price afterwards, in one sentence (SHP-2).
    private func terms(of offer: ShopProduct.Introduction, _ product: ShopProduct) -> String {
        let length = words.length(offer.length)
        let amount = visit.locale.amount(offer.price, product.currency)
        switch offer.mode {
        case .freeTrial:
            let end =
                CalendarStep(iso8601: offer.length.iso8601)?.applied(to: holdings.now)
                ?? holdings.now
            return words.freeTrial(length, then: total(of: product), from: visit.locale.day(end))
        case .payAsYouGo:
            return words.offerCosts(
                words.price(amount, every: offer.period), for: length, then: total(of: product))
        case .payUpFront:
            return words.paidUpFront(amount, for: length, then: total(of: product))
        }
    }

    /// What a longer plan comes to in a month, rounded up to a hundredth, so that it never looks
    /// cheaper than it is.
    private func monthly(_ product: ShopProduct) -> Int64? {
        guard let months = product.plan?.period.months, months > 1 else { return nil }
        let hundredths = Int64(months) * 10
        return (product.price + hundredths - 1) / hundredths * 10
    }

    /// How much less a longer plan costs than the monthly one of its level, in percent.
    private func saving(_ product: ShopProduct) -> Int? {
        guard let plan = product.plan, let months = plan.period.months, months > 1 else {
            return nil
        }
        let single = goods.offered.first {
            $0.plan?.group == plan.group && $0.plan?.level == plan.level
                && $0.plan?.period == .month
        }
        guard let single, single.price > 0 else { return nil }
        let percent = 100 - product.price * 100 / (single.price * Int64(months))
        return percent > 0 && percent < 100 ? Int(percent) : nil
    }

    /// What belongs beside every offer.
    private var ways: [PageLink] {
        [
            PageLink(words.free, ShopPath.content), PageLink(words.redeemCode, visit.store.redeem),
            PageLink(words.alreadySubscribed, "\(Shop.path)/sign-in"),
            PageLink(words.termsOfUse, ShopPath.terms),
            PageLink(words.privacyPolicy, ShopPath.privacy),
        ]
    }

    private var restoreForm: PageForm {
        PageForm(
            .change, action: ShopPath.restore, button: words.restore,
            hidden: [ShopForm.hidden()])
    }
}

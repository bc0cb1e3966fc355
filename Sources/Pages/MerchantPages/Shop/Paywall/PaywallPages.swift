import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import MerchantHTTP
import SubscriptionRules

extension Shop {
    /// What is for sale, for people who do not subscribe, and the plan of those who do.
    var paywallPages: [Endpoint<MerchantSite>] {
        [paywall, compact, plan, restore, terms, privacy]
    }

    /// Never offered to somebody who subscribes already, who would think it has lapsed (SHP-3).
    private var paywall: Endpoint<MerchantSite> {
        looking("", "paywall") { visit in
            let holdings = try await visit.desk.holdings()
            if visit.asked("all") == nil, holdings.subscriptions.contains(where: \.isAlive) {
                return .seeOther(ShopPath.plan)
            }
            var page = try await Paywall(visit, holdings).page
            if let said = visit.asked(ShopDone.field).flatMap({ visit.words.done($0) }) {
                page.blocks.insert(Notice(.good, said), at: 0)
            }
            return try await visit.response(to: page)
        }
    }

    /// The same for a watch (SHP-4).
    private var compact: Endpoint<MerchantSite> {
        looking("compact", "compactPaywall") { visit in
            let holdings = try await visit.desk.holdings()
            let page =
                holdings.subscriptions.contains(where: \.isAlive)
                ? try await visit.planPage(holdings)
                : try await Paywall(visit, holdings).compactPage
            return try await visit.response(to: page, isCompact: true)
        }
    }

    private var plan: Endpoint<MerchantSite> {
        page("plan", "plan") { visit in
            try await visit.planPage(try await visit.desk.holdings())
        }
    }

    /// Sends what is on the customer's device to the merchant, as an app restores purchases.
    private var restore: Endpoint<MerchantSite> {
        action("restore", "restore") { visit, _ in
            let found = try await store.signedTransactions(
                of: visit.session.account, in: visit.session.bundleID)
            var taken = 0
            for transaction in found {
                do {
                    try await visit.desk.take(transaction)
                    taken += 1
                } catch let refusal as MerchantRefusal where refusal.status == .conflict {
                    // It is another account's, and the app's policy leaves it there.
                }
            }
            return ShopDone.added(
                taken == 0 ? "restoreNothing" : "restore", to: ShopPath.content)
        }
    }

    private var terms: Endpoint<MerchantSite> {
        page("terms", "terms") { visit in
            let words = visit.words
            guard let licence = visit.goods().licence else {
                return Page(words.termsOfUse, [Prose(words.standardTerms)])
            }
            guard let address = ShopGoods.webAddress(licence) else {
                return Page(words.termsOfUse, [Prose(licence)])
            }
            return Page(words.termsOfUse, [LinkList([PageLink(words.readIt, address)])])
        }
    }

    private var privacy: Endpoint<MerchantSite> {
        page("privacy", "privacy") { visit in
            let words = visit.words
            guard let address = visit.goods().privacyPolicy else {
                return Page(words.privacyPolicy, [Prose(words.noPrivacyPolicy)])
            }
            return Page(words.privacyPolicy, [LinkList([PageLink(words.readIt, address)])])
        }
    }
}

extension ShopVisit {
    /// What a subscriber has, and the way to the store's own page.
    func planPage(_ holdings: Holdings) async throws -> Page {
        let goods = self.goods()
        let alive = holdings.subscriptions.filter(\.isAlive)
        var blocks: [any PageBlock] = []
        for one in alive { blocks.append(section(of: one, goods)) }
        if alive.isEmpty { blocks.append(Prose(words.neverBought)) }
        blocks.append(
            LinkList([
                PageLink(words.otherPlans, "\(ShopPath.paywall)?all=true"),
                PageLink(words.content, ShopPath.content),
                PageLink(words.redeemCode, store.redeem),
            ]))
        // Manage, redeem and restore stand beside each other (SHP-11).
        blocks.append(
            PageForm(
                .aside, action: ShopPath.restore, button: words.restore,
                hidden: [ShopForm.hidden()]))
        return Page(words.yourPlan, blocks)
    }

    private func section(of one: Holdings.Subscription, _ goods: ShopGoods) -> PageSection {
        let label =
            one.renews.map { $0 ? words.nextBillingDate : words.endsOn } ?? words.paidUntil
        var blocks: [any PageBlock] = [
            Facts([
                (words.state, Cell(words.reason(one.status))), priceFact(of: one, goods),
                (label, one.until.map { .moment($0, locale.day($0)) }),
            ])
        ]
        // Who shares somebody else's can neither cancel nor extend it.
        if one.isShared {
            blocks.append(Prose(words.byFamily))
        } else {
            blocks.append(LinkList([PageLink(words.manage, store.subscription(one.id))]))
        }
        return PageSection(goods.name(one.productID), id: "subscription-\(one.id)", blocks)
    }

    /// What the next period costs, else what the running one has cost (SHP-10), with its length
    /// where it is the usual price: an offer's may be for another. Whoever shares somebody else's
    /// pays nothing.
    private func priceFact(
        of one: Holdings.Subscription, _ goods: ShopGoods
    ) -> (label: String, value: Cell?) {
        let milliunits = one.nextPrice ?? one.price
        let label = one.nextPrice == nil ? words.price : words.nextPrice
        guard !one.isShared, let milliunits, let currency = one.currency else {
            return (label, nil)
        }
        let amount = locale.amount(milliunits, currency)
        let product = one.nextPrice == nil ? one.productID : one.nextProductID ?? one.productID
        guard let known = goods.product(product), let plan = known.plan,
            known.price == milliunits, known.currency == currency
        else { return (label, Cell(amount)) }
        return (label, Cell(words.price(amount, every: plan.period)))
    }
}

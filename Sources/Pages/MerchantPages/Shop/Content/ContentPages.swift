import HTMLPages
import HTTPSurface
import MerchantHTTP
import SubscriptionRules

extension Shop {
    /// What the customer can use, and why or why not.
    var contentPages: [Endpoint<MerchantSite>] {
        [
            page("content", "content") { visit in
                let view = ContentView(
                    visit, try await visit.desk.holdings(), visit.goods())
                return view.page
            }
        ]
    }

    /// Help before a refund (SHP-7).
    var helpPages: [Endpoint<MerchantSite>] {
        [page("help", "help") { visit in visit.helpPage }]
    }
}

/// What the app shows behind its paywall, and before it.
private struct ContentView {
    let visit: ShopVisit
    let holdings: Holdings
    let goods: ShopGoods

    init(_ visit: ShopVisit, _ holdings: Holdings, _ goods: ShopGoods) {
        self.visit = visit
        self.holdings = holdings
        self.goods = goods
    }

    private var words: any ShopWords { visit.words }

    var page: Page {
        let known = Set(holdings.entitlements.map { group(of: $0.productID) })
        let missing = goods.offered.filter {
            $0.type != .consumable && !known.contains(group(of: $0.id))
        }
        var seen: Set<String> = []
        let locked = missing.filter { seen.insert(group(of: $0.id)).inserted }
        var blocks: [any PageBlock] = []
        for one in holdings.entitlements { blocks.append(section(one)) }
        for product in locked { blocks.append(lockedSection(product)) }
        blocks.append(PageSection(words.free, id: "free", about: words.freeAbout, []))
        blocks.append(LinkList([PageLink(words.seeOptions, ShopPath.paywall)]))
        return Page(words.content, blocks)
    }

    /// What a product is unlocked with: its group, or it alone.
    private func group(of product: String) -> String {
        goods.product(product)?.plan?.group ?? product
    }

    private func name(of product: String) -> String {
        let known = goods.product(product)
        if let group = known?.plan?.groupName { return group }
        return known?.name ?? product
    }

    private func section(_ entitlement: Holdings.Entitlement) -> PageSection {
        let reason =
            entitlement.isShared && entitlement.isGranted
            ? words.byFamily : words.reason(entitlement.reason)
        var sentence = reason
        if let until = entitlement.until, entitlement.isGranted {
            sentence += " " + words.until(visit.locale.day(until))
        }
        return PageSection(
            name(of: entitlement.productID), id: "entitlement-\(entitlement.id)",
            [
                Notice(
                    entitlement.isGranted ? .good : .attention, sentence,
                    strong: entitlement.isGranted ? words.unlocked : words.locked,
                    link: entitlement.isGranted
                        ? nil : PageLink(words.seeOptions, ShopPath.paywall))
            ])
    }

    private func lockedSection(_ product: ShopProduct) -> PageSection {
        PageSection(
            name(of: product.id), id: "locked-\(group(of: product.id))",
            [
                Notice(
                    .plain, words.neverBought, strong: words.locked,
                    link: PageLink(words.seeOptions, ShopPath.paywall))
            ])
    }
}

extension ShopVisit {
    fileprivate var helpPage: Page {
        Page(
            words.help,
            [
                PageSection(
                    words.missingPurchase, id: "missing", about: words.missingAbout,
                    [
                        PageForm(
                            .change, action: ShopPath.restore, button: words.restore,
                            hidden: [ShopForm.hidden()])
                    ]),
                PageSection(
                    words.requestRefund, id: "refund", about: words.refundAbout,
                    [LinkList([PageLink(words.requestRefund, store.refunds)])]),
                PageSection(
                    words.questions, id: "questions", about: words.questionsAbout,
                    [LinkList([PageLink(words.manage, store.account)])]),
                PageSection(
                    words.feedback, id: "feedback", about: words.feedbackAbout, []),
                PageSection(
                    words.contact, id: "contact",
                    about: words.contactAbout(session.account), []),
            ])
    }
}

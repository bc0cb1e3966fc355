import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules

extension Account {
    /// The sheet about a higher price, in both forms (PI-1 … PI-14). Looking at it is no answer,
    /// and does not count as seen (PAG-5): mail scanners and previews look too (PI-12).
    var pricePages: [Endpoint<StoreSite>] {
        [
            page("subscriptions/{id}/price", "price") { visit in try await visit.pricePage() },
            answer("agree", "agree"), answer("decline", "decline"),
            action(
                "subscriptions/{id}/price/seen", "priceSeen",
                on: { visit in try await visit.pricePage() }
            ) { visit, _ in try await visit.acknowledgePrice() },
        ]
    }

    /// An answer to what was asked.
    private func answer(_ word: String, _ name: String) -> Endpoint<StoreSite> {
        action(
            "subscriptions/{id}/price/\(word)", name,
            on: { visit in try await visit.pricePage() }
        ) { visit, form in
            let one = try await visit.changeable()
            // Who agreed to one price has not agreed to another.
            guard let news = try await visit.priceNews(of: one.id),
                form.text("newPrice") == String(news.newPrice)
            else {
                throw ErrorBody(.conflict, "amountChanged", "Another price is asked about.")
            }
            _ = try await visit.desk.send(
                .patch, StorePath("storefront", "v1", "subscriptions", one.id)
            ) { $0.field("priceIncrease", word) }
            return AccountPath.subscription(one.id)
        }
    }
}

extension Visit {
    fileprivate func pricePage() async throws -> Page {
        let one = try await changeable()
        let shelf = try await Shelf(self)
        guard let news = try await priceNews(of: one.id) else {
            return Page(
                words.increaseTitle, trail: trail(to: one, shelf),
                [
                    Prose(words.nothingToAnswer),
                    LinkList([PageLink(words.manage, AccountPath.subscription(one.id))]),
                ])
        }
        let day = locale.fullDay(news.renewal)
        let name = shelf.name(news.productID)
        var blocks: [any PageBlock] = [facts(of: news, shelf, one)]
        let items = try await raisedItems(of: one.id)
        if items.count > 1 { blocks.append(table(of: items, news.currency)) }
        blocks.append(
            Prose(
                news.needsConsent
                    ? words.endsUnlessAgreed(name, on: day) : words.nothingToDo(before: day)))
        blocks += news.needsConsent ? consentForms(one, news) : [noticeForm(one)]
        blocks.append(
            LinkList([PageLink(words.reviewOrCancel, AccountPath.subscription(one.id))]))
        return Page(
            news.isConversion ? words.conversionTitle : words.increaseTitle,
            lead: words.priceOf(name, app: shelf.app.settings.name), trail: trail(to: one, shelf),
            blocks)
    }

    private func facts(
        of news: PriceNews, _ shelf: Shelf, _ one: OwnSubscription
    ) -> Facts {
        func price(_ milliunits: Int64) -> Cell {
            Cell(priceText(milliunits, news, of: one, shelf))
        }
        let old =
            news.isConversion
            ? Cell(
                news.oldPrice == 0
                    ? words.freeUntil(locale.fullDay(news.renewal))
                    : locale.amount(news.oldPrice, news.currency))
            : price(news.oldPrice)
        return Facts([
            (words.oldPrice, old), (words.newPrice, price(news.newPrice)),
            (words.from, dayCell(news.renewal)),
        ])
    }

    /// Items of which each costs more, one sheet for all (PI-10).
    private func raisedItems(of id: String) async throws -> [Answer] {
        try await desk.get(StorePath("connect", "v1", "subscriptions", id, "pending-changes"))
            .list("changes").filter {
                $0.optionalText("change") == "repriced" && $0.optionalText("sku") != nil
            }
    }

    private func table(of items: [Answer], _ currency: String) -> DataTable {
        func amount(_ item: Answer, _ member: String) -> Cell {
            .number(item.optionalInteger(member).map { locale.amount($0, currency) } ?? "")
        }
        return DataTable(
            words.newPrice, columns: [words.billLine, words.oldPrice, words.newPrice],
            rows: items.map { item in
                DataTable.Row([
                    Cell(item.optionalText("displayName") ?? item.optionalText("sku") ?? ""),
                    amount(item, "formerPrice"), amount(item, "price"),
                ])
            }, empty: "")
    }

    /// Agree, decline, or leave it open.
    private func consentForms(_ one: OwnSubscription, _ news: PriceNews) -> [any PageBlock] {
        func form(_ word: String, _ purpose: PageForm.Purpose, _ button: String, _ way: PageLink?)
            -> PageForm
        {
            PageForm(
                purpose, action: AccountPath.subscription(one.id, "price", word), button: button,
                hidden: [FormID.hidden(), .init("newPrice", String(news.newPrice))], way: way)
        }
        return [
            form("agree", .change, words.agree, nil),
            form("decline", .danger, words.decline, PageLink(words.notNow, AccountPath.overview)),
        ]
    }

    private func noticeForm(_ one: OwnSubscription) -> PageForm {
        PageForm(
            .change, action: AccountPath.subscription(one.id, "price", "seen"), button: words.ok,
            hidden: [FormID.hidden()])
    }

    /// The customer has read a notice: what the app would have shown is seen too.
    fileprivate func acknowledgePrice() async throws -> String {
        let one = try await changeable()
        let told = try await desk.get(StorePath("storefront", "v1", "in-app-messages"))
            .list("messages").filter {
                $0.optionalText("originalTransactionId") == one.id
                    && $0.optionalText("kind") == "priceIncreaseNotice"
            }
        for message in told {
            _ = try await desk.send(
                .post,
                StorePath(
                    "storefront", "v1", "in-app-messages", try message.text("id"), "seen"))
        }
        return AccountPath.overview
    }
}

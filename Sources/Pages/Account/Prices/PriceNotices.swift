import HTMLPages
import SubscriptionRules

extension Visit {
    /// What pages say of prices that wait, each with the way to its sheet: whether somebody is
    /// asked or told, from when on, and what silence leads to (PI-13). Reading it counts for
    /// nothing (PAG-11).
    ///
    /// - Parameter news: what the customer is to hear; what is about others is passed over.
    func priceNotices(
        _ news: [PriceNews], of one: OwnSubscription, _ shelf: Shelf
    ) -> [any PageBlock] {
        news.filter { $0.subscriptionID == one.id }.map { news in
            Notice(
                .attention, sentence(about: news, of: one, shelf),
                strong: news.isConversion ? words.conversionTitle : words.increaseTitle,
                link: PageLink(words.reviewIncrease, AccountPath.subscription(one.id, "price")))
        }
    }

    private func sentence(
        about news: PriceNews, of one: OwnSubscription, _ shelf: Shelf
    ) -> String {
        let day = locale.fullDay(news.renewal)
        let price = priceText(news.newPrice, news, of: one, shelf)
        return news.needsConsent
            ? words.asksForPrice(price, from: day) + " "
                + words.endsUnlessAgreed(shelf.name(news.productID), on: day)
            : words.tellsOfPrice(price, from: day) + " " + words.nothingToDo(before: day)
    }

    /// An amount that a subscription's period costs, with the length of the period.
    func priceText(
        _ milliunits: Int64, _ news: PriceNews, of one: OwnSubscription, _ shelf: Shelf
    ) -> String {
        let amount = locale.amount(milliunits, news.currency)
        let period = one.commitmentEnds == nil ? shelf.period(news.productID) : .month
        return period.map { words.price(amount, every: $0) } ?? amount
    }
}

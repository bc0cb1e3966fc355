import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules

extension Account {
    /// The customer's subscriptions.
    var managePages: [Endpoint<StoreSite>] {
        [
            page("", "overview") { visit in try await visit.overviewPage() },
            page("subscriptions/{id}", "subscription") { visit in
                try await visit.subscriptionPage()
            },
        ]
    }
}

extension Visit {
    /// All subscriptions of the customer in the app, own ones first.
    func subscriptions() async throws -> [OwnSubscription] {
        try await desk.get(StorePath("storefront", "v1", "subscriptions")).list("subscriptions")
            .map { try OwnSubscription($0) }
    }

    /// One that is the customer's.
    ///
    /// - Throws: an `ErrorBody` where there is none.
    func subscription(_ id: String) async throws -> OwnSubscription {
        guard let found = try await subscriptions().first(where: { $0.id == id }) else {
            throw ErrorBody(.notFound, "unknownSubscription", "The customer has no such one.")
        }
        return found
    }

    /// App, level, price and date of every subscription.
    fileprivate func overviewPage() async throws -> Page {
        let shelf = try await Shelf(self)
        let all = try await subscriptions()
        let news = try await priceNews()
        var blocks: [any PageBlock] = all.map { section(of: $0, news, shelf) }
        if all.isEmpty { blocks.append(Prose(words.noSubscriptions)) }
        blocks += try await shopWindow(besides: all, shelf)
        blocks.append(waysToPurchases)
        return Page(words.subscriptions, blocks)
    }

    private func section(
        of one: OwnSubscription, _ news: [PriceNews], _ shelf: Shelf
    ) -> PageSection {
        // What one looks for first, and the way to manage it, stay in the first view.
        var blocks: [any PageBlock] = [summary(of: one, shelf), LinkList(overviewLinks(one))]
        blocks += priceNotices(news, of: one, shelf)
        return PageSection(
            shelf.name(one.productID), id: "subscription-\(one.id)", isLandmark: false, blocks)
    }

    private func overviewLinks(_ one: OwnSubscription) -> [PageLink] {
        [PageLink(words.manage, AccountPath.subscription(one.id))] + endLinks(one)
    }

    /// The ways out and back in; none of what somebody else of the family pays for.
    func endLinks(_ one: OwnSubscription) -> [PageLink] {
        if one.isShared { return [] }
        if !one.isAlive {
            return [PageLink(words.resubscribe, AccountPath.subscription(one.id, "resubscribe"))]
        }
        return one.renews
            ? [PageLink(words.cancel, AccountPath.subscription(one.id, "cancel"))] : []
    }

    /// What a customer looks for first.
    func summary(of subscription: OwnSubscription, _ shelf: Shelf) -> Facts {
        let isOver = !subscription.isAlive
        let label =
            isOver
            ? words.endedOn : subscription.renews ? words.nextBillingDate : words.endsOn
        // Whoever cancelled a commitment keeps access, and pays, until its last month ends.
        let end = subscription.commitmentEnds ?? subscription.expires
        let date =
            isOver ? subscription.expires : subscription.renews ? subscription.renewalDate : end
        let (product, nextProduct) = (subscription.productID, subscription.nextProductID)
        let next = subscription.nextPrice
        // What goes on as it is has one price.
        let isTold = next != subscription.price || nextProduct != product
        func cell(_ price: OwnSubscription.Price, _ product: String) -> Cell? {
            if subscription.isShared { return nil }
            let isMonthly = subscription.commitmentEnds != nil
            return priceCell(price, every: isMonthly ? .month : shelf.period(product))
        }
        return Facts([
            (words.app, Cell(shelf.app.settings.name)),
            (words.plan, Cell(shelf.name(subscription.productID))),
            (words.price, subscription.price.flatMap { cell($0, product) }),
            (words.nextPrice, isTold ? next.flatMap { cell($0, nextProduct) } : nil),
            // The day of a failed payment is over, and when it is tried again stands in the bill.
            (label, subscription.isUnpaid ? nil : dayCell(date)),
            (words.state, stateCell(subscription)),
        ])
    }

    /// A day as the customer's calendar has it.
    func dayCell(_ at: Instant) -> Cell { .moment(at, locale.fullDay(at)) }

    /// What a period costs, with its length; an offer's price is not that of every period.
    private func priceCell(
        _ price: OwnSubscription.Price, every period: CalendarPeriod?
    ) -> Cell {
        let amount = locale.amount(price.milliunits, price.currency)
        if price.isOffer { return Cell(amount, detail: words.withOffer) }
        return Cell(period.map { words.price(amount, every: $0) } ?? amount)
    }

    private func stateCell(_ subscription: OwnSubscription) -> Cell {
        let tone: Tone =
            switch subscription.status {
            case 1: .good
            case 3, 4: .attention
            default: .plain
            }
        return .badge(
            words.status(subscription.status), tone,
            detail: subscription.isShared ? words.familyShared : nil)
    }
}

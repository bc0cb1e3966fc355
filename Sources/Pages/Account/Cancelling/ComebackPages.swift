import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Account {
    /// Coming back to what has ended.
    var comebackPages: [Endpoint<StoreSite>] {
        [
            page("subscriptions/{id}/resubscribe", "resubscribePage") { visit in
                try await visit.comebackPage()
            },
            action(
                "subscriptions/{id}/resubscribe", "resubscribe",
                on: { visit in try await visit.comebackPage() }
            ) { visit, form in try await visit.comeBack(form) },
        ]
    }
}

/// A plan to come back to, and the offer that it is had with.
private struct Comeback {
    let option: PlanOption
    let offer: WinBack?

    /// An offer's terms.
    struct WinBack {
        let id: String
        let mode: String
        let price: Int64
        /// How long all of it lasts.
        let length: CalendarPeriod
        let period: CalendarPeriod

        init?(_ answer: Answer) throws {
            guard let period = CalendarPeriod(iso8601: try answer.text("period")) else {
                return nil
            }
            id = try answer.text("id")
            mode = try answer.text("mode")
            price = try answer.integer("price")
            self.period = period
            let count = max(1, Int(try answer.integer("periodCount")))
            length = CalendarPeriod(period.count * count, period.unit)
        }
    }

    /// - Parameter eligible: the offers that the customer can have, best first.
    init(_ option: PlanOption, eligible: [String]) throws {
        self.option = option
        let found = eligible.lazy.compactMap { id in
            option.winBackOffers.first { $0.optionalText("id") == id }
        }.first
        offer = try found.flatMap { try WinBack($0) }
    }

    func write(to json: inout JSONWriter) {
        option.write(to: &json)
        if let offer {
            json.object("offer") { json in
                json.field("type", "winBack")
                json.field("id", offer.id)
            }
        }
    }
}

extension Visit {
    /// What one comes back to, its terms, the button, and the other plans.
    fileprivate func comebackPage() async throws -> Page {
        let one = try await ended()
        let shelf = try await Shelf(self)
        let all = try await comebacks(one)
        guard let chosen = choice(one, among: all) else {
            throw ErrorBody(.conflict, "notForSale", "Nothing of the group is for sale here.")
        }
        let name = shelf.name(chosen.option.productID)
        let rehearsal = try await buy(chosen, rehearses: true)
        let change = try Foretelling(rehearsal, choosing: chosen.option.productID)
        let isAsking = change.outcome == .asking
        var blocks: [any PageBlock] = []
        if let about = shelf.description(chosen.option.productID) { blocks.append(Prose(about)) }
        blocks.append(
            Facts([
                (words.plan, Cell(name)), (words.price, priceCell(chosen.option)),
                (
                    words.chargedToday,
                    isAsking
                        ? nil : Cell(locale.amount(change.charged, chosen.option.currency))
                ),
                (words.approval, isAsking ? Cell(words.needsApproval) : nil),
            ]))
        if let offer = chosen.offer { blocks.append(Notice(.good, terms(of: offer, chosen))) }
        blocks.append(Prose(words.renewsByItself))
        blocks.append(
            PageForm(
                .change, action: AccountPath.subscription(one.id, "resubscribe"),
                button: words.resubscribeNow,
                hidden: [
                    FormID.hidden(), .init("product", chosen.option.productID),
                    .init("billing", chosen.option.billing?.rawValue ?? ""),
                    .init("offer", chosen.offer?.id ?? ""),
                    .init("charged", String(change.charged)),
                ], way: PageLink(words.notNow, AccountPath.overview)))
        blocks += others(all, but: chosen, one, shelf)
        return Page(words.resubscribe(to: name), trail: trail(to: one, shelf), blocks)
    }

    /// Price, length and standard price in one sentence (HIG-59).
    private func terms(of offer: Comeback.WinBack, _ comeback: Comeback) -> String {
        let currency = comeback.option.currency
        let after = words.price(
            locale.amount(comeback.option.price, currency), every: comeback.option.period)
        let length = words.length(offer.length)
        switch offer.mode {
        case "FREE_TRIAL": return words.offerIsFree(for: length, then: after)
        case "PAY_UP_FRONT":
            return words.offerCosts(locale.amount(offer.price, currency), for: length, then: after)
        default:
            let price = words.price(locale.amount(offer.price, currency), every: offer.period)
            return words.offerCosts(price, for: length, then: after)
        }
    }

    private func others(
        _ all: [Comeback], but chosen: Comeback, _ one: OwnSubscription, _ shelf: Shelf
    ) -> [any PageBlock] {
        let links = all.filter {
            $0.option.productID != chosen.option.productID
                || $0.option.billing != chosen.option.billing
        }.map { other in
            let price = words.price(
                locale.amount(other.option.price, other.option.currency),
                every: other.option.period)
            return PageLink(
                "\(shelf.name(other.option.productID)) · \(price)",
                StorePath("account", "subscriptions", one.id, "resubscribe")
                    .with("product", other.option.productID)
                    .with("billing", other.option.billing?.rawValue).text)
        }
        return links.isEmpty
            ? [] : [PageSection(words.otherPlans, id: "others", [LinkList(links)])]
    }

    /// Buys what the page showed, if it still costs that and has that offer.
    fileprivate func comeBack(_ form: FormInput) async throws -> String {
        let one = try await ended()
        var again = self
        again.refused = form
        guard let chosen = again.choice(one, among: try await comebacks(one)),
            chosen.option.productID == form["product"]
        else { throw ErrorBody(.conflict, "notForSale", "This plan is not for sale here.") }
        let change = try Foretelling(
            try await buy(chosen, rehearses: true), choosing: chosen.option.productID)
        guard form.text("charged") == String(change.charged),
            form["offer"] == chosen.offer?.id ?? ""
        else {
            throw ErrorBody(
                .conflict, "amountChanged", "The amount has changed since the page was opened.")
        }
        let answer = try await buy(chosen, rehearses: false)
        return answer.optionalText("requestId") == nil
            ? AccountPath.overview : DoneWord.added("requestToBuy", to: AccountPath.overview)
    }

    private func ended() async throws -> OwnSubscription {
        let one = try await subscription(try part("id"))
        guard !one.isShared else {
            throw ErrorBody(.conflict, "familyShared", "Its purchaser manages it.")
        }
        guard !one.isAlive else {
            throw ErrorBody(.conflict, "alreadySubscribed", "It has not ended.")
        }
        return one
    }

    private func comebacks(_ one: OwnSubscription) async throws -> [Comeback] {
        try await planOptions(one).map { try Comeback($0, eligible: one.winBackOffers) }
    }

    /// What was asked for; else what the best offer is for; else what the customer had.
    private func choice(_ one: OwnSubscription, among all: [Comeback]) -> Comeback? {
        let (product, billing) = (typed("product"), typed("billing"))
        if !product.isEmpty {
            return all.first {
                $0.option.productID == product && ($0.option.billing?.rawValue ?? "") == billing
            }
        }
        let best = one.winBackOffers.lazy.compactMap { id in all.first { $0.offer?.id == id } }
        return best.first ?? all.first { $0.option.productID == one.nextProductID } ?? all.first
    }

    private func buy(_ comeback: Comeback, rehearses: Bool) async throws -> Answer {
        try await desk.send(
            .post, StorePath("storefront", "v1", "purchases"), rehearses: rehearses
        ) { comeback.write(to: &$0) }
    }
}

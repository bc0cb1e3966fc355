import AppStoreWire
import ConnectAnswers
import HTMLPages
import SubscriptionRules

extension Visit {
    /// How many plans the overview has.
    private static let mostPlans = 20

    /// What somebody who subscribes to nothing can subscribe to, each with its price and its
    /// length; what is bought is confirmed on the store's one page (PAG-7). Whoever subscribes
    /// already is offered nothing, and of a group that was left there is the way back (PAG-13).
    ///
    /// - Parameter all: the customer's subscriptions.
    func shopWindow(
        besides all: [OwnSubscription], _ shelf: Shelf
    ) async throws -> [any PageBlock] {
        guard !all.contains(where: \.isAlive) else { return [] }
        let left = Set(all.map(\.groupID))
        let answer = try await desk.get(StorePath("storefront", "v1", "products"))
        var plans: [any PageBlock] = []
        for product in try answer.list("products") where plans.count < Self.mostPlans {
            guard product.value["subscription"] != nil,
                product.value["isGeneric"]?.bool != true
            else { continue }
            let terms = try product.object("subscription")
            guard !left.contains(try terms.text("groupId")),
                let period = CalendarPeriod(iso8601: try terms.text("period"))
            else { continue }
            plans.append(try plan(product, every: period, number: plans.count + 1, shelf))
        }
        guard !plans.isEmpty else { return [] }
        if answer.value["canMakePayments"]?.bool == false {
            return [Notice(.attention, sentence(ofCode: "paymentsNotAllowed"))]
        }
        return [PageSection(words.subscribe, id: "plans", plans), termsLinks]
    }

    private func plan(
        _ product: Answer, every period: CalendarPeriod, number: Int, _ shelf: Shelf
    ) throws -> PageSection {
        let id = try product.text("id")
        let name = shelf.name(id)
        let amount = locale.amount(
            try product.integer("price"), try product.text("currency"))
        return PageSection(
            name, id: "plan-\(number)", about: shelf.description(id), isLandmark: false,
            [
                Offering(
                    words.price(amount, every: period), details: [words.renewsByItself],
                    act: PageLink(
                        words.subscribeTitle(name), AccountPath.below("buy", id)))
            ])
    }

    /// What belongs beside every list of subscriptions (PAG-14).
    var waysToPurchases: LinkList {
        LinkList([
            PageLink(words.redeemCode, AccountPath.redeem),
            PageLink(words.restorePurchases, AccountPath.below("help", "missing")),
        ])
    }
}

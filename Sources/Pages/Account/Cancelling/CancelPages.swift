import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Account {
    /// Leaving in two taps (PAG-4), and staying after all.
    var cancelPages: [Endpoint<StoreSite>] {
        [
            page("subscriptions/{id}/cancel", "cancelPage") { visit in
                try await visit.cancelPage()
            },
            action(
                "subscriptions/{id}/cancel", "cancel",
                on: { visit in try await visit.cancelPage() }
            ) { visit, _ in
                let one = try await visit.changeable()
                _ = try await visit.setRenewal(of: one, isOn: false)
                return AccountPath.subscription(one.id)
            },
            action(
                "subscriptions/{id}/renewal", "keep",
                on: { visit in try await visit.subscriptionPage() }
            ) { visit, _ in
                let one = try await visit.changeable()
                _ = try await visit.setRenewal(of: one, isOn: true)
                return AccountPath.subscription(one.id)
            },
        ]
    }
}

extension Visit {
    fileprivate func setRenewal(
        of one: OwnSubscription, isOn: Bool, rehearses: Bool = false
    ) async throws -> Answer {
        try await desk.send(
            .patch, StorePath("storefront", "v1", "subscriptions", one.id), rehearses: rehearses
        ) { $0.field("autoRenew", isOn) }
    }

    /// Until when access lasts, Confirm and Not Now (HIG-97, HIG-99); one offer at most, below.
    fileprivate func cancelPage() async throws -> Page {
        let one = try await changeable()
        guard one.renews else { return try await subscriptionPage() }
        let shelf = try await Shelf(self)
        let name = shelf.name(one.productID)
        var blocks: [any PageBlock] = [
            Prose(try await sentence(of: one, name)),
            PageForm(
                .danger, action: AccountPath.subscription(one.id, "cancel"),
                button: words.confirm, hidden: [FormID.hidden()],
                way: PageLink(words.notNow, AccountPath.subscription(one.id))),
        ]
        if let option = try await cheaper(one) {
            let price = words.price(
                locale.amount(option.price, option.currency), every: option.period)
            let path = StorePath("account", "subscriptions", one.id, "plans", option.productID)
                .with("billing", option.billing?.rawValue)
            blocks.append(
                PageSection(
                    words.payLess, id: "offer",
                    [
                        LinkList([
                            PageLink(
                                words.changeTo(shelf.name(option.productID), for: price),
                                path.text)
                        ])
                    ]))
        }
        return Page(words.confirmCancellation, trail: trail(to: one, shelf), blocks)
    }

    private func sentence(of one: OwnSubscription, _ name: String) async throws -> String {
        if let end = one.commitmentEnds {
            return words.cancelsCommitment(of: name, on: locale.fullDay(end))
        }
        guard one.isEntitled else { return words.cancelsUnpaid(name) }
        var end = one.expires
        if one.status == 4 {
            // Access lasts longer than what was paid.
            let entries = try await setRenewal(of: one, isOn: false, rehearses: true)
                .list("entries")
            end = entries.last?.optionalMoment("graceUntil") ?? end
        }
        return words.cancels(name, accessUntil: locale.fullDay(end))
    }

    /// The plan that is nearest below in price for the same length, if there is any.
    private func cheaper(_ one: OwnSubscription) async throws -> PlanOption? {
        let all = try await planOptions(one)
        guard one.commitmentEnds == nil, let current = all.first(where: { one.isOn($0) }) else {
            return nil
        }
        return all.filter {
            $0.period == current.period && $0.price < current.price && !$0.isMonthly
        }.max { $0.price < $1.price }
    }
}

import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Account {
    /// Choosing another plan.
    var planPages: [Endpoint<StoreSite>] {
        [
            page("subscriptions/{id}/plans", "plans") { visit in try await visit.plansPage() },
            page("subscriptions/{id}/plans/{product}", "plan") { visit in
                try await visit.planPage()
            },
            action(
                "subscriptions/{id}/plans/{product}", "changePlan",
                on: { visit in try await visit.planPage() }
            ) { visit, form in try await visit.changePlan(form) },
        ]
    }
}

extension Visit {
    /// Of so many plans it is said what they would do; the others say it on their own pages.
    private static let foretold = 20

    /// Every plan with its name, its price and length, when it takes effect and what is charged
    /// today (HIG-58, HIG-96).
    fileprivate func plansPage() async throws -> Page {
        let one = try await changeable()
        let shelf = try await Shelf(self)
        var sections: [any PageBlock] = []
        for (place, option) in try await planOptions(one).enumerated() {
            let isCurrent = one.isOn(option)
            if isCurrent, one.nextProductID == one.productID {
                sections.append(
                    section(option, place, shelf, [(words.state, .badge(words.current, .good))]))
                continue
            }
            var facts: [(label: String, value: Cell?)] = []
            if place < Self.foretold {
                do {
                    facts += self.facts(try await foretell(option, one), option, one)
                } catch let refusal as Refusal where refusal.status != .notFound {
                    facts.append((words.state, Cell(sentence(of: refusal))))
                }
            }
            sections.append(
                section(option, place, shelf, facts, choosing: one, keeps: isCurrent))
        }
        return Page(
            words.changePlan, trail: trail(to: one, shelf),
            sections.count > 1 ? sections : [Prose(words.noOtherPlans)] + sections)
    }

    private func section(
        _ option: PlanOption, _ place: Int, _ shelf: Shelf,
        _ facts: [(label: String, value: Cell?)], choosing one: OwnSubscription? = nil,
        keeps: Bool = false
    ) -> PageSection {
        let name = shelf.name(option.productID)
        let price: [(label: String, value: Cell?)] = [(words.price, priceCell(option))]
        // A week and a month of the same may have one name.
        let amount = words.price(locale.amount(option.price, option.currency), every: option.period)
        var blocks: [any PageBlock] = [Facts(price + facts)]
        if let one {
            let path = StorePath("account", "subscriptions", one.id, "plans", option.productID)
                .with("billing", option.billing?.rawValue)
            blocks.append(
                LinkList([
                    PageLink(
                        keeps ? words.keepPlan(name) : words.changeTo(name, for: amount),
                        path.text)
                ]))
        }
        return PageSection(
            name, id: "plan-\(place)", about: shelf.description(option.productID),
            isLandmark: false, blocks)
    }

    /// When a change takes effect and what it costs today.
    private func facts(
        _ change: Foretelling, _ option: PlanOption, _ one: OwnSubscription
    ) -> [(label: String, value: Cell?)] {
        if change.outcome == .asking { return [(words.approval, Cell(words.needsApproval))] }
        let day = one.commitmentEnds ?? one.renewalDate
        return [
            (words.takesEffect, change.waits ? dayCell(day) : Cell(words.atOnce)),
            (words.chargedToday, Cell(locale.amount(change.charged, option.currency))),
            (
                words.returned,
                change.returned == 0
                    ? nil : Cell(locale.amount(change.returned, option.currency))
            ),
        ]
    }

    /// One plan, and the button that chooses it.
    fileprivate func planPage() async throws -> Page {
        let one = try await changeable()
        let option = try await chosenOption(one)
        let shelf = try await Shelf(self)
        let change = try await foretell(option, one)
        let name = shelf.name(option.productID)
        let path = AccountPath.subscription(one.id, "plans")
        let plan: [(label: String, value: Cell?)] = [
            (words.plan, Cell(name)), (words.price, priceCell(option)),
        ]
        return Page(
            one.isOn(option) ? words.keepPlan(name) : words.changeTo(name),
            trail: trail(to: one, shelf) + [PageLink(words.changePlan, path)],
            [
                Facts(plan + facts(change, option, one)),
                PageForm(
                    .change, action: AccountPath.subscription(one.id, "plans", option.productID),
                    button: words.confirm,
                    hidden: [
                        FormID.hidden(), .init("charged", String(change.charged)),
                        .init("billing", option.billing?.rawValue ?? ""),
                    ], way: PageLink(words.notNow, path)),
            ])
    }

    /// Chooses it, if it still costs what the page said (PAG-3).
    fileprivate func changePlan(_ form: FormInput) async throws -> String {
        let one = try await changeable()
        var again = self
        again.refused = form
        let option = try await again.chosenOption(one)
        let change = try await foretell(option, one)
        guard form.text("charged") == String(change.charged) else {
            throw ErrorBody(
                .conflict, "amountChanged", "The amount has changed since the page was opened.")
        }
        let answer = try await choose(option, one, rehearses: false)
        let path = AccountPath.subscription(one.id)
        return answer.optionalText("requestId") == nil
            ? path : DoneWord.added("requestToBuy", to: path)
    }

    private func chosenOption(_ one: OwnSubscription) async throws -> PlanOption {
        let (product, billing) = (try part("product"), typed("billing"))
        let found = try await planOptions(one).first {
            $0.productID == product && ($0.billing?.rawValue ?? "") == billing
        }
        guard let found else {
            throw ErrorBody(.notFound, "notForSale", "This plan is not for sale here.")
        }
        return found
    }

    private func foretell(
        _ option: PlanOption, _ one: OwnSubscription
    ) async throws -> Foretelling {
        try Foretelling(
            try await choose(option, one, rehearses: true), choosing: option.productID)
    }

    private func choose(
        _ option: PlanOption, _ one: OwnSubscription, rehearses: Bool
    ) async throws -> Answer {
        try await desk.send(
            .patch, StorePath("storefront", "v1", "subscriptions", one.id), rehearses: rehearses
        ) { option.write(to: &$0) }
    }

    /// A subscription that the customer can do something about.
    func changeable() async throws -> OwnSubscription {
        let one = try await subscription(try part("id"))
        guard !one.isShared else {
            throw ErrorBody(.conflict, "familyShared", "Its purchaser manages it.")
        }
        guard one.isAlive else { throw ErrorBody(.conflict, "notActive", "It is over.") }
        return one
    }

    /// The pages above one of a subscription's.
    func trail(to one: OwnSubscription, _ shelf: Shelf) -> [PageLink] {
        [
            PageLink(words.subscriptions, AccountPath.overview),
            PageLink(shelf.name(one.productID), AccountPath.subscription(one.id)),
        ]
    }
}

extension OwnSubscription {
    /// Whether it is the plan of this period.
    func isOn(_ option: PlanOption) -> Bool {
        option.productID == productID && option.isMonthly == (commitmentEnds != nil)
    }
}

import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Account {
    /// What the organiser of a family decides for its children: who asks before buying, and what
    /// comes of each request. No other member reaches it (PAG-10).
    var familyRequestPages: [Endpoint<StoreSite>] {
        [
            action("family/asking/{account}", "setAsking") { visit, form in
                try await visit.setAsking(form)
            },
            action("family/requests/{id}/approve", "approve") { visit, _ in
                try await visit.approve()
            },
            action("family/requests/{id}/decline", "declineRequest") { visit, _ in
                let id = try await visit.requestToDecide()
                _ = try await visit.desk.send(
                    .post, StorePath("connect", "v1", "purchase-requests", id, "decline"))
                return AccountPath.family
            },
        ]
    }
}

extension Visit {
    /// Whether a member of the family asks before buying.
    func asksToBuy(_ account: String) async throws -> Bool {
        try await desk.get(StorePath("connect", "v1", "customers", account)).bool("asksToBuy")
    }

    /// What the children ask for: item, price, child, time left, and the two answers.
    func requestBlocks(
        _ household: Household, _ shelf: Shelf
    ) async throws -> [any PageBlock] {
        let now = try await self.now()
        var sections: [any PageBlock] = []
        for member in household.others {
            let path = StorePath("connect", "v1", "purchase-requests")
                .with("account", member.account).with("state", "waiting")
                .with("reason", "askToBuy")
            for request in try await desk.get(path).list("purchaseRequests") {
                sections.append(try section(ofAsked: request, shelf, now))
            }
        }
        if sections.isEmpty {
            sections.append(
                PageSection(words.requests, id: "requests", [Prose(words.noRequests)]))
        }
        return sections
    }

    private func section(
        ofAsked request: Answer, _ shelf: Shelf, _ now: Instant
    ) throws -> PageSection {
        let id = try request.text("id")
        let productID = try request.text("productId")
        // Other apps have shelves of their own.
        let isHere = request.optionalText("bundleId") == session.bundleID
        let price = request.optionalInteger("price")
        let currency = request.optionalText("currency")
        var amount: Cell?
        if let price, let currency { amount = Cell(locale.amount(price, currency)) }
        let lapses = request.optionalMoment("lapses")
        let quantity = try request.integer("quantity")
        return PageSection(
            isHere ? shelf.name(productID) : productID, id: "asked-\(id)", isLandmark: false,
            [
                Facts([
                    (words.askedBy, Cell(try request.text("account"))),
                    (words.price, amount),
                    (words.quantity, quantity == 1 ? nil : Cell(locale.number(Int(quantity)))),
                    (words.timeLeft, lapses.map { timeCell(until: $0, now) }),
                ]),
                PageForm(
                    .change, action: AccountPath.below("family", "requests", id, "approve"),
                    button: words.approve, hidden: [FormID.hidden()]),
                PageForm(
                    .danger, action: AccountPath.below("family", "requests", id, "decline"),
                    button: words.declineRequest, hidden: [FormID.hidden()]),
            ])
    }

    private func timeCell(until end: Instant, _ now: Instant) -> Cell {
        let minutes = Int(max(0, end.milliseconds - now.milliseconds) / 60_000)
        return .moment(end, words.hoursLeft(hours: minutes / 60, minutes: minutes % 60))
    }

    /// A family that the customer organises.
    ///
    /// - Throws: an `ErrorBody` for everybody else.
    private func organised() async throws -> Household {
        let household = try await Household(self)
        guard household.isOrganisers else {
            throw ErrorBody(.forbidden, "notOrganiser", "Only its organiser does that.")
        }
        return household
    }

    /// A request that the organiser can decide: one of another member, who asks before buying.
    fileprivate func requestToDecide() async throws -> String {
        let household = try await organised()
        let id = try part("id")
        let request = try await desk.get(StorePath("connect", "v1", "purchase-requests", id))
        let account = try request.text("account")
        guard try request.text("reason") == "askToBuy",
            household.others.contains(where: { $0.account == account })
        else {
            throw ErrorBody(.notFound, "unknownPurchaseRequest", "The family has no such one.")
        }
        return id
    }

    fileprivate func approve() async throws -> String {
        let id = try await requestToDecide()
        let decided = try await desk.send(
            .post, StorePath("connect", "v1", "purchase-requests", id, "approve"))
        return decided.optionalText("obstacle") == nil
            ? AccountPath.family : DoneWord.added("approvedInVain", to: AccountPath.family)
    }

    fileprivate func setAsking(_ form: FormInput) async throws -> String {
        let account = try part("account")
        guard try await organised().others.contains(where: { $0.account == account }) else {
            throw ErrorBody(.forbidden, "notOrganiser", "Only of the own family.")
        }
        _ = try await desk.send(.patch, StorePath("connect", "v1", "customers", account)) {
            $0.field("asksToBuy", form["asks"] == "true")
        }
        return DoneWord.added("familySettings", to: AccountPath.family)
    }
}

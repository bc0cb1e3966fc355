import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules

extension Account {
    /// Asking for the price of a purchase back, and what came of it. Nothing here speaks of odds
    /// or of policy (HIG-58).
    var refundPages: [Endpoint<StoreSite>] {
        [
            page("purchases/{id}/refund", "refundSheet") { visit in
                try await visit.refundSheet()
            },
            action(
                "purchases/{id}/refund", "requestRefund",
                on: { visit in try await visit.refundSheet() }
            ) { visit, form in try await visit.requestRefund(form) },
            page("purchases/{id}/claim", "claim") { visit in try await visit.claimPage() },
        ]
    }
}

/// Why a customer asks, as the sheet has it: several say the same to the store.
private enum RefundReason: String, CaseIterable {
    case notMeant, child, notWorking, notReceived, other

    /// As the store takes it.
    var wire: String {
        switch self {
        case .notMeant, .child: "UNINTENDED_PURCHASE"
        case .notWorking: "UNSATISFIED_WITH_PURCHASE"
        case .notReceived: "FULFILLMENT_ISSUE"
        case .other: "OTHER"
        }
    }

    func text(_ words: any AccountWords) -> String {
        switch self {
        case .notMeant: words.notMeant
        case .child: words.childBought
        case .notWorking: words.notWorking
        case .notReceived: words.notReceived
        case .other: words.otherReason
        }
    }
}

extension Visit {
    /// Picture, name, price, date and account; five reasons, none chosen; that access may be lost
    /// (HIG-56, PAG-9).
    fileprivate func refundSheet() async throws -> Page {
        let one = try await historyEntry(try part("id"))
        let shelf = try await Shelf(self)
        let reasons = RefundReason.allCases.map { (value: $0.rawValue, text: $0.text(words)) }
        return Page(
            words.requestRefund, trail: [PageLink(words.purchases, AccountPath.purchases)],
            [
                Ware(
                    shelf.name(one.productID), image: AccountPath.icon,
                    alt: words.iconOf(shelf.app.settings.name),
                    lines: [shelf.app.settings.name, shelf.description(one.productID)]
                        .compactMap { $0 }),
                Facts([
                    (words.amount, amountCell(of: one)),
                    (words.originalDate, dayCell(one.originalPurchased)),
                    (
                        words.paidOn,
                        one.purchased == one.originalPurchased ? nil : dayCell(one.purchased)
                    ),
                    (words.accountName, Cell(customer.account)),
                ]),
                PageForm(
                    .change, action: AccountPath.below("purchases", one.id, "refund"),
                    button: words.submitRefund, about: words.mayLoseAccess,
                    hidden: [FormID.hidden()],
                    fields: [
                        Field(
                            "reason", words.whyRefund, .radios(reasons), in: "refund",
                            value: refused?.text("reason") ?? "")
                    ], way: PageLink(words.notNow, AccountPath.purchases)),
            ])
    }

    fileprivate func requestRefund(_ form: FormInput) async throws -> String {
        let id = try part("id")
        guard let reason = RefundReason(rawValue: form["reason"]) else {
            throw ErrorBody(.badRequest, "reasonMissing", "Choose a reason.", field: "reason")
        }
        _ = try await desk.send(
            .post, StorePath("storefront", "v1", "transactions", id, "refund-request")
        ) { $0.field("reason", reason.wire) }
        return AccountPath.below("purchases", id, "claim")
    }

    /// That it was sent, where news come, and where claims are followed (HIG-57).
    fileprivate func claimPage() async throws -> Page {
        let one = try await historyEntry(try part("id"))
        guard one.claim != nil else { throw ErrorBody.unknownPage }
        let shelf = try await Shelf(self)
        return Page(
            shelf.name(one.productID), trail: [PageLink(words.purchases, AccountPath.purchases)],
            [
                Notice(.good, words.refundSent),
                Prose(
                    customer.email.map { words.newsByMail($0) } ?? words.newsHere,
                    words.followClaims),
                receipt(of: one),
                LinkList([PageLink(words.doneButton, AccountPath.purchases)]),
            ])
    }
}

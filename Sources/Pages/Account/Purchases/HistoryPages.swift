import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Store
import StoreHTTP
import SubscriptionRules

extension Account {
    /// What the customer bought, and the receipt of each.
    var historyPages: [Endpoint<StoreSite>] {
        [
            page("purchases", "purchases") { visit in try await visit.historyPage() },
            page("purchases/{id}", "purchase") { visit in try await visit.receiptPage() },
        ]
    }
}

extension Visit {
    /// How many purchases a page has.
    private static let perPage = "20"

    /// Picture, name, description and original date of each, and its refund control beside it:
    /// nobody scrolls or opens another page to find that (HIG-53, HIG-55).
    fileprivate func historyPage() async throws -> Page {
        let shelf = try await Shelf(self)
        let answer = try await desk.get(
            StorePath("storefront", "v1", "purchases").with("limit", Self.perPage)
                .with("before", asked("before")))
        let all = try answer.list("purchases").map { try HistoryEntry($0) }
        guard !all.isEmpty else {
            return Page(
                words.purchases,
                [
                    Prose(words.noPurchases),
                    LinkList([PageLink(words.purchaseHelp, AccountPath.help)]),
                ])
        }
        var blocks: [any PageBlock] = all.map { one in
            PageSection(
                shelf.name(one.productID), id: "purchase-\(one.id)", isLandmark: false,
                [ware(of: one, shelf), summary(of: one), LinkList(links(of: one))])
        }
        if let last = all.last, try answer.bool("hasMore") {
            let path = StorePath("account", "purchases").with("before", last.id)
            blocks.append(LinkList([PageLink(words.olderPurchases, path.text)]))
        }
        return Page(words.purchases, blocks)
    }

    private func links(of one: HistoryEntry) -> [PageLink] {
        var links = [PageLink(words.receipt, AccountPath.below("purchases", one.id))]
        if one.canBeClaimed { links.insert(refundLink(of: one), at: 0) }
        return links
    }

    private func refundLink(of one: HistoryEntry) -> PageLink {
        PageLink(words.requestRefund, AccountPath.below("purchases", one.id, "refund"))
    }

    /// The picture of the app beside what there is to say of a product.
    func ware(of one: HistoryEntry, _ shelf: Shelf) -> Ware {
        ware(shelf, [shelf.description(one.productID)])
    }

    /// - Parameter lines: those that are nil are left out.
    func ware(_ shelf: Shelf, _ lines: [String?]) -> Ware {
        let app = shelf.app.settings.name
        return Ware(
            app, image: AccountPath.icon, alt: words.iconOf(app), lines: lines.compactMap { $0 })
    }

    private func summary(of one: HistoryEntry) -> Facts {
        Facts([
            (words.originalDate, dayCell(one.originalPurchased)),
            (
                words.paidOn,
                one.purchased == one.originalPurchased ? nil : dayCell(one.purchased)
            ),
            (words.amount, amountCell(of: one)), (words.claim, claimCell(of: one)),
        ])
    }

    /// What was paid, and what of it came back.
    func amountCell(of one: HistoryEntry) -> Cell {
        if one.isShared { return Cell(words.familyShared) }
        let given = one.refunded.map {
            "\(words.givenBack): \(locale.amount($0, one.currency))"
        }
        return Cell(locale.amount(one.price, one.currency), detail: given)
    }

    /// How far a claim has come; nil without one.
    func claimCell(of one: HistoryEntry) -> Cell? {
        switch one.claim {
        case "open": .badge(words.claimOpen, .attention)
        case "granted": .badge(words.claimGranted, .good)
        case "declined": .badge(words.claimDeclined, .plain)
        default: nil
        }
    }

    /// A purchase that is the customer's.
    ///
    /// - Throws: `Refusal`; `UnusableAnswer`.
    func historyEntry(_ id: String) async throws -> HistoryEntry {
        try HistoryEntry(await desk.get(StorePath("storefront", "v1", "purchases", id)))
    }

    fileprivate func receiptPage() async throws -> Page {
        let one = try await historyEntry(try part("id"))
        let shelf = try await Shelf(self)
        var ways = [PageLink(words.doneButton, AccountPath.purchases)]
        if one.canBeClaimed { ways.insert(refundLink(of: one), at: 0) }
        return Page(
            shelf.name(one.productID), trail: [PageLink(words.purchases, AccountPath.purchases)],
            [ware(of: one, shelf), receipt(of: one), LinkList(ways)])
    }

    /// Everything that a receipt says.
    func receipt(of one: HistoryEntry) -> Facts {
        Facts([
            (words.order, .code(one.orderID)), (words.accountName, Cell(customer.account)),
            (words.originalDate, dayCell(one.originalPurchased)),
            (words.paidOn, dayCell(one.purchased)),
            (words.periodUntil, one.expires.map { dayCell($0) }),
            (
                words.quantity,
                one.quantity == 1 ? nil : Cell(locale.number(Int(one.quantity)))
            ),
            (words.amount, amountCell(of: one)), (words.claim, claimCell(of: one)),
        ])
    }
}

import ConnectAnswers
import HTMLPages
import StoreHTTP
import SubscriptionRules

extension Visit {
    /// One subscription: what it is, what it will cost, and what can be done about it.
    func subscriptionPage() async throws -> Page {
        let one = try await subscription(try part("id"))
        let shelf = try await Shelf(self)
        let title = shelf.name(one.productID)
        let trail = [PageLink(words.subscriptions, AccountPath.overview)]
        if one.isShared {
            return Page(title, trail: trail, [summary(of: one, shelf), payer(of: one)])
        }
        var blocks = try await notices(of: one, shelf)
        blocks.append(summary(of: one, shelf))
        var links = endLinks(one)
        if one.isAlive {
            links.insert(
                PageLink(words.changePlan, AccountPath.subscription(one.id, "plans")), at: 0)
        }
        if one.isAlive, !one.renews { blocks.append(turnOnForm(one)) }
        if !links.isEmpty { blocks.append(LinkList(links)) }
        if let bill = try await NextBill(self, one, shelf).section { blocks.append(bill) }
        return Page(title, trail: trail, blocks)
    }

    /// What the customer should know before anything else.
    private func notices(
        of one: OwnSubscription, _ shelf: Shelf
    ) async throws -> [any PageBlock] {
        var notices = priceNotices(try await priceNews(), of: one, shelf)
        if one.isUnpaid { notices.append(Notice(.bad, words.unpaid)) }
        if one.isAlive, one.renews, one.nextProductID != one.productID {
            notices.append(
                Notice(
                    .plain,
                    words.planWaits(
                        shelf.name(one.nextProductID), day: locale.fullDay(one.renewalDate))))
        }
        return notices
    }

    /// Who of the family pays for it.
    private func payer(of one: OwnSubscription) -> Notice {
        let shared = customer.shared?.first { String($0.originalTransactionID) == one.id }
        return Notice(
            .plain,
            shared.map { words.paidBy($0.purchaser) } ?? words.refusal("familyShared")
                ?? words.familyShared)
    }

    private func turnOnForm(_ one: OwnSubscription) -> PageForm {
        PageForm(
            .change, action: AccountPath.subscription(one.id, "renewal"), button: words.keep,
            about: words.isOff(until: locale.fullDay(one.commitmentEnds ?? one.expires)),
            hidden: [FormID.hidden()])
    }
}

/// What the customer will be charged next, line by line.
struct NextBill {
    private let visit: Visit
    private let subscription: OwnSubscription
    private let shelf: Shelf

    /// How many lines a page has.
    private static let most = 40

    init(_ visit: Visit, _ subscription: OwnSubscription, _ shelf: Shelf) {
        self.visit = visit
        self.subscription = subscription
        self.shelf = shelf
    }

    /// Nil for what is over.
    var section: PageSection? {
        get async throws {
            let words = visit.words
            let bill = try await visit.desk.get(
                StorePath("connect", "v1", "subscriptions", subscription.id, "next-bill"))
            switch try bill.text("outcome") {
            case "over": return nil
            case "end":
                let day = bill.optionalMoment("at") ?? subscription.expires
                return PageSection(
                    words.nextBill, id: "next-bill",
                    [Prose(words.nothingMore(until: visit.locale.fullDay(day)))])
            case "pending":
                return PageSection(
                    words.nextBill, id: "next-bill", about: words.paymentIsOnItsWay,
                    try blocks(of: bill))
            default:
                return PageSection(words.nextBill, id: "next-bill", try blocks(of: bill))
            }
        }
    }

    private func blocks(of bill: Answer) throws -> [any PageBlock] {
        let words = visit.words
        let currency = try bill.text("currency")
        func amount(_ member: String) -> Cell? {
            bill.optionalInteger(member).map { Cell(visit.locale.amount($0, currency)) }
        }
        let lines = try bill.list("lines")
        return [
            Facts([
                (words.nextBillingDate, bill.optionalMoment("at").map(visit.dayCell)),
                (words.total, amount("amount")), (words.returned, amount("credit")),
            ]),
            DataTable(
                words.nextBill, columns: [words.billLine, words.usualPrice, words.toPay],
                rows: try lines.prefix(Self.most).map { try row($0, currency) }, empty: ""),
        ]
    }

    private func row(_ line: Answer, _ currency: String) throws -> DataTable.Row {
        let sku = try line.text("sku")
        let price = try line.integer("price")
        let paid = try line.integer("amount")
        return DataTable.Row([
            Cell(line.optionalText("displayName") ?? shelf.name(sku)),
            .number(visit.locale.amount(price, currency)),
            .number(
                visit.locale.amount(paid, currency),
                detail: line.optionalText("offerMode") == nil ? nil : visit.words.withOffer),
        ])
    }
}

import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules
import Timeline

extension Console {
    /// A subscription's life, and what can be done with it.
    var subscriptionPages: [Endpoint<StoreSite>] {
        [subscription, subscriptionRequests] + subscriptionActions
    }

    private var subscriptionRequests: Endpoint<StoreSite> {
        page("subscriptions/{id}/requests", "subscriptionRequests") { visit in
            try await SubscriptionOutlook(visit: visit, id: visit.part("id")).requestsPage
        }
    }

    private var subscription: Endpoint<StoreSite> {
        page("subscriptions/{id}", "subscription") { visit in
            typealias Words = ConsoleWords.Subscription
            let one = try await SubscriptionView(visit, id: visit.part("id"))
            return Page(
                "\(one.life.account) · \(try one.answer.text("productId"))",
                badge: visit.stateCell(one.life.state),
                lead: try one.nowAndWhy,
                trail: [
                    PageLink(ConsoleWords.Customers.title, ConsolePath.customers),
                    PageLink(one.life.account, ConsolePath.customer(one.life.account)),
                ],
                try await one.blocks)
        }
    }
}

/// What the page of a subscription shows.
struct SubscriptionView {
    let visit: Visit
    let id: String
    /// What `/connect` says of it.
    let answer: Answer
    let life: Life

    private typealias Words = ConsoleWords.Subscription

    /// So many entries of the life are listed on one page, newest last.
    private static let listed = 40
    /// So many pages of the timeline are read at a time.
    private static let pageSize = 1000

    init(_ visit: Visit, id: String) async throws {
        self.visit = visit
        self.id = id
        let path = StorePath("connect", "v1", "subscriptions", id)
        answer = try await visit.desk.get(path)
        let now = try await visit.desk.get(StorePath("connect", "v1", "clock")).moment("now")
        life = try Life(
            answer, entries: try await Self.entries(of: id, at: visit.desk), now: now,
            figures: visit.locale.figures)
    }

    private static func entries(of id: String, at desk: ConnectDesk) async throws -> [Answer] {
        var entries: [Answer] = []
        while true {
            let page = try await desk.get(
                StorePath("connect", "v1", "subscriptions", id, "timeline")
                    .with("after", try entries.last?.text("sequence"))
                    .with("limit", String(pageSize)))
            entries += try page.list("entries")
            if try !page.bool("hasMore") { return entries }
        }
    }

    /// What is true now, and what comes next, in a sentence.
    var nowAndWhy: String {
        get throws {
            let access = try answer.bool("entitled") ? Words.hasAccess : Words.hasNoAccess
            return "\(access) \(Words.condition(life.condition))"
        }
    }

    var blocks: [any PageBlock] {
        get async throws {
            var blocks: [any PageBlock] = [try facts]
            if let figure = LifeFigure(life)?.figure { blocks.append(figure) }
            if let next = try next { blocks.append(next) }
            let outlook = SubscriptionOutlook(visit: visit, id: life.id)
            if let bill = try await outlook.bill {
                blocks += [bill, try await outlook.changes]
            }
            blocks.append(actions)
            if let requests = try await outlook.requests { blocks.append(requests) }
            blocks.append(chronicle)
            blocks.append(try await notifications)
            blocks.append(try await ledger)
            blocks.append(same)
            return blocks
        }
    }

    // MARK: What is true now

    private var facts: Facts {
        get throws {
            let currency = try answer.text("currency")
            return Facts([
                (Words.customer, Cell(PageLink(life.account, ConsolePath.customer(life.account)))),
                (Words.app, Cell(try answer.text("bundleId"))),
                (
                    Words.product,
                    Cell(
                        PageLink(
                            try answer.text("productId"),
                            ConsolePath.product(
                                try answer.text("bundleId"), try answer.text("productId"))))
                ),
                (Words.storefront, Cell(try answer.text("storefront"))),
                (
                    Words.price,
                    Cell(
                        visit.locale.amount(life.price, currency),
                        detail: answer.optionalText("offerMode").map {
                            Words.offer($0, life.offer?.words)
                        })
                ),
                (
                    Words.period,
                    Cell(period(try answer.moment("periodStart"), try answer.moment("expires")))
                ),
                (
                    Words.renews,
                    .badge(
                        life.renewsAutomatically ? Words.yes : Words.no,
                        life.renewsAutomatically ? .good : .attention)
                ),
                (Words.graceUntil, answer.optionalMoment("graceUntil").map(visit.momentCell)),
                (Words.retryUntil, answer.optionalMoment("retryUntil").map(visit.momentCell)),
                (Words.ended, answer.optionalMoment("expired").map(visit.momentCell)),
                (Words.refunded, answer.optionalMoment("revoked").map(visit.momentCell)),
                (
                    Words.productDeleted,
                    answer.optionalMoment("productDeleted").map(visit.momentCell)
                ),
                (Words.renewals, Cell(visit.locale.number(life.renewals))),
                (Words.paid, Cell(life.paid)),
                (Words.identifier, .code(id)),
                (Words.transaction, .code(try answer.text("transactionId"))),
                (
                    Words.bill,
                    answer.optionalText("pendingBillId").map { .code($0, detail: Words.billWaits) }
                ),
            ])
        }
    }

    private func period(_ start: Instant, _ end: Instant) -> String {
        "\(visit.locale.moment(start)) – \(visit.locale.moment(end))"
    }

    // MARK: What comes next

    private var next: PageSection? {
        get throws {
            guard let at = answer.optionalMoment("nextEvent") else { return nil }
            let currency = answer.optionalText("nextCurrency") ?? life.currency
            let renews =
                life.state == "active" && life.renewsAutomatically && life.isNextForSale
                && !life.awaitsConsent && life.reachedLimit == nil
            var rows: [(label: String, value: Cell?)] = [
                (Words.when, visit.momentCell(at)),
                (
                    Words.what,
                    Cell(
                        life.awaitsConsent
                            ? Words.endsWithoutConsent : Words.next(life.state, renews: renews))
                ),
                (Words.owed, life.owed.map { Cell($0) }),
                (Words.nextOffer, life.nextOffer.map { Cell($0.words) }),
            ]
            // Of a merchant's plan each item's; of others the first line's.
            let increases =
                (try? answer.list("priceIncreases")) ?? (try? answer.object("priceIncrease"))
                .map { [$0] } ?? []
            for increase in increases {
                rows.append(
                    (
                        Words.increase,
                        Cell(
                            visit.locale.amount(try increase.integer("price"), currency),
                            detail: [
                                increases.count > 1 ? increase.optionalText("sku") : nil,
                                Words.phase(try increase.text("phase")),
                            ].compactMap(\.self).joined(separator: ": "))
                    ))
                rows.append(
                    (Words.increaseFrom, increase.optionalMoment("renewal").map(visit.momentCell)))
            }
            var blocks: [any PageBlock] = [Facts(rows)]
            if answer.value["priceIncrease"]?["path"] != nil {
                blocks.append(
                    LinkList([
                        PageLink(
                            Words.explain, ConsolePath.subscription(id, "price-increase"))
                    ]))
            }
            return PageSection(Words.nextTitle, id: "next", blocks)
        }
    }

    // MARK: What happened

    private var chronicle: PageSection {
        let isFolded = visit.asked("all") == nil
        let all = Chronicle(life, folds: isFolded).rows
        let first = max(0, all.count - Self.listed)
        let from = visit.asked("from").flatMap(Int.init).map { min(max($0, 0), first) } ?? first
        let shown = all[from..<min(from + Self.listed, all.count)]
        let fold = isFolded ? "" : "&all=1"
        let earlier =
            from > 0
            ? PageLink(
                Words.earlier,
                ConsolePath.subscription(id)
                    + "?from=\(max(0, from - Self.listed))\(fold)#life-list") : nil
        let other = PageLink(
            isFolded ? Words.unfold : Words.fold,
            ConsolePath.subscription(id) + (isFolded ? "?all=1" : "") + "#life-list")
        return PageSection(
            Words.chronicle, id: "life-list",
            about: first > 0 ? Words.range(from + 1, from + shown.count, of: all.count) : nil,
            [
                DataTable(
                    Words.chronicle,
                    columns: [Words.when, Words.what, Words.amount, Words.notice],
                    rows: shown.map(row), empty: Words.nothingHappened, more: earlier,
                    shown: .last(ConsoleWords.showEarlier)),
                LinkList([other]),
            ])
    }

    private func row(_ row: Chronicle.Row) -> DataTable.Row {
        guard case .event(let event) = row else {
            return DataTable.Row([.none, Cell(row.summary(dots: "…") ?? ""), .none, .none])
        }
        return DataTable.Row([
            visit.momentCell(event.at), Cell(event.text, detail: detail(of: event)),
            .number(event.amount), Cell(event.notices.joined(separator: ", ")),
        ])
    }

    private func detail(of event: TimelineEvent) -> String? {
        let notes = event.notes.map(\.line)
        let parts = event.transactionID.map { [Words.ofTransaction($0)] } ?? []
        let all = parts + notes
        return all.isEmpty ? nil : all.joined(separator: " · ")
    }

    private var notifications: PageSection {
        get async throws {
            let path = StorePath("connect", "v1", "notifications")
                .with("originalTransactionId", id)
            let page = try await visit.desk.get(path.with("limit", "20"))
            return PageSection(
                Words.notifications, id: "notifications",
                [
                    try visit.notificationTable(page.list("notifications"), isFolded: true),
                    LinkList([
                        PageLink(
                            ConsoleWords.Mailbox.ofSubscription,
                            StorePath("console", "mailbox").with("account", life.account)
                                .with("subscription", id).text)
                    ]),
                ])
        }
    }

    private var ledger: PageSection {
        get async throws {
            let page = try await visit.desk.get(
                StorePath("connect", "v1", "ledger").with("account", life.account)
                    .with("order", "newestFirst").with("limit", "20"))
            let all = StorePath("console", "money").with("account", life.account).text
            return PageSection(
                Words.ledger, id: "ledger", about: ConsoleWords.Money.ledgerAbout,
                [
                    try visit.ledgerTable(
                        page.list("entries"), isFolded: true,
                        more: page.bool("hasMore") ? PageLink(Words.wholeLedger, all) : nil)
                ])
        }
    }

    private var same: SameElsewhere {
        let path = StorePath("connect", "v1", "subscriptions", id)
        let outlook = SubscriptionOutlook(visit: visit, id: life.id)
        return SameElsewhere(
            isSandbox: visit.isSandbox,
            [SameCall(Words.sameNow, .get, path, command: ["status", id])] + outlook.calls + [
                outlook.requestsCall,
                SameCall(
                    Words.chronicle, .get,
                    StorePath("connect", "v1", "subscriptions", id, "timeline"),
                    command: ["timeline", id]),
                SameCall(
                    Words.notifications, .get,
                    StorePath("connect", "v1", "notifications").with("originalTransactionId", id),
                    command: ["notifications", id]),
                SameCall(
                    Words.ledger, .get,
                    StorePath("connect", "v1", "ledger").with("account", life.account),
                    command: ["money", "ledger", life.account]),
            ])
    }
}

extension TimelineEvent.Note {
    /// The words with their amount.
    var line: String { amount.isEmpty ? text : "\(text) \(amount)" }
}

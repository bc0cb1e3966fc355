import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP
import SubscriptionRules

extension MerchantConsole {
    /// Who the merchant's customers are, and what each has.
    var customerPages: [Endpoint<MerchantSite>] { [customers, customer, events] }

    private typealias Words = MerchantWords.Customers

    private var customers: Endpoint<MerchantSite> {
        page("customers", "customers") { visit in
            let names = ["app", "search", "entitlement", "state"]
            let path = names.reduce(StorePath("v1", "operator", "customers")) {
                $0.with($1, visit.asked($1))
            }
            let here = names.reduce(StorePath(encoded: MerchantPath.customers)) {
                $0.with($1, visit.asked($1))
            }
            let answer = try await visit.desk.get(path.with("after", visit.asked("after")))
            let next = answer.value["next"]?.string
            return Page(
                Words.title, lead: Words.lead,
                [
                    visit.customerFilter,
                    DataTable(
                        Words.title,
                        columns: [Words.account, Words.app, Words.unlocked, Words.version],
                        rows: try answer.list("customers").map { try visit.customerRow($0) },
                        empty: next == nil ? Words.nobody : Words.nobodyHere,
                        more: next.map {
                            PageLink(MerchantWords.more, here.with("after", $0).text)
                        }),
                    visit.same(
                        MerchantCall(
                            Words.title, .get, path, command: ["merchant", "customers"])),
                ])
        }
    }

    private var customer: Endpoint<MerchantSite> {
        page("customers/{app}/{account}", "customer") { visit in
            let (app, account) = (try visit.part("app"), try visit.part("account"))
            let path = StorePath("v1", "apps", app, "accounts", account)
            let whyPath = StorePath("v1", "apps", app, "accounts", account, "why")
            let customer = try await visit.desk.get(path)
            let why = try await visit.desk.get(whyPath)
            var blocks: [any PageBlock] = [
                Facts([
                    (Words.app, Cell(app)),
                    (Words.version, try visit.numberCell(customer, "version")),
                    (Words.asOf, visit.momentCell(customer, "asOf")),
                    (
                        Words.nextChange,
                        customer.optionalMoment("nextChange").map { visit.momentCell($0) }
                    ),
                ]),
                PageSection(
                    Words.entitlements, id: "entitlements",
                    [try visit.entitlementTable(customer)]),
            ]
            let balances = try customer.numbers("balances")
            if !balances.isEmpty {
                let rows = balances.map { one in
                    DataTable.Row([
                        Cell(one.name), .number(visit.locale.number(Int(one.number))),
                    ])
                }
                blocks.append(
                    PageSection(
                        Words.balances, id: "balances", about: Words.balancesAbout,
                        [
                            DataTable(
                                Words.balances, columns: [Words.product, Words.left], rows: rows,
                                empty: "")
                        ]))
            }
            blocks += try visit.storySections(why)
            blocks += try visit.transferSection(why)
            blocks += [
                LinkList([PageLink(Words.allEvents, MerchantPath.customer(app, account, "events"))]
                ),
                visit.same(
                    MerchantCall(
                        Words.entitlements, .get, path, command: ["merchant", "status", account]),
                    MerchantCall(
                        Words.why, .get, whyPath, command: ["merchant", "why", account])),
            ]
            return Page(
                account, trail: [PageLink(Words.title, MerchantPath.customers)], blocks)
        }
    }

    private var events: Endpoint<MerchantSite> {
        page("customers/{app}/{account}/events", "events") { visit in
            let (app, account) = (try visit.part("app"), try visit.part("account"))
            let names = ["entitlement", "purchase", "environment"]
            let path = names.reduce(
                StorePath("v1", "apps", app, "accounts", account, "events")
            ) { $0.with($1, visit.asked($1)) }
            let own = MerchantPath.customer(app, account, "events")
            let here = names.reduce(StorePath(encoded: own)) { $0.with($1, visit.asked($1)) }
            let answer = try await visit.desk.get(path.with("before", visit.asked("before")))
            let events = try answer.list("events")
            return Page(
                Words.events,
                trail: [
                    PageLink(Words.title, MerchantPath.customers),
                    PageLink(account, MerchantPath.customer(app, account)),
                ],
                [
                    visit.eventFilter(own),
                    DataTable(
                        Words.events, columns: MerchantVisit.eventColumns,
                        rows: try events.map { try visit.eventRow($0) }, empty: Words.noEvents,
                        more: try visit.more(answer, events.last, here.text)),
                    visit.same(
                        MerchantCall(
                            Words.events, .get, path, command: ["merchant", "events", account])),
                ])
        }
    }
}

extension MerchantVisit {
    fileprivate var customerFilter: PageForm {
        typealias Words = MerchantWords.Customers
        return PageForm(
            .ask, action: MerchantPath.customers, button: MerchantWords.filter,
            fields: [
                Field("search", Words.search, .search, in: "filter", value: asked("search") ?? ""),
                Field("app", Words.app, .search, in: "filter", value: asked("app") ?? ""),
                Field(
                    "entitlement", Words.entitlement, .search, in: "filter",
                    value: asked("entitlement") ?? ""),
                Field(
                    "state", Words.access, .choice(Words.states), in: "filter",
                    value: asked("state") ?? ""),
            ])
    }

    fileprivate func eventFilter(_ action: String) -> PageForm {
        typealias Words = MerchantWords.Customers
        return PageForm(
            .ask, action: action, button: MerchantWords.filter,
            fields: [
                Field(
                    "entitlement", Words.entitlement, .search, in: "filter",
                    value: asked("entitlement") ?? ""),
                Field(
                    "purchase", Words.purchase, .search, in: "filter",
                    value: asked("purchase") ?? ""),
                Field(
                    "environment", Words.environment, .choice(MerchantWords.environments),
                    in: "filter", value: asked("environment") ?? ""),
            ])
    }

    fileprivate func customerRow(_ one: Answer) throws -> DataTable.Row {
        let (app, account) = (try one.text("bundleId"), try one.text("account"))
        let entitlements = try one.list("entitlements")
        let granted = try entitlements.filter { try $0.bool("granted") }
        let names = try granted.map { try $0.text("id") }.joined(separator: ", ")
        let link = Cell.name(PageLink(account, MerchantPath.customer(app, account)))
        return DataTable.Row([
            link, Cell(app),
            granted.isEmpty
                ? .badge(MerchantWords.Customers.nothingUnlocked, .quiet)
                : .badge(names, .good),
            try numberCell(one, "version"),
        ])
    }

    /// Each entitlement, and why the customer has it, or has it not.
    fileprivate func entitlementTable(_ customer: Answer) throws -> DataTable {
        typealias Words = MerchantWords.Customers
        let rows = try customer.list("entitlements").map { one in
            let renews = one.value["willRenew"]?.bool
            return DataTable.Row([
                Cell(try one.text("id")), try accessCell(one), momentCell(one, "until"),
                Cell(renews == nil ? "" : renews == true ? Words.renews : Words.ends),
                Cell(try one.text("productId"), detail: try one.text("ownership")),
                .code(try one.text("transactionId")), Cell(try one.text("environment")),
            ])
        }
        return DataTable(
            Words.entitlements,
            columns: [
                Words.entitlement, Words.access, Words.until, Words.then, Words.product,
                Words.transaction, Words.environment,
            ], rows: rows, empty: Words.noEntitlement)
    }

    /// Whether there is access, with the reason.
    func accessCell(_ one: Answer) throws -> Cell {
        let reason = MerchantWords.Customers.reason(try one.text("reason"))
        return try one.bool("granted") ? .badge(reason, .good) : .badge(reason, .bad)
    }

    // MARK: Events

    static let eventColumns = [
        MerchantWords.Customers.when, MerchantWords.Customers.event,
        MerchantWords.Customers.purchase, MerchantWords.Customers.restsOn,
    ]

    /// An event with the notifications that it rests on.
    func eventRow(_ event: Answer) throws -> DataTable.Row {
        typealias Words = MerchantWords.Customers
        let sentence = try StorySentence.of(event) { locale.moment($0) }
        let notices = try event.list("notifications").map { one in
            let subtype = one.optionalText("subtype").map { "/\($0)" } ?? ""
            return "\(try one.text("type"))\(subtype) \(try one.text("notificationUUID"))"
        }
        return DataTable.Row([
            momentCell(event, "at"),
            Cell(sentence, detail: try event.bool("isAhead") ? Words.ahead : nil),
            .code(
                try event.text("originalTransactionId"), detail: try event.text("environment")),
            Cell(notices.joined(separator: ", ")),
        ])
    }

    /// Each purchase with the drawing of its life and its story.
    fileprivate func storySections(_ why: Answer) throws -> [any PageBlock] {
        let now = try why.moment("asOf")
        var sections: [any PageBlock] = []
        for (place, purchase) in try why.list("purchases").enumerated() {
            sections.append(try storySection(purchase, number: place + 1, at: now))
        }
        return sections
    }

    /// How purchases came from other accounts, or went to them; none where they did not.
    fileprivate func transferSection(_ why: Answer) throws -> [any PageBlock] {
        typealias Words = MerchantWords.Customers
        let rows = try TransferSentence.all(in: why).map { one in
            DataTable.Row([momentCell(one.transfer, "at"), Cell(one.sentence)])
        }
        guard !rows.isEmpty else { return [] }
        return [
            PageSection(
                Words.transfers, id: "transfers",
                [
                    DataTable(
                        Words.transfers, columns: [Words.when, Words.event], rows: rows, empty: "")
                ])
        ]
    }

    private func storySection(
        _ purchase: Answer, number: Int, at now: Instant
    ) throws -> PageSection {
        typealias Words = MerchantWords.Customers
        let id = try purchase.text("originalTransactionId")
        let unlocks = purchase.texts("entitlements").joined(separator: ", ")
        let story = try purchase.list("story")
        var blocks: [any PageBlock] = [
            Facts([
                (Words.access, try accessCell(purchase)),
                (Words.until, purchase.optionalMoment("until").map { momentCell($0) }),
                (Words.unlocks, Cell(unlocks.isEmpty ? Words.counted : unlocks)),
                (Words.purchase, .code(id)),
                (Words.transaction, .code(try purchase.text("transactionId"))),
                (Words.environment, Cell(try purchase.text("environment"))),
                (Words.sources, .code(purchase.texts("sources").joined(separator: ", "))),
            ])
        ]
        if let sketch = try StorySketch(story, at: now).sketch {
            blocks.append(
                StoryFigure(sketch, now: now, locale: locale, number: number).figure)
        }
        blocks += [
            DataTable(
                Words.story, columns: Self.eventColumns,
                rows: try story.map { try eventRow($0) }, empty: Words.noEvents,
                shown: .last(Words.showEarlier)),
            try noticeTable(purchase),
        ]
        return PageSection(
            try purchase.text("productId"), id: "purchase-\(number)",
            about: Words.whyAbout, blocks)
    }

    /// The notifications about a purchase.
    private func noticeTable(_ purchase: Answer) throws -> DataTable {
        typealias Words = MerchantWords.Customers
        let rows = try purchase.list("notifications").map { one in
            DataTable.Row([
                momentCell(one, "signedDate"), try typeCell(one),
                .code(try one.text("notificationUUID")),
                noticeStateCell(try one.text("state"), one.optionalText("problem")),
            ])
        }
        return DataTable(
            Words.notices, columns: [Words.signed, Words.type, Words.uuid, Words.state],
            rows: rows, empty: Words.noNotices, hidesCaption: false,
            shown: .last(Words.showEarlier))
    }
}

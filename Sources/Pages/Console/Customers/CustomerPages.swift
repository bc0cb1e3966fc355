import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Console {
    /// Who buys here.
    var customerPages: [Endpoint<StoreSite>] { [customers, customer, setPaymentMethod] }

    /// All customers, page by page, or what a search finds.
    private var customers: Endpoint<StoreSite> {
        page("customers", "customers") { visit in
            typealias Words = ConsoleWords.Customers
            let typed = try FormInput(visit.call.query)
            let asked = typed.text("q")
            var blocks: [any PageBlock] = [
                PageForm(
                    .ask, action: ConsolePath.customers, button: Words.search,
                    fields: [
                        Field(
                            "q", Words.searchFor, .search, in: "search", value: typed["q"],
                            hint: Words.searchHint)
                    ])
            ]
            if let asked {
                blocks += try await visit.matches(of: asked)
            } else {
                blocks += try await visit.customerList()
                blocks.append(
                    PageSection(
                        Words.signUp, id: "sign-up", about: Words.signUpAbout,
                        [visit.signUpForm]))
            }
            return Page(Words.title, blocks)
        }
    }

    /// One customer, with everything bought.
    private var customer: Endpoint<StoreSite> {
        page("customers/{account}", "customer") { visit in try await visit.customerPage() }
    }

    /// Lets the customer's payments be declined, or go well again.
    private var setPaymentMethod: Endpoint<StoreSite> {
        action("customers/{account}/payment-method", "setPaymentMethod") { visit, form in
            let account = try visit.part("account")
            let count = try form.number("count", ConsoleWords.Customers.count)
            _ = try await visit.desk.send(
                .put, StorePath("connect", "v1", "customers", account, "payment-method")
            ) { json in
                json.field("behaviour", form["behaviour"])
                json.field("count", count)
            }
            return ConsolePath.customer(account)
        }
    }
}

extension Visit {
    /// So many of a list on one page.
    static let pageSize = 50

    fileprivate func customerList() async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Customers
        let path = StorePath("connect", "v1", "customers")
        let answer = try await desk.get(
            path.with("after", asked("after")).with("limit", String(Visit.pageSize)))
        let customers = try answer.list("customers").map { try $0.customer }
        let last = customers.last.map { String($0.id) }
        let more =
            try answer.bool("hasMore")
            ? PageLink(
                Words.moreCustomers,
                StorePath("console", "customers").with("after", last).text) : nil
        return [
            DataTable(
                Words.title,
                columns: [Words.account, Words.storefront, Words.since, Words.payment],
                rows: customers.map { customer in
                    DataTable.Row([
                        Cell(PageLink(customer.account, ConsolePath.customer(customer.account))),
                        Cell(customer.storefront.code), momentCell(customer.created),
                        paymentCell(customer.payment),
                    ])
                }, empty: Words.nobody, more: more),
            same(
                SameCall(Words.title, .get, path, command: ["customer", "list"])),
        ]
    }

    /// What a search finds: an account, or what a number names.
    fileprivate func matches(of text: String) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Customers
        let path = StorePath("connect", "v1", "search").with("q", text)
        let answer = try await desk.get(path)
        let rows = try answer.list("matches").map { match in
            let account = try match.text("account")
            let subscription = match.optionalText("originalTransactionId")
            return DataTable.Row([
                Cell(Words.kind(try match.text("kind"))),
                Cell(PageLink(account, ConsolePath.customer(account))),
                match.optionalText("productId").map { Cell($0) } ?? .none,
                subscription.map { Cell.code($0).linked(to: ConsolePath.subscription($0)) }
                    ?? .none,
                match.optionalText("state").map(stateCell) ?? .none,
                momentCell(match, "nextEvent"),
            ])
        }
        return [
            DataTable(
                Words.found,
                columns: [
                    Words.foundBy, Words.account, Words.product, Words.subscription, Words.state,
                    Words.nextEvent,
                ], rows: rows, empty: Words.nothingFound(text), hidesCaption: false),
            LinkList([PageLink(Words.all, ConsolePath.customers)]),
            same(SameCall(Words.found, .get, path, command: nil)),
        ]
    }

    /// A customer with everything bought, and all that can be set.
    func customerPage() async throws -> Page {
        typealias Words = ConsoleWords.Customers
        let account = try part("account")
        let path = StorePath("connect", "v1", "customers", account)
        let answer = try await desk.get(path)
        let customer = try answer.customer
        return Page(
            account, lead: nil, trail: [PageLink(Words.title, ConsolePath.customers)],
            [
                customerFacts(customer), try await customerLinks(account),
                PageSection(
                    Words.subscriptions, id: "subscriptions",
                    [try subscriptionTable(answer, customer)]),
                sharedSection(customer),
                PageSection(Words.purchases, id: "purchases", [purchaseTable(customer)]),
                PageSection(
                    Words.buy, id: "buy", about: Words.buyAbout, [try await buyForm(account)]),
                PageSection(
                    Words.payment, id: "payment", about: Words.paymentAbout,
                    paymentForms(customer, account)),
                try await deviceSection(account), accountSection(customer, account),
                same(
                    SameCall(Words.thisPage, .get, path, command: ["status", account]),
                    SameCall(
                        Words.payment, .put,
                        StorePath("connect", "v1", "customers", account, "payment-method"),
                        body: #"{"behaviour":"decline"}"#, command: ["pay", account, "decline"]),
                    SameCall(
                        ConsoleWords.Account.save, .patch, path,
                        body: #"{"\#(CustomerForm.asksToBuy.name)":true}"#,
                        command: ["customer", "set", account, "--asks-to-buy", "on"])),
            ])
    }

    fileprivate func customerFacts(_ customer: CustomerSheet) -> Facts {
        typealias Words = ConsoleWords.Customers
        return Facts([
            (Words.storefront, Cell(customer.storefront.code)),
            (Words.locale, Cell(customer.locale)),
            (Words.email, customer.email.map { Cell($0) }),
            (Words.since, momentCell(customer.created)),
            (Words.speed, isSandbox ? Cell(Words.minutes(customer.speed.rawValue)) : nil),
            (Words.payment, paymentCell(customer.payment)),
        ])
    }

    /// What else there is about a customer.
    fileprivate func customerLinks(_ account: String) async throws -> LinkList {
        typealias Words = ConsoleWords.Customers
        let families = try await desk.get(
            StorePath("connect", "v1", "families").with("account", account)
        ).list("families")
        let family = try families.first.map {
            PageLink(Words.family, ConsolePath.family(try $0.text("id")))
        }
        return LinkList(
            [
                family
                    ?? PageLink(
                        ConsoleWords.Families.make,
                        StorePath("console", "families", "new").with("organiser", account).text),
                PageLink(
                    ConsoleWords.Requests.title,
                    StorePath("console", "requests").with("account", account).text),
                PageLink(
                    ConsoleWords.Mailbox.title,
                    StorePath("console", "mailbox").with("account", account).text),
                PageLink(
                    ConsoleWords.Notifications.title,
                    StorePath("console", "notifications").with("account", account).text),
            ], label: Words.more)
    }

    fileprivate func subscriptionTable(
        _ answer: Answer, _ customer: CustomerSheet
    ) throws -> DataTable {
        typealias Words = ConsoleWords.Customers
        return DataTable(
            Words.subscriptions,
            columns: [
                Words.product, Words.state, Words.price, Words.expires, Words.nextEvent,
                Words.subscription,
            ],
            rows: try answer.list("subscriptions").map { one in
                let id = try one.text("originalTransactionId")
                let price = locale.amount(try one.integer("price"), try one.text("currency"))
                return DataTable.Row([
                    Cell(PageLink(try one.text("productId"), ConsolePath.subscription(id))),
                    stateCell(try one.text("state")), .number(price), momentCell(one, "expires"),
                    momentCell(one, "nextEvent"), .code(id),
                ])
            },
            empty: customer.shared?.isEmpty != false
                ? Words.noSubscriptions : Words.noOwnSubscriptions)
    }

    /// What others of the family share with the customer, or shared.
    private func sharedSection(_ customer: CustomerSheet) -> PageSection {
        typealias Words = ConsoleWords.Customers
        let table = DataTable(
            Words.shared,
            columns: [
                Words.product, Words.sharedBy, Words.access, Words.expires, Words.sharedSince,
                Words.sharingEnded,
            ],
            rows: (customer.shared ?? []).map { one in
                DataTable.Row([
                    one.expires == nil
                        ? Cell(one.productID)
                        : Cell(
                            PageLink(
                                one.productID, ConsolePath.subscription(String(one.source)))),
                    Cell(PageLink(one.purchaser, ConsolePath.customer(one.purchaser))),
                    Cell(one.isEntitled ? Words.hasAccess : Words.hasNoAccess),
                    one.expires.map(momentCell) ?? .none, momentCell(one.since),
                    one.ended.map(momentCell) ?? .none,
                ])
            }, empty: Words.nothingShared)
        return PageSection(Words.shared, id: "shared", [table])
    }

    fileprivate func purchaseTable(_ customer: CustomerSheet) -> DataTable {
        typealias Words = ConsoleWords.Customers
        return DataTable(
            Words.purchases,
            columns: [Words.product, Words.quantity, Words.price, Words.bought, Words.refunded],
            rows: (customer.purchases ?? []).map { one in
                DataTable.Row([
                    Cell(one.productID, detail: String(one.transactionID)),
                    .number(locale.number(one.quantity)),
                    .number(locale.amount(one.price, one.currency)),
                    momentCell(one.purchased), one.revoked.map(momentCell) ?? .none,
                ])
            }, empty: Words.noPurchases)
    }

    fileprivate func paymentForms(
        _ customer: CustomerSheet, _ account: String
    ) -> [any PageBlock] {
        typealias Words = ConsoleWords.Customers
        let action = StorePath("console", "customers", account, "payment-method").text
        if customer.payment.behaviour != .approve {
            return [
                PageForm(
                    .change, action: action, button: Words.approve, about: Words.approveAbout,
                    hidden: [FormID.hidden(), Preview.hidden, .init("behaviour", "approve")])
            ]
        }
        return [
            PageForm(
                .change, action: action, button: Words.change,
                hidden: [FormID.hidden(), Preview.hidden],
                fields: [
                    Field(
                        "behaviour", Words.behaviour, .choice(Words.behaviours), in: "payment",
                        value: typed("behaviour", or: "decline")),
                    Field(
                        "count", Words.count, in: "payment", value: typed("count"),
                        hint: Words.countHint),
                ])
        ]
    }
}

extension Answer {
    /// What it tells of an account.
    fileprivate var customer: CustomerSheet {
        get throws { try read(CustomerForm.customer, into: CustomerSheet()) }
    }
}

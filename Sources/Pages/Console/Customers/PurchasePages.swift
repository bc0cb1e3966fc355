import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules
import Timeline

extension Console {
    /// Signing customers up, and buying in their place.
    var purchasePages: [Endpoint<StoreSite>] { [signUp, purchase, buy] }

    /// How a purchase is refused that waits until somebody settles what interrupted it.
    private static let interrupted = "purchaseInterrupted"

    private var signUp: Endpoint<StoreSite> {
        action("sign-up", "signUp") { visit, form in
            let app = try await visit.app()
            let answer = try await visit.desk.send(
                .post, StorePath("storefront", "v1", "sign-in")
            ) { json in
                json.field("bundleId", app)
                json.field("account", form["account"])
                json.field("storefront", form.text("storefront")?.uppercased())
                json.field("device", "console")
            }
            return ConsolePath.customer(try answer.text("account"))
        }
    }

    /// What a purchase would do, and the button that makes it.
    private var purchase: Endpoint<StoreSite> {
        page("customers/{account}/buy", "purchase") { visit in
            typealias Words = ConsoleWords.Customers
            let account = try visit.part("account")
            let product = visit.asked("product") ?? ""
            let preview: [any PageBlock]
            do {
                let answer = try await visit.buy(product, account, rehearses: true)
                preview = [
                    try visit.previewTable(answer.list("entries"), of: account, product),
                    visit.buyButton(product, account),
                    visit.same(
                        SameCall(
                            Words.buy, .post, StorePath("storefront", "v1", "purchases"),
                            body: #"{"productId":"\#(product)"}"#,
                            command: ["buy", product, "--account", account])),
                ]
            } catch let refusal as ConnectRefusal where refusal.code == Self.interrupted {
                preview = [
                    Notice(.attention, Words.willBeInterrupted),
                    visit.buyButton(product, account),
                ]
            } catch let refusal as ConnectRefusal {
                preview = [Notice(.bad, refusal.message, id: "problem")]
            }
            return Page(
                Words.buys(product),
                trail: [
                    PageLink(Words.title, ConsolePath.customers),
                    PageLink(account, ConsolePath.customer(account)),
                ],
                [
                    PageSection(
                        ConsoleWords.Acts.previewTitle, id: "preview",
                        about: ConsoleWords.Acts.previewAbout, preview)
                ])
        }
    }

    private var buy: Endpoint<StoreSite> {
        action("customers/{account}/buy", "buy") { visit, form in
            let account = try visit.part("account")
            do {
                let bought = try await visit.buy(form["product"], account, rehearses: false)
                guard let request = bought.optionalText("requestId") else {
                    return ConsolePath.customer(account)
                }
                return ConsolePath.request(request) + "?\(DoneWord.field)=waits"
            } catch let refusal as ConnectRefusal where refusal.code == Self.interrupted {
                // It is kept all the same, and waits until somebody settles it.
                return StorePath("console", "requests").with("account", account)
                    .with(DoneWord.field, "interrupted").text
            }
        }
    }
}

extension Visit {
    fileprivate func buy(
        _ product: String, _ account: String, rehearses: Bool
    ) async throws -> Answer {
        var json = JSONWriter()
        json.object { $0.field("productId", product) }
        return try await desk.ask(
            .post, StorePath("storefront", "v1", "purchases"), json.bytes,
            actingFor: StoreSite.Account(account, bundleID: try await app()),
            rehearses: rehearses)
    }

    fileprivate func buyButton(_ product: String, _ account: String) -> PageForm {
        PageForm(
            .change, action: ConsolePath.customer(account, "buy"),
            button: ConsoleWords.Customers.buys(product),
            hidden: [FormID.hidden(), .init("product", product)],
            way: PageLink(ConsoleWords.Acts.leaveIt, ConsolePath.customer(account)))
    }

    fileprivate func previewTable(
        _ entries: [Answer], of account: String, _ product: String
    ) throws -> DataTable {
        var life = Life(
            id: "", account: account, productID: product, state: "active",
            renewsAutomatically: true, expires: nil, price: 0, currency: "",
            entries: try entries.map { try $0.timelineEntry }, now: .latest)
        life.figures = locale.figures
        return eventTable(life.events)
    }

    /// What would happen, as the journal would say it.
    func eventTable(_ events: some Sequence<TimelineEvent>) -> DataTable {
        typealias Words = ConsoleWords.Subscription
        return DataTable(
            ConsoleWords.Acts.previewTitle,
            columns: [Words.when, Words.what, Words.amount, Words.notice],
            rows: events.map { event in
                DataTable.Row([
                    momentCell(event.at),
                    Cell(
                        event.text,
                        detail: event.notes.isEmpty
                            ? nil : event.notes.map(\.line).joined(separator: " · ")),
                    .number(event.amount), Cell(event.notices.joined(separator: ", ")),
                ])
            }, empty: ConsoleWords.Acts.changesNothing)
    }

    /// A form that signs somebody up.
    var signUpForm: PageForm {
        typealias Words = ConsoleWords.Customers
        return PageForm(
            .change, action: "/console/sign-up", button: Words.signUp,
            hidden: [FormID.hidden()],
            fields: [
                Field(
                    "account", Words.name, in: "signup", value: typed("account"),
                    isRequired: true),
                Field(
                    "storefront", Words.home, in: "signup", value: typed("storefront"),
                    hint: Words.homeHint),
            ])
    }

    /// A form that asks what a customer buys.
    func buyForm(_ account: String) async throws -> PageForm {
        typealias Words = ConsoleWords.Customers
        let catalogue = try await desk.get(
            StorePath("connect", "v1", "apps", try await app(), "catalogue"))
        let products = try catalogue.list("products").filter { try $0.bool("forSale") }
        return PageForm(
            .ask, action: ConsolePath.customer(account, "buy"), button: ConsoleWords.Acts.see,
            fields: [
                Field(
                    "product", Words.product,
                    .choice(
                        try products.map { product in
                            let id = try product.text("id")
                            let kind = ConsoleWords.happening(try product.text("type"))
                            let period = try? product.object("subscription").text("period")
                            return (id, Words.sold(id, kind, period: period))
                        }), in: "buy", value: typed("product"))
            ])
    }
}

import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP

extension MerchantConsole {
    /// What an app earns, and the transactions behind it.
    var figurePages: [Endpoint<MerchantSite>] { [figures, transactions] }

    private typealias Words = MerchantWords.Figures

    private var figures: Endpoint<MerchantSite> {
        page("figures", "figures") { visit in
            let served = try await visit.servedApps()
            guard let app = visit.asked("app") ?? served.first else {
                return Page(Words.title, [Prose(Words.noApp)])
            }
            let environment = visit.asked("environment") ?? "Production"
            let path = StorePath("v1", "operator", "apps", app, "figures")
                .with("environment", environment).with("days", visit.asked("days"))
            let found = try await visit.desk.get(path)
            let days = try found.list("days").map { try RevenueDay($0) }
            var blocks: [any PageBlock] = [
                visit.figureFilter(served, app, environment),
                Facts([
                    (Words.asOf, visit.momentCell(found, "asOf")),
                    (Words.active, try visit.numberCell(found, "active")),
                    (Words.trials, try visit.numberCell(found, "trials")),
                ]),
            ]
            for (place, currency) in Set(days.map(\.currency)).sorted().enumerated() {
                let own = days.filter { $0.currency == currency }
                blocks.append(
                    RevenueFigure(own, currency, visit.locale, number: place + 1).figure)
            }
            blocks += [
                PageSection(
                    Words.revenue, id: "revenue", about: Words.revenueAbout,
                    [visit.revenueTable(days, app, environment)]),
                visit.same(MerchantCall(Words.title, .get, path, command: nil)),
            ]
            return Page(Words.title, lead: Words.lead, blocks)
        }
    }

    private var transactions: Endpoint<MerchantSite> {
        page("figures/{app}/transactions", "transactions") { visit in
            let app = try visit.part("app")
            let names = ["environment", "day", "currency"]
            let path = names.reduce(StorePath("v1", "operator", "apps", app, "transactions")) {
                $0.with($1, visit.asked($1))
            }
            let own = MerchantPath.transactions(app)
            let here = names.reduce(StorePath(encoded: own)) { $0.with($1, visit.asked($1)) }
            let answer = try await visit.desk.get(path.with("after", visit.asked("after")))
            let found = try answer.list("transactions")
            return Page(
                visit.asked("day").map { Words.of($0) } ?? Words.transactions,
                trail: [
                    PageLink(
                        Words.title,
                        StorePath(encoded: MerchantPath.figures)
                            .with("app", app).with("environment", visit.asked("environment")).text)
                ],
                [
                    DataTable(
                        Words.transactions,
                        columns: [
                            Words.bought, Words.product, Words.price, Words.account,
                            Words.subscription, Words.transaction, Words.expires, Words.revoked,
                        ], rows: try found.map { try visit.transactionRow($0, app) },
                        empty: Words.none,
                        more: try visit.more(answer, found.last, here.text, "after")),
                    visit.same(MerchantCall(Words.transactions, .get, path, command: nil)),
                ])
        }
    }
}

/// What was bought on a day in one currency.
struct RevenueDay: Sendable {
    let day: String
    let currency: String
    let transactions: Int64
    let revenue: Int64
    let refunded: Int64

    init(_ answer: Answer) throws {
        day = try answer.text("day")
        currency = try answer.text("currency")
        transactions = try answer.integer("transactions")
        revenue = try answer.integer("revenue")
        refunded = try answer.integer("refunded")
    }
}

extension MerchantVisit {
    /// The apps that the merchant serves.
    fileprivate func servedApps() async throws -> [String] {
        let health = try await desk.get(StorePath("v1", "operator", "overview"))
        return Set(try health.list("sources").map { try $0.text("bundleId") }).sorted()
    }

    fileprivate func figureFilter(
        _ apps: [String], _ app: String, _ environment: String
    ) -> PageForm {
        typealias Words = MerchantWords.Figures
        return PageForm(
            .ask, action: MerchantPath.figures, button: MerchantWords.filter,
            fields: [
                Field(
                    "app", Words.app, .choice(apps.map { (value: $0, text: $0) }), in: "filter",
                    value: app),
                Field(
                    "environment", Words.environment, .choice(Words.environments), in: "filter",
                    value: environment),
                Field("days", Words.days, in: "filter", value: asked("days") ?? "30"),
            ])
    }

    fileprivate func revenueTable(
        _ days: [RevenueDay], _ app: String, _ environment: String
    ) -> DataTable {
        typealias Words = MerchantWords.Figures
        let rows = days.reversed().map { one in
            let path = StorePath(encoded: MerchantPath.transactions(app))
                .with("environment", environment).with("day", one.day)
                .with("currency", one.currency)
            return DataTable.Row([
                Cell(PageLink(one.day, path.text)), Cell(one.currency),
                .number(locale.number(Int(one.transactions))),
                .number(locale.amount(one.revenue, one.currency)),
                .number(locale.amount(one.refunded, one.currency)),
            ])
        }
        return DataTable(
            Words.revenue,
            columns: [Words.day, Words.currency, Words.count, Words.amount, Words.refunded],
            rows: rows, empty: Words.noDays)
    }

    fileprivate func transactionRow(_ one: Answer, _ app: String) throws -> DataTable.Row {
        DataTable.Row([
            momentCell(one, "purchased"), Cell(try one.text("productId")),
            amountCell(one, "price", try one.text("currency")), accountCell(one, app),
            .code(try one.text("originalTransactionId")), .code(try one.text("transactionId")),
            momentCell(one, "expires"), momentCell(one, "revoked"),
        ])
    }
}

import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import StoreKitFile
import SubscriptionRules

extension Console {
    /// What is sold, and for how much.
    var cataloguePages: [Endpoint<StoreSite>] {
        [catalogue, product, schedulePrice, withdrawPrice] + availabilityPages + increasePages
    }

    private var catalogue: Endpoint<StoreSite> {
        page("catalogue", "catalogue") { visit in
            typealias Words = ConsoleWords.Catalogue
            let app = try await visit.app()
            let path = StorePath("connect", "v1", "apps", app, "catalogue")
            let answer = try await visit.desk.get(path)
            let changes = StorePath("connect", "v1", "apps", app, "price-changes")
            let scheduled = try await visit.desk.get(
                changes.with("before", visit.asked("before")).with("limit", "20"))
            let all = try scheduled.list("priceChanges")
            return Page(
                Words.title, lead: app,
                [
                    try visit.productTable(answer, app, prices: try await visit.prices(in: app)),
                    LinkList([
                        PageLink(Words.explainAnyone, ConsolePath.explain),
                        PageLink(Words.settings, ConsolePath.app(app)),
                    ]),
                    PageSection(
                        Words.changes, id: "changes",
                        [
                            try visit.changeTable(
                                all, app,
                                more: visit.more(
                                    scheduled,
                                    to: StorePath("console", "catalogue").with("app", app),
                                    "before", all.last?.text("id")))
                        ]),
                    visit.same(
                        SameCall(Words.title, .get, path, command: ["price", "list"]),
                        SameCall(
                            Words.changes, .get, changes, command: ["price", "changes"])),
                ])
        }
    }

    private var product: Endpoint<StoreSite> {
        page("catalogue/{app}/{product}", "product") { visit in try await visit.productPage() }
    }

    private var schedulePrice: Endpoint<StoreSite> {
        action(
            "catalogue/{app}/{product}/schedule", "schedulePrice",
            on: { visit in try await visit.productPage() },
            foretells: { visit, form, told in
                [try await visit.priceFacts(form), try visit.reachTable(told, of: form)]
            }
        ) { visit, form in
            let app = try visit.part("app")
            let id = try visit.part("product")
            let storefront = form["storefront"].uppercased()
            guard let price = PriceText.read(form["price"]) else {
                throw ErrorBody(
                    .badRequest, "invalidMember", ConsoleWords.Catalogue.wrongPrice,
                    field: "price")
            }
            let existing = form.text("existing")
            _ = try await visit.desk.send(
                .put,
                StorePath(
                    "connect", "v1", "apps", app, "products", id, "price-changes", storefront)
            ) { json in
                json.field("price", price)
                json.field("start", form.text("start").map(Visit.moment))
                json.field("existing", existing == "none" ? nil : existing)
            }
            return StorePath("console", "catalogue", app, id).text
        }
    }

    private var withdrawPrice: Endpoint<StoreSite> {
        action(
            "catalogue/{app}/{product}/withdraw", "withdrawPrice",
            on: { visit in try await visit.productPage() }
        ) { visit, form in
            let app = try visit.part("app")
            let id = try visit.part("product")
            _ = try await visit.desk.send(
                .delete,
                StorePath(
                    "connect", "v1", "apps", app, "products", id, "price-changes",
                    form["storefront"]))
            return StorePath("console", "catalogue", app, id).text
        }
    }
}

extension Visit {
    /// What is charged now in the app's own storefront, by product.
    func prices(in app: String) async throws -> [String: Int64] {
        let own = try await desk.get(StorePath("connect", "v1", "apps", app)).text("storefront")
        let answer = try await desk.get(
            StorePath("connect", "v1", "apps", app, "prices").with("storefront", own))
        return try answer.list("prices").reduce(into: [:]) { prices, one in
            prices[try one.text("productId")] = try one.integer("price")
        }
    }

    /// The prices that were scheduled for a product, and taking back those that are not live.
    fileprivate func changeBlocks(
        of product: String, _ app: String
    ) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Catalogue
        let answer = try await desk.get(
            StorePath("connect", "v1", "apps", app, "price-changes").with("product", product)
                .with("limit", "20"))
        let all = try answer.list("priceChanges")
        let waiting = try all.filter { try $0.text("state") == "scheduled" }
        return [try changeTable(all, app, more: nil)]
            + (try waiting.map { one in
                let storefront = try one.text("storefront")
                return PageForm(
                    .danger,
                    action: StorePath("console", "catalogue", app, product, "withdraw").text,
                    button: Words.withdraw(
                        locale.amount(try one.integer("price"), try one.text("currency")),
                        storefront),
                    hidden: [
                        FormID.hidden(), Preview.hidden, .init("storefront", storefront),
                    ])
            })
    }

    /// A product: where it is for sale, its prices, who pays what, its offers, and a new price.
    func productPage() async throws -> Page {
        typealias Words = ConsoleWords.Catalogue
        let app = try part("app")
        let id = try part("product")
        let own = ["connect", "v1", "apps", app]
        let prices = StorePath(parts: own + ["prices"]).with("product", id)
            .with("storefront", asked("storefront"))
        let cohorts = StorePath(parts: own + ["products", id, "price-cohorts"])
        let blocks: [any PageBlock] = [
            try await sale(of: id, app),
            PageSection(
                Words.prices, id: "prices", about: Words.pricesAbout,
                [try priceTable(await desk.get(prices))]),
            PageSection(
                Words.cohorts, id: "cohorts", about: Words.cohortsAbout,
                [try cohortTable(await desk.get(cohorts))]),
            try await offers(of: id, app),
            PageSection(Words.changes, id: "changes", try await changeBlocks(of: id, app)),
            PageSection(
                Words.schedule, id: "schedule", about: Words.scheduleAbout,
                [scheduleForm(app, id)]),
            same(
                SameCall(Words.prices, .get, prices, command: ["price", "list"]),
                SameCall(
                    Words.cohorts, .get, cohorts, command: ["price", "cohorts", id]),
                SameCall(
                    Words.schedule, .put,
                    StorePath(parts: own + ["products", id, "price-changes", "USA"]),
                    body: #"{"price":14990,"existing":"apply"}"#,
                    command: [
                        "price", "schedule", id, "USA", "14.99", "--existing", "apply",
                    ])),
        ]
        return Page(
            id,
            trail: [PageLink(Words.title, StorePath("console", "catalogue").with("app", app).text)],
            blocks)
    }

    fileprivate func productTable(
        _ answer: Answer, _ app: String, prices: [String: Int64]
    ) throws -> DataTable {
        typealias Words = ConsoleWords.Catalogue
        let currency = try answer.text("currency")
        let groups = try answer.list("groups").reduce(into: [:]) { names, group in
            names[try group.text("id")] = try Self.groupName(group)
        }
        return DataTable(
            Words.title,
            columns: [
                Words.product, Words.kind, Words.price, Words.group, Words.period, Words.sale,
            ],
            rows: try answer.list("products").map { product in
                let id = try product.text("id")
                let subscription = try? product.object("subscription")
                return DataTable.Row([
                    Cell(
                        PageLink(id, StorePath("console", "catalogue", app, id).text),
                        detail: try product.text("referenceName")),
                    Cell(ConsoleWords.happening(try product.text("type"))),
                    .number(locale.amount(try prices[id] ?? product.integer("price"), currency)),
                    Cell(
                        (subscription?.optionalText("groupId")).map { groups[$0] ?? $0 } ?? "",
                        detail: subscription?.optionalInteger("level").map {
                            Words.level(Int($0))
                        }),
                    Cell(
                        subscription?.optionalText("period") ?? "",
                        detail: (try? subscription?.list("offers"))
                            .map { $0.isEmpty ? nil : Words.offers($0.count) } ?? nil),
                    try saleCell(product),
                ])
            }, empty: Words.nothing)
    }

    /// What customers read of a group; else the developer's name for it.
    private static func groupName(_ group: Answer) throws -> String {
        let names = try group.list("localizations").map { try $0.text("displayName") }
        if let name = names.first(where: { !$0.isEmpty }) { return name }
        let name = try group.text("referenceName")
        return name.isEmpty ? try group.text("id") : name
    }

    fileprivate func changeTable(
        _ changes: [Answer], _ app: String, more: PageLink?
    ) throws -> DataTable {
        typealias Words = ConsoleWords.Catalogue
        return DataTable(
            Words.changes,
            columns: [
                Words.product, Words.storefront, Words.price, Words.start, Words.state,
                Words.reached,
            ],
            rows: try changes.map { one in
                let id = try one.text("productId")
                return DataTable.Row([
                    Cell(PageLink(id, StorePath("console", "catalogue", app, id).text)),
                    Cell(try one.text("storefront"), detail: one.optionalText("existing")),
                    .number(
                        locale.amount(try one.integer("price"), try one.text("currency"))),
                    momentCell(one, "start"), .badge(try one.text("state"), .plain),
                    // Of what is not live nobody can say it yet.
                    .number(
                        ["going", "done"].contains(try one.text("state"))
                            ? locale.number(Int(try one.integer("subscribers"))) : ""),
                ])
            }, empty: Words.noChanges, more: more)
    }

    fileprivate func priceTable(_ answer: Answer) throws -> DataTable {
        typealias Words = ConsoleWords.Catalogue
        return DataTable(
            Words.prices, columns: [Words.storefront, Words.price, Words.sale],
            rows: try answer.list("prices").map { one in
                DataTable.Row([
                    Cell(try one.text("storefront")),
                    .number(
                        locale.amount(try one.integer("price"), try one.text("currency"))),
                    .badge(
                        try one.bool("forSale") ? Words.forSale : Words.offSale,
                        try one.bool("forSale") ? .good : .plain),
                ])
            }, empty: Words.nothing)
    }

    fileprivate func cohortTable(_ answer: Answer) throws -> DataTable {
        typealias Words = ConsoleWords.Catalogue
        return DataTable(
            Words.cohorts,
            columns: [
                Words.storefront, Words.pays, Words.subscribers, Words.moving, Words.listPrice,
            ],
            rows: try answer.list("cohorts").map { one in
                let currency = try one.text("currency")
                return DataTable.Row([
                    Cell(try one.text("storefront")),
                    .number(locale.amount(try one.integer("price"), currency)),
                    try subscribers(one), .number(locale.number(Int(try one.integer("moving")))),
                    .number(locale.amount(try one.integer("listPrice"), currency)),
                ])
            }, empty: Words.nobodyPays)
    }

    /// How many pay a price, of which a price of both environments tells both.
    private func subscribers(_ cohort: Answer) throws -> Cell {
        subscriberCell(
            Int(try cohort.integer("subscribers")),
            sandbox: Int(try cohort.integer("sandboxSubscribers")))
    }

    private func subscriberCell(_ all: Int, sandbox: Int) -> Cell {
        .number(
            locale.number(all),
            detail: sandbox == 0
                ? nil : ConsoleWords.Catalogue.inSandbox(locale.number(sandbox)))
    }

    /// How many subscribe to products of an app, in both environments.
    func subscribers(to products: [String], of app: String) async throws -> Cell {
        var (all, sandbox) = (0, 0)
        for product in products {
            let path = StorePath(
                "connect", "v1", "apps", app, "products", product, "price-cohorts")
            for cohort in try await desk.get(path).list("cohorts") {
                all += Int(try cohort.integer("subscribers"))
                sandbox += Int(try cohort.integer("sandboxSubscribers"))
            }
        }
        return subscriberCell(all, sandbox: sandbox)
    }

    /// The price that a form asks for, beside the present one.
    fileprivate func priceFacts(_ form: FormInput) async throws -> Facts {
        typealias Words = ConsoleWords.Catalogue
        let id = try part("product")
        let storefront = form["storefront"].uppercased()
        let list = try await desk.get(
            StorePath("connect", "v1", "apps", try part("app"), "prices").with("product", id)
                .with("storefront", storefront)
        ).list("prices").first
        let currency = try list?.text("currency") ?? ""
        return Facts([
            (Words.product, Cell(id)), (Words.storefront, Cell(storefront)),
            (
                Words.listPrice,
                try list.map { Cell(locale.amount(try $0.integer("price"), currency)) }
            ),
            (
                Words.newListPrice,
                PriceText.read(form["price"]).map { Cell(locale.amount($0, currency)) }
            ),
            (
                Words.start,
                Cell(
                    form.text("start").flatMap { Instant(iso8601: Visit.moment($0)) }
                        .map(locale.moment) ?? Words.atOnce)
            ),
        ])
    }

    /// Whom a rehearsed price reached: what they pay, will pay, and from when on.
    fileprivate func reachTable(_ told: [Answer], of form: FormInput) throws -> DataTable {
        typealias Words = ConsoleWords.Catalogue
        struct Step: Hashable { let old, new: Int64 }
        var steps: [Step: (count: Int, first: Instant?)] = [:]
        var currency = ""
        for entry in told where entry.optionalText("event") == "priceWasChanged" {
            guard let new = entry.optionalInteger("newPrice") else { continue }
            let step = Step(old: entry.optionalInteger("oldPrice") ?? 0, new: new)
            let first = entry.optionalMoment("newPriceFrom")
            currency = entry.optionalText("currency") ?? currency
            let known = steps[step]?.first
            steps[step] = (
                (steps[step]?.count ?? 0) + 1, [known, first].compactMap(\.self).min()
            )
        }
        return DataTable(
            Words.whoMoves,
            columns: [Words.pays, Words.willPay, Words.firstFrom, Words.subscribers],
            rows: steps.sorted { $0.key.old < $1.key.old }.map { step, found in
                DataTable.Row([
                    Cell(locale.amount(step.old, currency)),
                    Cell(locale.amount(step.new, currency)),
                    found.first.map(momentCell) ?? .none, .number(locale.number(found.count)),
                ])
            }, empty: Words.nobodyMoves, hidesCaption: false)
    }

    fileprivate func scheduleForm(_ app: String, _ id: String) -> PageForm {
        typealias Words = ConsoleWords.Catalogue
        let desk = formDesk("schedule", to: ConsolePath.product(app, id, "schedule"))
        return desk.form(
            .change, Words.schedule,
            [
                desk.field(
                    "storefront", Words.storefront, or: "USA", hint: Words.storefrontHint,
                    isRequired: true),
                desk.field("price", Words.price, hint: Words.priceHint, isRequired: true),
                desk.field("start", Words.start, hint: Words.startHint),
                desk.field(
                    "existing", Words.existing, .choice(Words.existingChoices), or: "none"),
            ], isPreviewed: true)
    }
}

extension PriceText {
    /// A price such as `14.99` in milliunits; nil for what is none.
    static func read(_ text: String) -> Int64? {
        do throws(PriceText.Fault) { return try PriceText.milliunits(text) } catch { return nil }
    }
}

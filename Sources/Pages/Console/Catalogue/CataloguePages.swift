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
        [catalogue, product, schedulePrice, withdrawPrice, increase]
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
                    try visit.productTable(answer, app),
                    LinkList([PageLink(Words.settings, ConsolePath.world)]),
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
                        SameCall(Words.title, .get, path, command: ["prices"]),
                        SameCall(
                            Words.changes, .get, changes, command: ["price-change", "list"])),
                ])
        }
    }

    private var product: Endpoint<StoreSite> {
        page("catalogue/{app}/{product}", "product") { visit in
            typealias Words = ConsoleWords.Catalogue
            let app = try visit.part("app")
            let id = try visit.part("product")
            let prices = StorePath("connect", "v1", "apps", app, "prices").with("product", id)
                .with("storefront", visit.asked("storefront"))
            let cohorts = StorePath(
                "connect", "v1", "apps", app, "products", id, "price-cohorts")
            return Page(
                id, trail: [PageLink(Words.title, ConsolePath.catalogue)],
                [
                    PageSection(
                        Words.prices, id: "prices", about: Words.pricesAbout,
                        [try visit.priceTable(await visit.desk.get(prices))]),
                    PageSection(
                        Words.cohorts, id: "cohorts", about: Words.cohortsAbout,
                        [try visit.cohortTable(await visit.desk.get(cohorts))]),
                    PageSection(
                        Words.schedule, id: "schedule", about: Words.scheduleAbout,
                        [visit.scheduleForm(app, id)]),
                    visit.same(
                        SameCall(Words.prices, .get, prices, command: ["prices"]),
                        SameCall(
                            Words.cohorts, .get, cohorts,
                            command: ["price-change", "cohorts", id]),
                        SameCall(
                            Words.schedule, .put,
                            StorePath(
                                "connect", "v1", "apps", app, "products", id, "price-changes",
                                "USA"),
                            body: #"{"price":14990,"existing":"apply"}"#,
                            command: [
                                "price-change", "schedule", id, "USA", "14.99", "--existing",
                                "apply",
                            ])),
                ])
        }
    }

    private var schedulePrice: Endpoint<StoreSite> {
        action("catalogue/{app}/{product}/schedule", "schedulePrice") { visit, form in
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
                json.field("start", form.text("start"))
                json.field("existing", existing == "none" ? nil : existing)
            }
            return StorePath("console", "catalogue", app, id).text
        }
    }

    private var withdrawPrice: Endpoint<StoreSite> {
        action("catalogue/{app}/{product}/withdraw", "withdrawPrice") { visit, form in
            let app = try visit.part("app")
            let id = try visit.part("product")
            _ = try await visit.desk.send(
                .delete,
                StorePath(
                    "connect", "v1", "apps", app, "products", id, "price-changes",
                    form["storefront"]))
            return StorePath("console", "catalogue").with("app", app).text
        }
    }

    /// Why a price increase goes its way with one subscriber, and when.
    private var increase: Endpoint<StoreSite> {
        page("subscriptions/{id}/price-increase", "increase") { visit in
            typealias Words = ConsoleWords.Catalogue
            let id = try visit.part("id")
            let path = StorePath("connect", "v1", "subscriptions", id, "price-increase")
            let answer = try await visit.desk.get(path)
            return Page(
                Words.increaseTitle, lead: Words.path(try answer.text("path")),
                trail: [PageLink(id, ConsolePath.subscription(id))],
                try visit.increaseBlocks(answer) + [
                    visit.same(
                        SameCall(
                            Words.increaseTitle, .get, path, command: ["price-change", "of", id]))
                ])
        }
    }
}

extension Visit {
    fileprivate func productTable(_ answer: Answer, _ app: String) throws -> DataTable {
        typealias Words = ConsoleWords.Catalogue
        let currency = try answer.text("currency")
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
                    .number(locale.amount(try product.integer("price"), currency)),
                    Cell(
                        subscription?.optionalText("groupId") ?? "",
                        detail: subscription?.optionalInteger("level").map {
                            Words.level(Int($0))
                        }),
                    Cell(
                        subscription?.optionalText("period") ?? "",
                        detail: (try? subscription?.list("offers"))
                            .map { $0.isEmpty ? nil : Words.offers($0.count) } ?? nil),
                    .badge(
                        try product.bool("forSale") ? Words.forSale : Words.offSale,
                        try product.bool("forSale") ? .good : .plain),
                ])
            }, empty: Words.nothing)
    }

    fileprivate func changeTable(
        _ changes: [Answer], _ app: String, more: PageLink?
    ) throws -> DataTable {
        typealias Words = ConsoleWords.Catalogue
        return DataTable(
            Words.changes,
            columns: [
                Words.product, Words.storefront, Words.price, Words.start, Words.state,
                Words.subscribers,
            ],
            rows: try changes.map { one in
                let id = try one.text("productId")
                return DataTable.Row([
                    Cell(PageLink(id, StorePath("console", "catalogue", app, id).text)),
                    Cell(try one.text("storefront"), detail: one.optionalText("existing")),
                    .number(
                        locale.amount(try one.integer("price"), try one.text("currency"))),
                    momentCell(one, "start"), .badge(try one.text("state"), .plain),
                    .number(
                        one.optionalInteger("subscribers").map { locale.number(Int($0)) } ?? ""),
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
                    .number(locale.number(Int(try one.integer("subscribers")))),
                    .number(locale.number(Int(try one.integer("moving")))),
                    .number(locale.amount(try one.integer("listPrice"), currency)),
                ])
            }, empty: Words.nobodyPays)
    }

    fileprivate func scheduleForm(_ app: String, _ id: String) -> PageForm {
        typealias Words = ConsoleWords.Catalogue
        return PageForm(
            .change, action: StorePath("console", "catalogue", app, id, "schedule").text,
            button: Words.schedule, hidden: [FormID.hidden()],
            fields: [
                Field(
                    "storefront", Words.storefront, in: "schedule", value: "USA",
                    hint: Words.storefrontHint, isRequired: true),
                Field(
                    "price", Words.price, in: "schedule", hint: Words.priceHint, isRequired: true),
                Field("start", Words.start, in: "schedule", hint: Words.startHint),
                Field(
                    "existing", Words.existing, .choice(Words.existingChoices), in: "schedule",
                    value: "none"),
            ])
    }

    fileprivate func increaseBlocks(_ answer: Answer) throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Catalogue
        let currency = try answer.text("currency")
        return [
            Facts([
                (Words.oldPrice, Cell(locale.amount(try answer.integer("oldPrice"), currency))),
                (Words.newPrice, Cell(locale.amount(try answer.integer("newPrice"), currency))),
                (Words.live, momentCell(answer, "live")),
                (
                    Words.firstCharged,
                    answer.optionalMoment("firstRenewalAtNewPrice").map(momentCell)
                ),
                (Words.answerBy, answer.optionalMoment("answerBy").map(momentCell)),
                (Words.withoutAnswer, answer.optionalText("withoutAnswer").map { Cell($0) }),
            ]),
            PageSection(
                Words.reasons, id: "reasons",
                [
                    DataTable(
                        Words.reasons, columns: [Words.reason, Words.demandsConsent],
                        rows: try answer.list("reasons").map { one in
                            let demands = try one.bool("demandsConsent")
                            return DataTable.Row([
                                Cell(try one.text("sentence")),
                                .badge(
                                    demands ? Words.yes : Words.no,
                                    demands ? .attention : .plain),
                            ])
                        }, empty: "")
                ]),
            PageSection(
                Words.messages, id: "messages",
                [
                    DataTable(
                        Words.messages,
                        columns: [ConsoleWords.Clock.when, Words.channel, Words.condition],
                        rows: try answer.list("messages").map { one in
                            DataTable.Row([
                                momentCell(one, "at"),
                                Cell(ConsoleWords.happening(try one.text("channel"))),
                                Cell(ConsoleWords.happening(try one.text("condition"))),
                            ])
                        }, empty: Words.noMessages)
                ]),
        ]
    }
}

extension PriceText {
    /// A price such as `14.99` in milliunits; nil for what is none.
    fileprivate static func read(_ text: String) -> Int64? {
        do throws(PriceText.Fault) { return try PriceText.milliunits(text) } catch { return nil }
    }
}

import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP

extension MerchantConsole {
    /// What nobody has, and giving it to somebody.
    var unownedPages: [Endpoint<MerchantSite>] { [unowned, unownedOne, claim] }

    private typealias Words = MerchantWords.Unowned

    private var unowned: Endpoint<MerchantSite> {
        page("unowned", "unowned") { visit in
            let names = ["bundleId", "environment", "productId"]
            let path = names.reduce(StorePath("v1", "operator", "unowned")) {
                $0.with($1, visit.asked($1))
            }
            let here = names.reduce(StorePath(encoded: MerchantPath.unowned)) {
                $0.with($1, visit.asked($1))
            }
            let answer = try await visit.desk.get(path.with("before", visit.asked("before")))
            let purchases = try answer.list("purchases")
            let count = visit.locale.number(Int(try answer.integer("count")))
            return Page(
                Words.title,
                lead: try answer.bool("countIsExact")
                    ? Words.count(count) : Words.countAtLeast(count),
                [
                    visit.unownedFilter,
                    DataTable(
                        Words.title,
                        columns: [
                            Words.purchase, Words.app, Words.environment, Words.product,
                            Words.bought, Words.ends, Words.erased,
                        ], rows: try purchases.map { try visit.unownedRow($0) },
                        empty: Words.none, more: try visit.more(answer, purchases.last, here.text)),
                    visit.same(
                        MerchantCall(Words.title, .get, path, command: ["merchant", "unowned"])),
                ])
        }
    }

    private var unownedOne: Endpoint<MerchantSite> {
        page("unowned/{app}/{purchase}", "unownedPurchase") { visit in
            let (app, purchase) = (try visit.part("app"), try visit.part("purchase"))
            let environment = visit.asked("environment")
            let path = StorePath("v1", "apps", app, "purchases", purchase, "claim")
            var hidden = [MerchantForm.hidden()]
            if let environment { hidden.append(.init("environment", environment)) }
            return Page(
                Words.one, lead: Words.oneLead,
                trail: [PageLink(Words.title, MerchantPath.unowned)],
                [
                    Facts([
                        (Words.app, Cell(app)), (Words.purchase, .code(purchase)),
                        (Words.environment, environment.map { Cell($0) }),
                    ]),
                    PageForm(
                        .change, action: MerchantPath.unowned(app, purchase, "claim"),
                        button: Words.claim, about: Words.claimAbout, hidden: hidden,
                        fields: [
                            Field(
                                "account", Words.account, in: "claim",
                                value: visit.asked("account") ?? "", isRequired: true)
                        ]),
                    visit.same(
                        MerchantCall(
                            Words.claim, .post, path, body: "{\"account\":\"…\"}",
                            command: ["merchant", "claim", "ACCOUNT", purchase])),
                ])
        }
    }

    private var claim: Endpoint<MerchantSite> {
        action("unowned/{app}/{purchase}/claim", "claimPurchase") { visit, form in
            let (app, purchase) = (try visit.part("app"), try visit.part("purchase"))
            let account = form["account"]
            _ = try await visit.desk.send(
                .post, StorePath("v1", "apps", app, "purchases", purchase, "claim")
            ) { json in
                json.field("account", account)
                json.field("environment", form.text("environment"))
            }
            return MerchantPath.customer(app, account)
        }
    }
}

extension MerchantVisit {
    fileprivate var unownedFilter: PageForm {
        typealias Words = MerchantWords.Unowned
        return PageForm(
            .ask, action: MerchantPath.unowned, button: MerchantWords.filter,
            fields: [
                Field("bundleId", Words.app, .search, in: "filter", value: asked("bundleId") ?? ""),
                Field(
                    "environment", Words.environment, .choice(MerchantWords.environments),
                    in: "filter", value: asked("environment") ?? ""),
                Field(
                    "productId", Words.product, .search, in: "filter",
                    value: asked("productId") ?? ""),
            ])
    }

    fileprivate func unownedRow(_ one: Answer) throws -> DataTable.Row {
        let (app, id) = (try one.text("bundleId"), try one.text("originalTransactionId"))
        let environment = try one.text("environment")
        let path = StorePath(encoded: MerchantPath.unowned(app, id))
            .with("environment", environment).text
        return DataTable.Row([
            Cell.code(id).linked(to: path), Cell(app), Cell(environment),
            Cell(one.optionalText("productId") ?? ""), momentCell(one, "purchased"),
            momentCell(one, "expires"), momentCell(one, "erased"),
        ])
    }
}

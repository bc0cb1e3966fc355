import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import StoreHTTP
import SubscriptionRules

extension Console {
    /// Codes of offers, as they were made: downloaded, looked after and ended.
    var codePages: [Endpoint<StoreSite>] {
        [codes, makeCodes, codeBatch, codeFile, endCodes]
    }

    private var codes: Endpoint<StoreSite> {
        page("codes", "codes") { visit in
            typealias Words = ConsoleWords.Codes
            let app = try await visit.app()
            let (product, offer) = (visit.asked("product"), visit.asked("offer"))
            let path = StorePath("connect", "v1", "apps", app, "offer-codes")
                .with("product", product).with("offer", offer)
            let list = try await FilteredList(
                visit,
                path.with("before", visit.asked("before")).with("limit", String(Visit.pageSize)))
            let now = try await visit.desk.get(StorePath("connect", "v1", "clock")).moment("now")
            var page = try list.page(
                Words.title, lead: Words.lead(app), to: ConsolePath.codes,
                [
                    list.field("product", Words.product),
                    list.field("offer", Words.offer),
                ], hidden: [.init("app", app)]
            ) { answer in
                let all = try answer.list("offerCodes")
                let here = StorePath("console", "codes").with("app", app).with("product", product)
                    .with("offer", offer)
                return [
                    try visit.codeTable(
                        all, of: app, now: now,
                        more: visit.more(answer, to: here, "before", all.last?.text("id")))
                ]
            }
            page.blocks += try await visit.whereToMakeCodes(in: app)
            page.blocks.append(
                visit.same(
                    SameCall(
                        Words.title, .get, path,
                        command: ["offer", "codes", "list"]
                            + (product.map { ["--product", $0] } ?? []))))
            return page
        }
    }

    private var makeCodes: Endpoint<StoreSite> {
        action(
            "catalogue/{app}/{product}/offers/{type}/{name}/codes", "makeCodes",
            on: { visit in try await visit.offerPage() },
            foretells: { visit, form, _ in [try await visit.codesAhead(form)] }
        ) { visit, form in
            typealias Words = ConsoleWords.Codes
            let app = try visit.part("app")
            let product = try visit.part("product")
            let offer = try visit.part("name")
            guard let count = try form.number("count", Words.count) else {
                throw ErrorBody(
                    .badRequest, "missingMember", Words.noCount, field: "count")
            }
            let made = try await visit.desk.send(
                .post, StorePath("connect", "v1", "apps", app, "offer-codes")
            ) { json in
                json.field("productId", product)
                json.field("offerId", offer)
                json.field("count", count)
                json.field("custom", form.text("custom"))
                json.field("expires", form.text("expires").map(Visit.moment))
            }
            return ConsolePath.codes(app, try made.text("id"))
        }
    }

    private var codeBatch: Endpoint<StoreSite> {
        page("codes/{app}/{id}", "codeBatch") { visit in
            typealias Words = ConsoleWords.Codes
            let app = try visit.part("app")
            let one = try await visit.codeBatch(of: app)
            let id = try one.text("id")
            let path = StorePath("connect", "v1", "apps", app, "offer-codes", id)
            let now = try await visit.desk.get(StorePath("connect", "v1", "clock")).moment("now")
            let isOver = one.optionalMoment("ended") != nil
            return Page(
                try visit.name(ofCodes: one), badge: try visit.codeState(one, now: now),
                trail: [
                    PageLink(Words.title, StorePath("console", "codes").with("app", app).text)
                ],
                [
                    try visit.facts(ofCodes: one, in: app),
                    LinkList([
                        PageLink(
                            Words.download, ConsolePath.codes(app, id, "codes.csv"), isFile: true)
                    ]),
                    Prose(one.optionalText("custom") == nil ? Words.secret : Words.customPlaces),
                    isOver
                        ? Notice(.plain, Words.over)
                        : PageSection(
                            Words.end, id: "end", about: Words.endAbout,
                            [
                                PageForm(
                                    .danger, action: ConsolePath.codes(app, id, "end"),
                                    button: Words.endButton,
                                    hidden: [FormID.hidden(), Preview.hidden])
                            ]),
                    visit.same(
                        SameCall(
                            Words.download, .get,
                            StorePath(parts: path.parts + ["codes"]),
                            command: ["offer", "codes", "download", id]),
                        SameCall(
                            Words.end, .post, StorePath(parts: path.parts + ["end"]),
                            command: ["offer", "codes", "end", id])),
                ])
        }
    }

    /// The codes themselves, one a line.
    private var codeFile: Endpoint<StoreSite> {
        document("codes/{app}/{id}/codes.csv", "codeFile") { visit in
            let (app, id) = (try visit.part("app"), try visit.part("id"))
            let codes = try await visit.desk.file(
                StorePath("connect", "v1", "apps", app, "offer-codes", id, "codes"))
            guard let number = Int64(id) else { throw ErrorBody.unknownPage }
            return .file(
                codes, "text/csv; charset=utf-8; header=absent", name: "codes-\(number).csv")
        }
    }

    private var endCodes: Endpoint<StoreSite> {
        action("codes/{app}/{id}/end", "endCodes") { visit, _ in
            let (app, id) = (try visit.part("app"), try visit.part("id"))
            _ = try await visit.desk.send(
                .post, StorePath("connect", "v1", "apps", app, "offer-codes", id, "end"))
            return ConsolePath.codes(app, id)
        }
    }
}

extension Visit {
    /// Codes as they were made.
    func codeTable(
        _ batches: [Answer], of app: String, now: Instant, more: PageLink? = nil
    ) throws -> DataTable {
        typealias Words = ConsoleWords.Codes
        return DataTable(
            Words.title,
            columns: [
                Words.codes, Words.offer, Words.redeemed, Words.of, Words.made, Words.expires,
                Words.state,
            ],
            rows: try batches.map { one in
                DataTable.Row([
                    Cell(
                        PageLink(
                            try name(ofCodes: one), ConsolePath.codes(app, try one.text("id")))),
                    Cell(
                        PageLink(try one.text("offerId"), try offerPath(of: one, in: app)),
                        detail: try one.text("productId")),
                    .number(locale.number(Int(try one.integer("redeemed")))),
                    .number(locale.number(Int(try one.integer("count")))),
                    momentCell(one, "made"), momentCell(one, "expires"),
                    try codeState(one, now: now),
                ])
            }, empty: Words.none, more: more)
    }

    fileprivate func name(ofCodes one: Answer) throws -> String {
        ConsoleWords.Codes.name(
            one.optionalText("custom"), count: Int(try one.integer("count")))
    }

    private func offerPath(of codes: Answer, in app: String) throws -> String {
        ConsolePath.product(
            app, try codes.text("productId"), "offers", ConsoleWords.Offers.offerCode,
            try codes.text("offerId"))
    }

    /// Whether codes can be redeemed.
    fileprivate func codeState(_ codes: Answer, now: Instant) throws -> Cell {
        typealias Words = ConsoleWords.Codes
        if codes.optionalMoment("ended") != nil { return .badge(Words.ended, .plain) }
        if codes.optionalMoment("expires").map({ $0 <= now }) ?? false {
            return .badge(Words.expired, .plain)
        }
        let isSpent = try codes.integer("redeemed") >= codes.integer("count")
        return isSpent ? .badge(Words.spent, .plain) : .badge(Words.good, .good)
    }

    /// Those that the path names: the newest ones up to them.
    fileprivate func codeBatch(of app: String) async throws -> Answer {
        let id = try part("id")
        guard let number = Int64(id), number < .max else { throw ErrorBody.unknownPage }
        let found = try await desk.get(
            StorePath("connect", "v1", "apps", app, "offer-codes")
                .with("before", String(number + 1)).with("limit", "1")
        ).list("offerCodes").first
        guard let found, try found.text("id") == id else { throw ErrorBody.unknownPage }
        return found
    }

    fileprivate func facts(ofCodes one: Answer, in app: String) throws -> Facts {
        typealias Words = ConsoleWords.Codes
        return Facts([
            (Words.offer, Cell(PageLink(try one.text("offerId"), try offerPath(of: one, in: app)))),
            (
                Words.product,
                Cell(
                    PageLink(
                        try one.text("productId"),
                        ConsolePath.product(app, try one.text("productId"))))
            ),
            (Words.custom, one.optionalText("custom").map { .code($0) }),
            (Words.redeemed, Cell(locale.number(Int(try one.integer("redeemed"))))),
            (
                one.optionalText("custom") == nil ? Words.howMany : Words.cap,
                Cell(locale.number(Int(try one.integer("count"))))
            ),
            (Words.made, momentCell(one, "made")),
            (Words.expires, one.optionalMoment("expires").map(momentCell)),
            (Words.endedAt, one.optionalMoment("ended").map(momentCell)),
            (Words.number, .code(try one.text("id"))),
        ])
    }

    /// The codes that a form would make, beside those that the offer has.
    fileprivate func codesAhead(_ form: FormInput) async throws -> Facts {
        typealias Words = ConsoleWords.Codes
        let (app, offer) = (try part("app"), try part("name"))
        let path = StorePath("connect", "v1", "apps", app, "offer-codes")
            .with("product", try part("product")).with("offer", offer).with("limit", "200")
        let answer = try await desk.get(path)
        let known = try answer.list("offerCodes")
        let made = try known.reduce(0) { try $0 + Int($1.integer("count")) }
        let redeemed = try known.reduce(0) { try $0 + Int($1.integer("redeemed")) }
        let count = try form.number("count", Words.count).map { Int($0) } ?? 0
        return Facts([
            (Words.offer, Cell(offer)), (Words.product, Cell(try part("product"))),
            (Words.custom, form.text("custom").map { .code($0) }),
            (
                form.text("custom") == nil ? Words.codesToMake : Words.cap,
                .number(locale.number(count))
            ),
            (
                Words.expires,
                Cell(
                    form.text("expires").flatMap { Instant(iso8601: Visit.moment($0)) }
                        .map(locale.moment) ?? Words.longest)
            ),
            (
                Words.madeBefore,
                .number(
                    locale.number(made),
                    detail: try answer.bool("hasMore")
                        ? Words.newestOnly : Words.ofThem(redeemed: locale.number(redeemed)))
            ),
            (Words.madeThen, .number(locale.number(made + count))),
        ])
    }

    /// The offers whose pages make codes, and the other apps.
    fileprivate func whereToMakeCodes(in app: String) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Codes
        let catalogue = try await desk.get(StorePath("connect", "v1", "apps", app, "catalogue"))
        let offers = try catalogue.list("products").flatMap { product -> [PageLink] in
            let offers =
                (try? product.object("subscription").list("offers"))
                ?? (try? product.list("offers")) ?? []
            let id = try product.text("id")
            return try offers.filter { try $0.text("type") == ConsoleWords.Offers.offerCode }
                .map { offer in
                    let name = OfferShelf.name(of: offer)
                    return PageLink(
                        Words.offer(name, of: id),
                        ConsolePath.product(
                            app, id, "offers", ConsoleWords.Offers.offerCode, name))
                }
        }
        let apps = try await desk.apps()
        var blocks: [any PageBlock] = [
            PageSection(
                Words.make, id: "make", about: offers.isEmpty ? Words.noOffers : Words.makeHere,
                offers.isEmpty
                    ? [
                        LinkList([
                            PageLink(
                                ConsoleWords.Catalogue.title,
                                StorePath("console", "catalogue").with("app", app).text)
                        ])
                    ] : [LinkList(offers, label: Words.make)])
        ]
        if apps.count > 1 {
            blocks.append(
                PageSection(
                    Words.apps, id: "apps",
                    [
                        LinkList(
                            apps.map { one in
                                let id = one.bundleID
                                return PageLink(
                                    id, StorePath("console", "codes").with("app", id).text,
                                    isCurrent: id == app)
                            }, label: Words.apps)
                    ]))
        }
        return blocks
    }
}

import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

extension Visit {
    /// One offer: what it is, where it can be had, its codes, and ending it.
    func offerPage() async throws -> Page {
        typealias Words = ConsoleWords.Offers
        let shelf = try await OfferShelf(self)
        let (type, name) = (try part("type"), try part("name"))
        let found = try shelf.offers.last {
            try $0.text("type") == type && OfferShelf.name(of: $0) == name
        }
        guard let offer = found else { throw ErrorBody.unknownPage }
        var blocks: [any PageBlock] = [try facts(of: offer, shelf)]
        if let prices = try prices(of: offer) { blocks.append(prices) }
        if type == Words.offerCode { blocks += try await codes(of: name, shelf) }
        blocks.append(ending(offer, type, name, shelf))
        blocks.append(
            same(
                SameCall(
                    Words.title, .get, shelf.path, command: ["offer", "list", shelf.product]),
                SameCall(
                    Words.end, .delete, StorePath(parts: shelf.path.parts + [type, name]),
                    command: ["offer", "end", shelf.product, Words.command(type), name])))
        return Page(
            name, badge: shelf.state(of: offer), lead: try shelf.terms(of: offer),
            trail: shelf.trail + [
                PageLink(Words.title, ConsolePath.product(shelf.app, shelf.product, "offers"))
            ], blocks)
    }

    /// The offer that a form would make, with what it costs beside the standard price, and how many
    /// subscribe already.
    func offerAhead(_ form: FormInput) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Offers
        let shelf = try await OfferShelf(self)
        let offer = try OfferOrder(form).answer
        let standard = try await prices(in: shelf.app)[shelf.product]
        let products = shelf.isSubscription ? [shelf.product] : []
        var blocks: [any PageBlock] = [
            Facts([
                (Words.terms, Cell(try shelf.terms(of: offer))),
                (
                    Words.standardPrice,
                    standard.map { Cell(locale.amount($0, shelf.currency)) }
                ),
                (
                    ConsoleWords.Catalogue.subscribers,
                    try await subscribers(to: products, of: shelf.app)
                ),
            ]),
            try facts(of: offer, shelf),
        ]
        if let prices = try prices(of: offer) { blocks.append(prices) }
        return blocks
    }

    private func facts(of offer: Answer, _ shelf: OfferShelf) throws -> Facts {
        typealias Words = ConsoleWords.Offers
        let audiences = offer.texts("audiences").map { Words.audience(named: $0) }
        let winBack = try? offer.object("winBack")
        let months = winBack.flatMap { terms -> String? in
            guard let from = terms.optionalInteger("fromMonths"),
                let to = terms.optionalInteger("toMonths")
            else { return nil }
            return Words.months(Int(from), to: Int(to))
        }
        return Facts([
            (Words.kind, Cell(Words.kind(try offer.text("type")))),
            (Words.identifier, offer.optionalText("id").map { .code($0) }),
            (Words.referenceName, offer.optionalText("referenceName").map { Cell($0) }),
            (Words.mode, Cell(Words.mode(try offer.text("mode")))),
            (Words.available, Cell(shelf.availability(of: offer))),
            (Words.storefronts, Cell(shelf.places(of: offer))),
            (
                Words.audiences,
                audiences.isEmpty ? nil : Cell(audiences.joined(separator: ", "))
            ),
            (
                Words.stackable,
                offer.value["stackable"]?.bool.map {
                    Cell($0 ? ConsoleWords.Catalogue.yes : ConsoleWords.Catalogue.no)
                }
            ),
            (
                Words.paidMonths,
                winBack?.optionalInteger("paidMonths").map { Cell(locale.number(Int($0))) }
            ),
            (Words.ended, months.map { Cell($0) }),
            (
                Words.waitMonths,
                winBack?.optionalInteger("waitMonths").map { Cell(locale.number(Int($0))) }
            ),
            (
                Words.priority,
                winBack?.optionalText("priority").map { Cell($0.lowercased()) }
            ),
        ])
    }

    /// What it costs where a price of its own was set; nil where none was.
    private func prices(of offer: Answer) throws -> PageSection? {
        typealias Words = ConsoleWords.Offers
        guard offer.value["prices"] != nil else { return nil }
        return PageSection(
            Words.ownPrices, id: "prices",
            [
                DataTable(
                    Words.ownPrices,
                    columns: [ConsoleWords.Catalogue.storefront, ConsoleWords.Catalogue.price],
                    rows: try offer.list("prices").map { one in
                        let storefront = try one.text("storefront")
                        return DataTable.Row([
                            Cell(storefront),
                            .number(
                                locale.amount(
                                    try one.integer("price"), Words.currency(of: storefront))),
                        ])
                    }, empty: "")
            ])
    }

    private func codes(of offer: String, _ shelf: OfferShelf) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Codes
        let path = StorePath("connect", "v1", "apps", shelf.app, "offer-codes")
            .with("product", shelf.product).with("offer", offer)
        let answer = try await desk.get(path.with("limit", "20"))
        let desk = formDesk(
            "codes", to: shelf.page(of: ConsoleWords.Offers.offerCode, offer) + "/codes")
        let all = StorePath("console", "codes").with("app", shelf.app)
            .with("product", shelf.product).with("offer", offer)
        return [
            PageSection(
                Words.title, id: "codes",
                [
                    try codeTable(answer.list("offerCodes"), of: shelf.app, now: shelf.now),
                    LinkList([PageLink(Words.allOfOffer, all.text)]),
                ]),
            PageSection(
                Words.make, id: "make", about: Words.makeAbout,
                [
                    desk.form(
                        .change, Words.make,
                        [
                            desk.field(
                                "custom", Words.custom, hint: Words.customHint),
                            desk.field(
                                "count", Words.count, hint: Words.countHint, isRequired: true),
                            desk.field(
                                "expires", Words.expires, hint: Words.expiresHint),
                        ], isPreviewed: true),
                    same(
                        SameCall(
                            Words.make, .post,
                            StorePath("connect", "v1", "apps", shelf.app, "offer-codes"),
                            body: #"{"productId":"\#(shelf.product)","offerId":"\#(offer)","#
                                + #""count":100}"#,
                            command: [
                                "offer", "codes", "create", shelf.product, offer, "--count", "100",
                            ])),
                ]),
        ]
    }

    /// Ending it, unless that has happened.
    private func ending(
        _ offer: Answer, _ type: String, _ name: String, _ shelf: OfferShelf
    ) -> any PageBlock {
        typealias Words = ConsoleWords.Offers
        guard !shelf.isOver(offer) else { return Notice(.plain, Words.overAbout) }
        return PageSection(
            Words.end, id: "end", about: Words.endAbout,
            [
                PageForm(
                    .danger, action: shelf.page(of: type, name) + "/end", button: Words.endButton,
                    hidden: [FormID.hidden(), Preview.hidden])
            ])
    }
}

import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Console {
    /// What subscribers pay less for a while: the offers of a product, made and ended.
    var offerPages: [Endpoint<StoreSite>] {
        [offers, newOffer, createOffer, offer, endOffer] + codePages
    }

    private static let ofProduct = "catalogue/{app}/{product}"

    private var offers: Endpoint<StoreSite> {
        page("\(Self.ofProduct)/offers", "offers") { visit in
            typealias Words = ConsoleWords.Offers
            let shelf = try await OfferShelf(visit)
            return Page(
                Words.title, lead: Words.lead(shelf.product), trail: shelf.trail,
                [
                    try shelf.table, shelf.kindLinks,
                    visit.same(
                        SameCall(
                            Words.title, .get, shelf.path,
                            command: ["offer", "list", shelf.product])),
                ])
        }
    }

    /// Asks for what an offer of a kind consists of.
    private var newOffer: Endpoint<StoreSite> {
        page("\(Self.ofProduct)/new-offer", "newOffer") { visit in
            try await visit.newOfferPage()
        }
    }

    private var createOffer: Endpoint<StoreSite> {
        action(
            "\(Self.ofProduct)/offers", "createOffer",
            on: { visit in try await visit.newOfferPage() },
            foretells: { visit, form, _ in try await visit.offerAhead(form) }
        ) { visit, form in
            let shelf = try await OfferShelf(visit)
            let order = try OfferOrder(form)
            let made = try await visit.desk.send(.post, shelf.path) { order.write(to: &$0) }
            return shelf.page(of: try made.text("type"), OfferShelf.name(of: made))
        }
    }

    private var offer: Endpoint<StoreSite> {
        page("\(Self.ofProduct)/offers/{type}/{name}", "offer") { visit in
            try await visit.offerPage()
        }
    }

    private var endOffer: Endpoint<StoreSite> {
        action("\(Self.ofProduct)/offers/{type}/{name}/end", "endOffer") { visit, _ in
            let shelf = try await OfferShelf(visit)
            let (type, name) = (try visit.part("type"), try visit.part("name"))
            _ = try await visit.desk.send(
                .delete, StorePath(parts: shelf.path.parts + [type, name]))
            // One that had not begun is forgotten.
            return ConsolePath.product(shelf.app, shelf.product, "offers")
        }
    }
}

/// The offers of the product that a page is about.
struct OfferShelf {
    private let visit: Visit
    let app: String
    let product: String
    let offers: [Answer]
    /// Else it is bought once, and has offers with codes alone.
    let isSubscription: Bool
    /// What prices are in where none is set for a storefront.
    let currency: String
    let now: Instant

    private typealias Words = ConsoleWords.Offers

    init(_ visit: Visit) async throws {
        self.visit = visit
        app = try visit.part("app")
        product = try visit.part("product")
        offers = try await visit.desk.get(Self.path(app, product)).list("offers")
        let catalogue = try await visit.desk.get(
            StorePath("connect", "v1", "apps", app, "catalogue"))
        currency = try catalogue.text("currency")
        isSubscription = try catalogue.list("products").contains { [product] one in
            try one.text("id") == product && one.value["subscription"] != nil
        }
        now = try await visit.desk.get(StorePath("connect", "v1", "clock")).moment("now")
    }

    static func path(_ app: String, _ product: String) -> StorePath {
        StorePath("connect", "v1", "apps", app, "products", product, "offers")
    }

    /// Where `/connect` has them.
    var path: StorePath { Self.path(app, product) }

    var trail: [PageLink] {
        [
            PageLink(
                ConsoleWords.Catalogue.title,
                StorePath("console", "catalogue").with("app", app).text),
            PageLink(product, ConsolePath.product(app, product)),
        ]
    }

    /// The page of one of them.
    func page(of type: String, _ name: String) -> String {
        ConsolePath.product(app, product, "offers", type, name)
    }

    /// What it is called: its identifier; of an introductory offer the reference name.
    static func name(of offer: Answer) -> String {
        offer.optionalText("id") ?? offer.optionalText("referenceName") ?? ""
    }

    /// Those that the product can have.
    var kinds: [(value: String, text: String)] {
        isSubscription ? Words.kinds : Words.kinds.filter { $0.value == Words.offerCode }
    }

    /// A page for a new one of each kind.
    var kindLinks: PageSection {
        PageSection(
            Words.make, id: "make", about: Words.makeAbout,
            [
                LinkList(
                    kinds.map { kind in
                        PageLink(
                            kind.text,
                            ConsolePath.product(app, product, "new-offer")
                                + "?type=\(kind.value)")
                    }, label: Words.make)
            ])
    }

    var table: DataTable {
        get throws {
            DataTable(
                Words.title,
                columns: [
                    Words.offer, Words.kind, Words.terms, Words.available, Words.storefronts,
                    Words.state,
                ],
                rows: try offers.map { offer in
                    let type = try offer.text("type")
                    let name = Self.name(of: offer)
                    return DataTable.Row([
                        // What a file brought may have no name, and so no page.
                        name.isEmpty
                            ? Cell(Words.kind(type))
                            : Cell(
                                PageLink(name, page(of: type, name)),
                                detail: reference(offer, besides: name)),
                        Cell(Words.kind(type)), Cell(try terms(of: offer)),
                        Cell(availability(of: offer)),
                        Cell(places(of: offer)), state(of: offer),
                    ])
                }, empty: Words.none)
        }
    }

    private func reference(_ offer: Answer, besides name: String) -> String? {
        offer.optionalText("referenceName").flatMap { $0 == name ? nil : $0 }
    }

    // MARK: One of them, in words

    /// What is paid, and for how long.
    func terms(of offer: Answer) throws -> String {
        let length = offer.optionalText("period").map(Words.length) ?? ""
        let amount = try offer.integer("price")
        let price = visit.locale.amount(amount, currency)
        switch try offer.text("mode") {
        case "PAY_AS_YOU_GO":
            return Words.payAsYouGo(
                price, length, times: Int(try offer.integer("periodCount")))
        case "PAY_UP_FRONT": return Words.payUpFront(price, length)
        case Words.oneTime: return amount == 0 ? Words.freeOnce : Words.once(price)
        default: return Words.free(length)
        }
    }

    func availability(of offer: Answer) -> String {
        let begins = offer.optionalMoment("begins").map { Words.from(visit.locale.moment($0)) }
        let ends = offer.optionalMoment("ends").map { Words.until(visit.locale.moment($0)) }
        let words = [begins, ends].compactMap(\.self)
        return words.isEmpty ? Words.always : words.joined(separator: ", ")
    }

    func places(of offer: Answer) -> String {
        let places = offer.texts("storefronts")
        return places.isEmpty ? Words.everywhere : places.joined(separator: ", ")
    }

    func isOver(_ offer: Answer) -> Bool { offer.optionalMoment("ends").map { $0 <= now } ?? false }

    func state(of offer: Answer) -> Cell {
        if isOver(offer) { return .badge(Words.over, .plain) }
        let isAhead = offer.optionalMoment("begins").map { $0 > now } ?? false
        return isAhead ? .badge(Words.ahead, .attention) : .badge(Words.on, .good)
    }
}

extension Visit {
    /// The offers of a product, on its page.
    func offers(of product: String, _ app: String) async throws -> PageSection {
        typealias Words = ConsoleWords.Offers
        let shelf = try await OfferShelf(self)
        return PageSection(
            Words.title, id: "offers", about: Words.sectionAbout,
            [
                try shelf.table,
                LinkList([
                    PageLink(Words.all, ConsolePath.product(app, product, "offers")),
                    PageLink(
                        Words.codes,
                        StorePath("console", "codes").with("app", app).with("product", product)
                            .text),
                ]),
            ])
    }
}

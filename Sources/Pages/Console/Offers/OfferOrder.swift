import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import StoreKitFile
import SubscriptionRules

/// An offer that somebody wants, as it was filled in.
struct OfferOrder: Sendable {
    private let form: FormInput
    private let type: String
    private let price: Int64?
    private let prices: [(storefront: String, price: Int64)]
    private let numbers: [String: Int64]

    private typealias Words = ConsoleWords.Offers

    /// - Throws: what is no number, no price or no storefront, by its field.
    init(_ form: FormInput) throws(ErrorBody) {
        self.form = form
        type = form["type"]
        price = try form.text("price").map(Self.price)
        prices = try Self.prices(form["prices"])
        var numbers: [String: Int64] = [:]
        for (name, label) in [
            ("periodCount", Words.periodCount), ("paidMonths", Words.paidMonths),
            ("fromMonths", Words.fromMonths), ("toMonths", Words.toMonths),
            ("waitMonths", Words.waitMonths),
        ] {
            numbers[name] = try form.number(name, label)
        }
        self.numbers = numbers
    }

    private static func price(_ text: String) throws(ErrorBody) -> Int64 {
        guard let price = PriceText.read(text) else {
            throw ErrorBody(
                .badRequest, "invalidMember", ConsoleWords.Catalogue.wrongPrice, field: "price")
        }
        return price
    }

    /// Prices of storefronts, one a line: `DEU 2.99`.
    private static func prices(
        _ text: String
    ) throws(ErrorBody) -> [(storefront: String, price: Int64)] {
        var prices: [(String, Int64)] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: { $0.isWhitespace })
            if words.isEmpty { continue }
            guard words.count == 2, let place = Storefront(code: words[0].uppercased()),
                let price = PriceText.read(String(words[1]))
            else {
                throw ErrorBody(
                    .badRequest, "invalidMember", Words.wrongPrices(String(line)), field: "prices")
            }
            prices.append((place.code, price))
        }
        return prices
    }

    /// The storefronts that were named, in capital letters.
    private var storefronts: [String] {
        form["storefronts"].split { $0 == "," || $0.isWhitespace }.map { $0.uppercased() }
    }

    private var audiences: [String] {
        (Offer.Audience.allCases.map(\.rawValue) + OneTimeOffer.Audience.allCases.map(\.rawValue))
            .filter { form.isTicked("audience-\($0)") }
    }

    /// The offer that would be made, as `/connect` answers it.
    var answer: Answer {
        get throws {
            var json = JSONWriter()
            json.object { write(to: &$0) }
            var members = try JSONValue(parsing: json.bytes).object ?? [:]
            // What is not filled in is free, and has one period.
            members["price"] = members["price"] ?? .integer(0)
            members["periodCount"] = members["periodCount"] ?? .integer(1)
            return Answer(value: .object(members), source: "an offer to be made")
        }
    }

    func write(to json: inout JSONWriter) {
        json.field("type", type)
        json.field("id", form.text("id"))
        json.field("referenceName", form.text("referenceName"))
        json.field("mode", form["mode"])
        json.field("period", form.text("period"))
        json.field("periodCount", numbers["periodCount"])
        json.field("price", price)
        if !prices.isEmpty {
            json.array("prices") { json in
                for one in prices {
                    json.elementObject { json in
                        json.field("storefront", one.storefront)
                        json.field("price", one.price)
                    }
                }
            }
        }
        json.field("begins", form.text("begins").map(Visit.moment))
        json.field("ends", form.text("ends").map(Visit.moment))
        json.field("storefronts", storefronts.isEmpty ? nil : storefronts)
        if type == Words.offerCode {
            json.field("audiences", audiences)
            if form["mode"] != Words.oneTime {
                json.field("stackable", form.isTicked("stackable"))
            }
        }
        guard type == Words.winBack else { return }
        json.object("winBack") { json in
            json.field("paidMonths", numbers["paidMonths"])
            json.field("fromMonths", numbers["fromMonths"])
            json.field("toMonths", numbers["toMonths"])
            json.field("waitMonths", numbers["waitMonths"])
            json.field("priority", form.text("priority"))
        }
    }
}

extension Visit {
    /// Asks for a new offer of a kind; with what was typed where one was refused.
    func newOfferPage() async throws -> Page {
        typealias Words = ConsoleWords.Offers
        let shelf = try await OfferShelf(self)
        let wanted = refused?.form.text("type") ?? asked("type")
        let type =
            shelf.kinds.first { $0.value == wanted }?.value
            ?? (shelf.isSubscription ? Words.promotional : Words.offerCode)
        let here = ConsolePath.product(shelf.app, shelf.product, "new-offer")
        let all = ConsolePath.product(shelf.app, shelf.product, "offers")
        let desk = formDesk("offer", to: all)
        var fields = nameFields(type, desk)
        if shelf.isSubscription { fields += termFields(desk) }
        fields += priceFields(desk)
        fields += placeFields(type, desk)
        fields += shelf.isSubscription ? groupFields(type, desk) : spenderFields(desk)
        // What is bought once has no periods, and so one way to be paid.
        let mode: [PageForm.Hidden] = shelf.isSubscription ? [] : [.init("mode", Words.oneTime)]
        return Page(
            Words.new(type), lead: Words.about(type),
            trail: shelf.trail + [PageLink(Words.title, all)],
            [
                LinkList(
                    shelf.kinds.map {
                        PageLink(
                            $0.text, "\(here)?type=\($0.value)", isCurrent: $0.value == type)
                    }, label: Words.kind, isTabs: true),
                desk.form(
                    .change, Words.create, hidden: [.init("type", type)] + mode, fields,
                    way: PageLink(Words.dont, all), isPreviewed: true),
                same(
                    SameCall(
                        Words.create, .post, shelf.path,
                        body: #"{"type":"PROMOTIONAL","id":"spring","mode":"PAY_AS_YOU_GO","#
                            + #""period":"P1M","periodCount":3,"price":2990}"#,
                        command: [
                            "offer", "create", shelf.product, "promotional", "spring", "--mode",
                            "pay-as-you-go", "--period", "P1M", "--count", "3", "--price", "2.99",
                        ])),
            ])
    }

    private func nameFields(_ type: String, _ desk: FormDesk) -> [Field] {
        typealias Words = ConsoleWords.Offers
        if type == Words.introductory {
            return [
                desk.field(
                    "referenceName", Words.referenceName, hint: Words.referenceHint,
                    isRequired: true)
            ]
        }
        return [
            desk.field("id", Words.identifier, hint: Words.identifierHint, isRequired: true),
            desk.field("referenceName", Words.referenceName, hint: Words.maybeEmpty),
        ]
    }

    private func termFields(_ desk: FormDesk) -> [Field] {
        typealias Words = ConsoleWords.Offers
        return [
            desk.field("mode", Words.mode, .choice(Words.modes), or: "FREE_TRIAL"),
            desk.field(
                "period", Words.period,
                .choice(Offer.lengths.map { ($0.iso8601, Words.length($0.iso8601)) }), or: "P1M",
                hint: Words.periodHint),
            desk.field("periodCount", Words.periodCount, hint: Words.periodCountHint),
        ]
    }

    private func priceFields(_ desk: FormDesk) -> [Field] {
        typealias Words = ConsoleWords.Offers
        return [
            desk.field("price", Words.price, hint: Words.priceHint),
            desk.field("prices", Words.prices, .longText, hint: Words.pricesHint),
        ]
    }

    private func placeFields(_ type: String, _ desk: FormDesk) -> [Field] {
        typealias Words = ConsoleWords.Offers
        let isWinBack = type == Words.winBack
        return [
            desk.field(
                "begins", Words.begins,
                hint: isWinBack ? Words.winBackBeginsHint : Words.beginsHint,
                isRequired: isWinBack),
            desk.field("ends", Words.ends, hint: Words.endsHint),
            desk.field(
                "storefronts", Words.storefronts, hint: Words.storefrontsHint,
                alsoCalled: "storefront"),
        ]
    }

    /// Whom the offer is for.
    private func groupFields(_ type: String, _ desk: FormDesk) -> [Field] {
        typealias Words = ConsoleWords.Offers
        switch type {
        case Words.offerCode:
            return audienceFields(
                Offer.Audience.allCases.map { ($0.rawValue, Words.audience($0)) }, desk)
                + [desk.field("stackable", Words.stackable, .checkbox)]
        case Words.winBack:
            return [
                desk.field(
                    "paidMonths", Words.paidMonths, hint: Words.paidMonthsHint, isRequired: true,
                    alsoCalled: "winBack"),
                desk.field(
                    "fromMonths", Words.fromMonths, hint: Words.sinceHint,
                    alsoCalled: "monthsSinceEnd"),
                desk.field("toMonths", Words.toMonths, hint: Words.sinceHint),
                desk.field("waitMonths", Words.waitMonths, hint: Words.waitMonthsHint),
                desk.field("priority", Words.priority, .choice(Words.priorities), or: "NORMAL"),
            ]
        default: return []
        }
    }

    /// Who redeems codes of what is bought once.
    private func spenderFields(_ desk: FormDesk) -> [Field] {
        audienceFields(
            OneTimeOffer.Audience.allCases.map {
                ($0.rawValue, ConsoleWords.Offers.audience($0))
            }, desk)
    }

    private func audienceFields(
        _ all: [(name: String, label: String)], _ desk: FormDesk
    ) -> [Field] {
        // What is wrong with all of them is said once.
        all.enumerated().map { place, one in
            desk.field(
                "audience-\(one.name)", one.label, .checkbox,
                alsoCalled: place == 0 ? "audiences" : "")
        }
    }
}

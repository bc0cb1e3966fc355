import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import StoreKitFile
import SubscriptionRules

extension Console {
    /// Why a price increase goes its way, with one subscriber or with anyone.
    var increasePages: [Endpoint<StoreSite>] { [increase, increaseForAnyone] }

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
                try visit.increases(answer) + [
                    visit.same(
                        SameCall(
                            Words.increaseTitle, .get, path, command: ["price", "of", id]))
                ])
        }
    }

    /// The same for a subscriber who is only described.
    private var increaseForAnyone: Endpoint<StoreSite> {
        page("catalogue/explain", "explain") { visit in
            typealias Words = ConsoleWords.Increase
            let form = try FormInput(visit.call.query)
            let path = StorePath("connect", "v1", "price-increases", "explain")
            var blocks: [any PageBlock] = [visit.explainForm(form)]
            var command = ["price", "explain"]
            var body: String?
            if form.text("newPrice") != nil {
                let question = try IncreaseQuestion(form)
                (command, body) = (question.command, question.body)
                blocks += try visit.increaseBlocks(
                    await visit.desk.ask(.post, path, Array(question.body.utf8)))
            }
            blocks.append(
                visit.same(SameCall(Words.title, .post, path, body: body, command: command)))
            return Page(
                Words.title, lead: Words.lead,
                trail: [PageLink(ConsoleWords.Catalogue.title, ConsolePath.catalogue)], blocks)
        }
    }
}

/// What is asked about anyone, as a call and as a command line.
private struct IncreaseQuestion {
    let body: String
    let command: [String]

    init(_ form: FormInput) throws(ErrorBody) {
        let prices = try (
            old: IncreaseQuestion.price("oldPrice", form),
            new: IncreaseQuestion.price("newPrice", form)
        )
        var json = JSONWriter()
        json.object { json in
            json.field("oldPrice", prices.old)
            json.field("newPrice", prices.new)
            json.field("storefront", form["storefront"].uppercased())
            json.field("period", form.text("period"))
            json.field("renews", Visit.moment(form["renews"]))
            json.field("live", Visit.moment(form["live"]))
            json.field("since", form.text("since").map(Visit.moment))
            json.field("lastIncrease", form.text("lastIncrease").map(Visit.moment))
            json.field("route", form.text("route"))
        }
        body = String(decoding: json.bytes, as: UTF8.self)
        let options = [
            ("--storefront", form["storefront"].uppercased()), ("--period", form["period"]),
            ("--renews", form["renews"]), ("--live", form["live"]), ("--since", form["since"]),
            ("--last-increase", form["lastIncrease"]), ("--route", form["route"]),
        ].filter { !$0.1.isEmpty }.flatMap { [$0, $1] }
        command = ["price", "explain", form["oldPrice"], form["newPrice"]] + options
    }

    private static func price(_ name: String, _ form: FormInput) throws(ErrorBody) -> Int64 {
        guard let price = PriceText.read(form[name]) else {
            throw ErrorBody(
                .badRequest, "invalidMember", ConsoleWords.Catalogue.wrongPrice, field: name)
        }
        return price
    }
}

extension Visit {
    fileprivate func explainForm(_ form: FormInput) -> PageForm {
        typealias Words = ConsoleWords.Increase
        func field(
            _ name: String, _ label: String, _ kind: Field.Kind = .text, or usual: String = "",
            hint: String = "", isRequired: Bool = false
        ) -> Field {
            Field(
                name, label, kind, in: "explain", value: form.text(name) ?? usual, hint: hint,
                isRequired: isRequired)
        }
        return PageForm(
            .ask, action: ConsolePath.explain, button: Words.explain,
            fields: [
                field("oldPrice", Words.oldPrice, hint: Words.oldPriceHint, isRequired: true),
                field("newPrice", Words.newPrice, hint: Words.newPriceHint, isRequired: true),
                field(
                    "storefront", ConsoleWords.Catalogue.storefront, or: "USA",
                    hint: ConsoleWords.Catalogue.storefrontHint, isRequired: true),
                field(
                    "period", ConsoleWords.Catalogue.period,
                    .choice(CalendarPeriod.billing.map { ($0.iso8601, $0.iso8601) }), or: "P1M"),
                field("renews", Words.renews, hint: Words.momentHint, isRequired: true),
                field("live", Words.live, hint: Words.momentHint, isRequired: true),
                field("since", Words.since, hint: Words.sinceHint),
                field("lastIncrease", Words.lastIncrease, hint: Words.lastIncreaseHint),
                field(
                    "route", Words.route,
                    .choice(
                        PriceChangeRoute.allCases.map {
                            ($0.rawValue, ConsoleWords.happening($0.rawValue))
                        })),
            ])
    }

    /// Of several items each has a section of its own.
    fileprivate func increases(_ answer: Answer) throws -> [any PageBlock] {
        let items = answer.value["items"] == nil ? [] : try answer.list("items")
        guard items.count > 1 else { return try increaseBlocks(answer) }
        return try items.enumerated().map { place, item in
            PageSection(
                try item.optionalText("displayName") ?? item.text("sku"),
                id: "item-\(place + 1)", about: ConsoleWords.Catalogue.path(try item.text("path")),
                [try increaseFacts(item), try reasonTable(item), try messageTable(item)])
        }
    }

    fileprivate func increaseBlocks(_ answer: Answer) throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Catalogue
        return [
            try increaseFacts(answer),
            PageSection(Words.reasons, id: "reasons", [try reasonTable(answer)]),
            PageSection(Words.messages, id: "messages", [try messageTable(answer)]),
        ]
    }

    private func increaseFacts(_ answer: Answer) throws -> Facts {
        typealias Words = ConsoleWords.Catalogue
        let currency = try answer.text("currency")
        return Facts([
            (Words.oldPrice, Cell(locale.amount(try answer.integer("oldPrice"), currency))),
            (Words.newPrice, Cell(locale.amount(try answer.integer("newPrice"), currency))),
            (Words.live, momentCell(answer, "live")),
            (
                Words.firstCharged,
                answer.optionalMoment("firstRenewalAtNewPrice").map(momentCell)
            ),
            (Words.answerBy, answer.optionalMoment("answerBy").map(momentCell)),
            (
                Words.withoutAnswer,
                answer.optionalText("withoutAnswer").map { Cell(ConsoleWords.happening($0)) }
            ),
        ])
    }

    private func reasonTable(_ answer: Answer) throws -> DataTable {
        typealias Words = ConsoleWords.Catalogue
        return DataTable(
            Words.reasons, columns: [Words.reason, Words.demandsConsent],
            rows: try answer.list("reasons").map { one in
                let demands = try one.bool("demandsConsent")
                return DataTable.Row([
                    Cell(try one.text("sentence")),
                    .badge(demands ? Words.yes : Words.no, demands ? .attention : .plain),
                ])
            }, empty: "")
    }

    private func messageTable(_ answer: Answer) throws -> DataTable {
        typealias Words = ConsoleWords.Catalogue
        return DataTable(
            Words.messages,
            columns: [ConsoleWords.Clock.when, Words.channel, Words.condition],
            rows: try answer.list("messages").map { one in
                DataTable.Row([
                    momentCell(one, "at"),
                    Cell(ConsoleWords.happening(try one.text("channel"))),
                    Cell(ConsoleWords.happening(try one.text("condition"))),
                ])
            }, empty: Words.noMessages)
    }
}

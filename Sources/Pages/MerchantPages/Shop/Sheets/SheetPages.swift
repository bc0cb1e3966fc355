import HTMLPages
import HTTPSurface
import HTTPTypes
import MerchantHTTP
import SubscriptionRules

extension Shop {
    /// The merchant's own sheet about a price, with and without consent.
    var sheetPages: [Endpoint<MerchantSite>] { [sheet, answer] }

    /// The oldest sheet that is open. Looking at it is no answer and no sight: what looks at links
    /// before people do must not count (SHP-6).
    private var sheet: Endpoint<MerchantSite> {
        page("price", "sheet") { visit in
            guard let sheet = try await visit.desk.sheets(withSeen: true).first else {
                return Page(
                    visit.words.increaseTitle,
                    [
                        Prose(visit.words.noSheets),
                        LinkList([PageLink(visit.words.content, ShopPath.content)]),
                    ])
            }
            return try await SheetView(visit, sheet).page
        }
    }

    /// A button of the sheet was pushed: somebody has seen it. Closing it answers nothing, so that
    /// it comes back (SHP-6).
    private var answer: Endpoint<MerchantSite> {
        action("price/{id}", "answerSheet") { visit, form in
            guard let id = visit.call.parameter("id").flatMap(Int64.init),
                let action = form.text("action")
            else { throw ErrorBody.unknownPage }
            let offered = try await visit.desk.sheets(withSeen: true).first {
                $0.id == id
            }
            guard let offered else {
                throw ErrorBody(.notFound, "unknownSheet", "There is no such sheet.")
            }
            try await visit.desk.answer("shown", sheet: id)
            guard offered.buttons.contains(action) else { return ShopPath.content }
            try await visit.desk.answer(action, sheet: id)
            return ShopDone.added(action, to: ShopPath.content)
        }
    }
}

extension OpenSheet {
    /// What silence leads to, in sentences (PI-13, SHP-9).
    ///
    /// - Parameter day: of the renewal that first charges the new price.
    func silence(_ words: any ShopWords, on day: String) -> [String] {
        switch withoutAnswer {
        case "newPrice": [words.noAnswerNeeded]
        case "oldPrice": [words.withoutAnswer, words.priceStays]
        case "ends": [words.withoutAnswer, words.endsWithoutAnswer(on: day)]
        default: [asks ? words.withoutAnswer : words.noAnswerNeeded]
        }
    }
}

/// A price sheet as a page: what costs more, how much, from when, and what to do.
private struct SheetView {
    private let visit: ShopVisit
    private let sheet: OpenSheet
    private let goods: ShopGoods
    private let period: CalendarPeriod?

    init(_ visit: ShopVisit, _ sheet: OpenSheet) async throws {
        self.visit = visit
        self.sheet = sheet
        let goods = visit.goods()
        self.goods = goods
        let product = try await visit.desk.holdings().subscriptions
            .first { $0.id == sheet.subscription }?.productID
        period = product.flatMap { goods.product($0)?.plan?.period }
    }

    private var words: any ShopWords { visit.words }

    var page: Page {
        var blocks: [any PageBlock] = []
        if !sheet.title.isEmpty {
            blocks.append(Notice(.attention, sheet.body, strong: sheet.title))
        }
        blocks += [
            Offering(price(sheet.newPrice), details: [], act: nil), facts,
        ]
        for sentence in sheet.silence(words, on: visit.locale.day(sheet.date)) {
            blocks.append(Prose(sentence))
        }
        for button in sheet.buttons {
            if let name = name(of: button) { blocks.append(form(button, name)) }
        }
        // A notice is closed by its OK alone; a question may also wait.
        if sheet.asks { blocks.append(form("later", words.later)) }
        blocks.append(
            LinkList([
                PageLink(words.reviewOrCancel, visit.store.subscription(sheet.subscription))
            ]))
        return Page(sheet.isConversion ? words.conversionTitle : words.increaseTitle, blocks)
    }

    private var facts: Facts {
        let day = visit.locale.day(sheet.date)
        return Facts([
            (
                words.subscription,
                Cell(sheet.items.map { goods.name($0) }.joined(separator: ", "))
            ),
            (
                sheet.isConversion ? words.trialNow : words.oldPrice,
                Cell(price(sheet.oldPrice))
            ),
            (words.newPrice, Cell(price(sheet.newPrice))),
            (words.from, .moment(sheet.date, day)),
            (
                words.answerBy,
                sheet.answerBy.map { .moment($0, visit.locale.moment($0)) }
            ),
        ])
    }

    private func price(_ milliunits: Int64) -> String {
        let amount = visit.locale.amount(milliunits, sheet.currency)
        return period.map { words.price(amount, every: $0) } ?? amount
    }

    private func name(of action: String) -> String? {
        switch action {
        case "agree": words.agree
        case "decline": words.decline
        case "acknowledged": words.ok
        default: nil
        }
    }

    private func form(_ action: String, _ button: String) -> PageForm {
        let isAnswer = ["agree", "acknowledged"].contains(action)
        return PageForm(
            isAnswer ? .change : .aside, action: ShopPath.answer(to: sheet.id), button: button,
            hidden: [ShopForm.hidden(), .init("action", action)])
    }
}

import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import Timeline

extension Console {
    /// What customers want back, and what they have to pay.
    var refundPages: [Endpoint<StoreSite>] { [refunds, decideRefund, answerBill] }

    private var refunds: Endpoint<StoreSite> {
        page("refunds", "refunds") { visit in
            typealias Words = ConsoleWords.Refunds
            let path = StorePath("connect", "v1", "refund-requests")
            let answer = try await visit.desk.get(path.with("before", visit.asked("before")))
            let all = try answer.list("refundRequests")
            let bills = StorePath("connect", "v1", "bills").with("state", "pending")
            let open = try await visit.desk.get(bills)
            return Page(
                Words.title,
                [
                    PageSection(
                        Words.requests, id: "requests", about: Words.requestsAbout,
                        [
                            try visit.requestTable(
                                all,
                                more: visit.more(
                                    answer, to: StorePath("console", "refunds"), "before",
                                    all.last?.text("id")))
                        ] + (try visit.decisions(of: all))),
                    PageSection(
                        Words.bills, id: "bills", about: Words.billsAbout,
                        [try visit.billTable(open.list("bills"))]
                            + (try visit.answers(to: open.list("bills")))),
                    visit.same(
                        SameCall(Words.requests, .get, path, command: ["refunds"]),
                        SameCall(Words.bills, .get, bills, command: ["bills"])),
                ])
        }
    }

    private var decideRefund: Endpoint<StoreSite> {
        action("refunds/{id}", "decideRefund") { visit, form in
            let id = try visit.part("id")
            let path = StorePath("connect", "v1", "refund-requests", id)
            if form["decision"] == "grant" {
                _ = try await visit.desk.send(
                    .post, StorePath(parts: path.parts + ["grant"])
                ) { _ in }
            } else {
                _ = try await visit.desk.send(.post, StorePath(parts: path.parts + ["decline"]))
            }
            return ConsolePath.refunds
        }
    }

    private var answerBill: Endpoint<StoreSite> {
        action("bills/{id}", "answerBill") { visit, form in
            let id = try visit.part("id")
            _ = try await visit.desk.send(
                .post, StorePath("connect", "v1", "bills", id, "answer")
            ) { $0.field("answer", form["answer"]) }
            return ConsolePath.refunds
        }
    }
}

extension Visit {
    fileprivate func requestTable(_ all: [Answer], more: PageLink?) throws -> DataTable {
        typealias Words = ConsoleWords.Refunds
        return DataTable(
            Words.requests,
            columns: [
                Words.number, Words.customer, Words.product, Words.amount, Words.reason,
                Words.state,
            ],
            rows: try all.map { one in
                let account = try one.text("account")
                let original = try one.text("originalTransactionId")
                let state = try one.text("state")
                return DataTable.Row([
                    .number(try one.text("id")),
                    Cell(PageLink(account, ConsolePath.customer(account))),
                    Cell(
                        PageLink(try one.bought(), ConsolePath.subscription(original)),
                        detail: try one.text("transactionId")),
                    try priceCell(one),
                    Cell(one.optionalText("reason").map(ConsoleWords.happening) ?? ""),
                    .badge(
                        state, state == "open" ? .attention : .plain,
                        detail: one.optionalMoment("decides").map {
                            Words.decides(locale.moment($0))
                        }),
                ])
            }, empty: Words.noRequests, more: more)
    }

    /// What was paid, and what of it was given back.
    private func priceCell(_ request: Answer) throws -> Cell {
        let (price, currency) = (try request.integer("price"), try request.text("currency"))
        let given = request.optionalInteger("refunded").map {
            ConsoleWords.Refunds.given(
                locale.figures.givenBack(
                    $0, of: price, currency, request.optionalInteger("percentage")))
        }
        return .number(locale.amount(price, currency), detail: given)
    }

    fileprivate func decisions(of all: [Answer]) throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Refunds
        return try all.filter { try $0.text("state") == "open" }.prefix(10).map { one in
            let id = try one.text("id")
            return PageForm(
                .change, action: StorePath("console", "refunds", id).text, button: Words.decide,
                hidden: [FormID.hidden(), Preview.hidden],
                fields: [
                    Field(
                        "decision", Words.decision(id), .choice(Words.decisions),
                        in: "refund-\(id)", value: "decline")
                ])
        }
    }

    fileprivate func billTable(_ bills: [Answer]) throws -> DataTable {
        typealias Words = ConsoleWords.Refunds
        return DataTable(
            Words.bills,
            columns: [
                Words.number, Words.customer, Words.product, Words.amount, Words.made,
                Words.answers,
            ],
            rows: try bills.map { one in
                let account = try one.text("account")
                return DataTable.Row([
                    .code(try one.text("id")),
                    Cell(PageLink(account, ConsolePath.customer(account))),
                    Cell(try one.bought()),
                    .number(
                        locale.amount(try one.integer("amount"), try one.text("currency"))),
                    momentCell(one, "made"), momentCell(one, "answers"),
                ])
            }, empty: Words.noBills)
    }

    fileprivate func answers(to bills: [Answer]) throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Refunds
        return try bills.prefix(10).map { one in
            let id = try one.text("id")
            return PageForm(
                .change, action: StorePath("console", "bills", id).text, button: Words.answer,
                hidden: [FormID.hidden(), Preview.hidden],
                fields: [
                    Field(
                        "answer", Words.bankSays(id), .choice(Words.bankAnswers),
                        in: "bill-\(id)", value: "paid")
                ])
        }
    }
}

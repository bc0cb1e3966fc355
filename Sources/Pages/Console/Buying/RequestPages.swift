import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

extension Console {
    /// Purchases that wait for somebody else, and deciding them.
    var requestPages: [Endpoint<StoreSite>] { [requests, request, decideRequest] }

    private var requests: Endpoint<StoreSite> {
        page("requests", "requests") { visit in
            typealias Words = ConsoleWords.Requests
            let (account, state) = (visit.asked("account"), visit.asked("state"))
            let reason = visit.asked("reason")
            let path = StorePath("connect", "v1", "purchase-requests").with("account", account)
                .with("state", state).with("reason", reason)
            let list = try await FilteredList(
                visit,
                path.with("before", visit.asked("before")).with("limit", String(Visit.pageSize)))
            var page = try list.page(
                Words.title, lead: Words.lead, to: ConsolePath.requests,
                [
                    list.field("account", Words.customer, refusedBy: "unknownAccount"),
                    list.field("state", Words.state, .choice(Words.states)),
                    list.field("reason", Words.why, .choice(Words.reasons)),
                ]
            ) { answer in
                let all = try answer.list("purchaseRequests")
                let here = StorePath("console", "requests").with("account", account)
                    .with("state", state).with("reason", reason)
                return [
                    try visit.requestTable(
                        all, more: visit.more(answer, to: here, "before", all.last?.text("id")))
                ]
            }
            let options = [("--account", account), ("--state", state)]
            page.blocks.append(
                visit.same(
                    SameCall(
                        Words.title, .get, path,
                        command: reason != nil
                            ? nil
                            : ["requests", "list"]
                                + options.flatMap { name, value in value.map { [name, $0] } ?? [] }
                    )))
            return page
        }
    }

    private var request: Endpoint<StoreSite> {
        page("requests/{id}", "request") { visit in try await visit.requestPage() }
    }

    private var decideRequest: Endpoint<StoreSite> {
        action(
            "requests/{id}/{decision}", "decideRequest",
            on: { visit in try await visit.requestPage() }
        ) { visit, _ in
            let (id, decision) = (try visit.part("id"), try visit.part("decision"))
            guard ["approve", "decline"].contains(decision) else { throw ErrorBody.unknownPage }
            _ = try await visit.desk.send(
                .post, StorePath("connect", "v1", "purchase-requests", id, decision))
            return ConsolePath.request(id)
        }
    }
}

extension Visit {
    /// Purchases that wait or waited.
    fileprivate func requestTable(_ all: [Answer], more: PageLink? = nil) throws -> DataTable {
        typealias Words = ConsoleWords.Requests
        return DataTable(
            Words.title,
            columns: [
                Words.product, Words.customer, Words.price, Words.why, Words.asked, Words.state,
            ],
            rows: try all.map { one in
                let account = try one.text("account")
                return DataTable.Row([
                    Cell(
                        PageLink(
                            try one.text("productId"), ConsolePath.request(try one.text("id")))),
                    Cell(PageLink(account, ConsolePath.customer(account))),
                    .number(try price(of: one) ?? ""),
                    Cell(Words.reason(try one.text("reason"))), momentCell(one, "asked"),
                    try requestState(one),
                ])
            }, empty: Words.none, more: more)
    }

    private func price(of request: Answer) throws -> String? {
        try request.optionalInteger("price").map {
            locale.amount($0, try request.text("currency"))
        }
    }

    private func requestState(_ request: Answer) throws -> Cell {
        typealias Words = ConsoleWords.Requests
        let state = try request.text("state")
        let tone: Tone =
            switch state {
            case "waiting": .attention
            case "approved": request.optionalText("obstacle") == nil ? .good : .bad
            default: .plain
            }
        let detail =
            request.optionalText("obstacle").map(ConsoleWords.happening)
            ?? request.optionalMoment("lapses").map { Words.until(locale.moment($0)) }
        return .badge(state, tone, detail: detail)
    }

    /// One request: what would become of it, and deciding it.
    fileprivate func requestPage() async throws -> Page {
        typealias Words = ConsoleWords.Requests
        let id = try part("id")
        let path = StorePath("connect", "v1", "purchase-requests", id)
        let one = try await desk.get(path)
        let state = try one.text("state")
        var blocks: [any PageBlock] = [try facts(ofRequest: one)]
        if state == "waiting" {
            blocks += try await decisions(on: one, id)
        } else {
            blocks.append(
                Notice(.plain, Words.outcome(state, obstacle: one.optionalText("obstacle"))))
        }
        blocks.append(
            same(
                SameCall(Words.request, .get, path, command: ["requests", "show", id]),
                SameCall(
                    Words.approve, .post, StorePath(parts: path.parts + ["approve"]),
                    command: ["requests", "approve", id]),
                SameCall(
                    Words.decline, .post, StorePath(parts: path.parts + ["decline"]),
                    command: ["requests", "decline", id])))
        return Page(
            Words.name(try one.text("account"), try one.text("productId")),
            badge: try requestState(one),
            trail: [PageLink(Words.title, ConsolePath.requests)], blocks)
    }

    private func facts(ofRequest one: Answer) throws -> Facts {
        typealias Words = ConsoleWords.Requests
        let account = try one.text("account")
        let subscription = one.optionalText("originalTransactionId")
        return Facts([
            (Words.customer, Cell(PageLink(account, ConsolePath.customer(account)))),
            (Words.product, Cell(try one.text("productId"))),
            (Words.quantity, Cell(try one.text("quantity"))),
            (Words.price, try price(of: one).map { Cell($0, detail: Words.priceAbout) }),
            (Words.why, Cell(Words.reason(try one.text("reason")))),
            (Words.asked, momentCell(one, "asked")),
            (Words.lapses, one.optionalMoment("lapses").map(momentCell)),
            (Words.decided, one.optionalMoment("decided").map(momentCell)),
            (
                Words.subscription,
                subscription.map { .code($0).linked(to: ConsolePath.subscription($0)) }
            ),
            (Words.transaction, one.optionalText("transactionId").map { .code($0) }),
            (Words.bill, one.optionalText("billId").map { .code($0) }),
            (Words.app, Cell(try one.text("bundleId"))),
        ])
    }

    /// What approving it will do with its button, and the button that declines it.
    private func decisions(on one: Answer, _ id: String) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Requests
        let isInterrupted = try one.text("reason") == "interrupted"
        let approval: [any PageBlock]
        do {
            let told = try await desk.ask(
                .post, StorePath("connect", "v1", "purchase-requests", id, "approve"), nil,
                rehearses: true)
            approval = [
                rehearsal(
                    try told.list("entries"),
                    PageForm(
                        .change, action: ConsolePath.request(id, "approve"),
                        button: isInterrupted ? Words.settle : Words.approve,
                        about: Words.approvalAbout, hidden: [FormID.hidden()]))
            ]
        } catch let refusal as ConnectRefusal {
            approval = [
                Notice(
                    .attention, refusal.message,
                    link: PageLink(Words.settings, ConsolePath.app(try one.text("bundleId"))))
            ]
        }
        return approval + [
            PageSection(
                Words.decline, id: "decline", about: Words.declineAbout,
                [
                    PageForm(
                        .danger, action: ConsolePath.request(id, "decline"), button: Words.decline,
                        hidden: [FormID.hidden()])
                ])
        ]
    }
}

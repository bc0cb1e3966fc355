import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

extension Console {
    /// Proofs that are wrong on purpose.
    var forgeryPages: [Endpoint<StoreSite>] { [forgeries, forgery] }

    private var forgeries: Endpoint<StoreSite> {
        page("forgeries", "forgeries") { visit in
            typealias Words = ConsoleWords.Forgeries
            let about = visit.asked("about") ?? Words.subjects[0].value
            let path = StorePath("connect", "v1", "forgeries").with("about", about)
            let kinds = try await visit.desk.get(path).list("forgeries")
            return Page(
                Words.title, lead: Words.lead,
                [
                    PageForm(
                        .ask, action: ConsolePath.forgeries, button: ConsoleWords.filter,
                        fields: [
                            Field(
                                "about", Words.about, .choice(Words.subjects), in: "filter",
                                value: about)
                        ]),
                    DataTable(
                        Words.title,
                        columns: [Words.kind, Words.why, Words.mustBe, Words.code, Words.apple],
                        rows: try kinds.map { kind in
                            let name = try kind.text("name")
                            return DataTable.Row([
                                .code(name).linked(to: ConsolePath.forgery(name)),
                                Cell(try kind.text("why").withoutTicks), try visit.mustBeCell(kind),
                                kind.optionalText("code").map { .code($0) } ?? .none,
                                visit.appleCell(kind),
                            ])
                        }, empty: Words.none),
                    visit.same(
                        SameCall(Words.title, .get, path, command: ["forge", "--about", about]),
                        SameCall(
                            Words.all, .post, StorePath("connect", "v1", "forgeries"),
                            body: #"{"kind":"all","bundleId":"…"}"#,
                            command: ["forge", "--all", "--json"])),
                ])
        }
    }

    private var forgery: Endpoint<StoreSite> {
        page("forgeries/{kind}", "forgery") { visit in
            typealias Words = ConsoleWords.Forgeries
            let name = try visit.part("kind")
            let kinds = try await visit.desk.get(StorePath("connect", "v1", "forgeries"))
            let kind = try kinds.list("forgeries").first { try $0.text("name") == name }
            guard let kind else { throw ErrorBody.unknownPage }
            var page = Page(
                name, lead: try kind.text("why").withoutTicks,
                trail: [PageLink(Words.title, ConsolePath.forgeries)],
                try visit.blocks(of: kind))
            let apps = try await visit.desk.apps().map(\.bundleID)
            guard let first = apps.first else {
                page.blocks.append(Notice(.plain, Words.noApp))
                return page
            }
            // Each time that one is made it is another one, so a page that is only read makes none.
            let asked = visit.asked("app")
            let (blocks, refusal) = try await visit.forged(name, in: asked)
            page.blocks.append(
                PageSection(
                    Words.make, id: "make", about: Words.makeAbout,
                    [visit.form(name, apps: apps, app: asked ?? first, refusal)]))
            page.blocks += blocks
            if let refusal {
                page.blocks.insert(Notice(.bad, refusal.message, id: "problem"), at: 0)
                page.status = refusal.status
            }
            let transaction = visit.asked("transaction")
            page.blocks.append(
                visit.same(
                    SameCall(
                        Words.button, .post, StorePath("connect", "v1", "forgeries"),
                        body: String(
                            decoding: Visit.order(name, asked ?? first, transaction),
                            as: UTF8.self),
                        command: ["forge", name] + (transaction.map { ["--of", $0] } ?? []))))
            return page
        }
    }
}

extension String {
    /// The same without the marks that documents set names of members between.
    fileprivate var withoutTicks: String { replacing("`", with: "") }
}

extension Visit {
    fileprivate func mustBeCell(_ kind: Answer) throws -> Cell {
        typealias Words = ConsoleWords.Forgeries
        return try kind.text("mustBe") == "refused"
            ? .badge(Words.refused, .bad)
            : .badge(
                Words.accepted, kind.optionalText("lookAt") == nil ? .good : .attention)
    }

    /// What Apple's library answers, and why where that is something else.
    fileprivate func appleCell(_ kind: Answer) -> Cell {
        guard let status = kind.optionalText("appleStatus") else { return .none }
        return .code(status, detail: kind.optionalText("difference")?.withoutTicks)
    }

    fileprivate func blocks(of kind: Answer) throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Forgeries
        let about = try kind.text("about")
        var blocks: [any PageBlock] = [
            Facts([
                (Words.about, Cell(Words.subjects.first { $0.value == about }?.text ?? about)),
                (Words.mustBe, try mustBeCell(kind)),
                (Words.code, kind.optionalText("code").map { .code($0) }),
                (Words.apple, kind.optionalText("appleStatus").map { .code($0) }),
                (Words.onlyIn, kind.optionalText("onlyIn").map { Cell($0) }),
            ])
        ]
        if let lookAt = kind.optionalText("lookAt") {
            blocks.append(Notice(.attention, lookAt.withoutTicks, strong: Words.lookAt))
        }
        if let difference = kind.optionalText("difference") {
            blocks.append(
                PageSection(
                    Words.difference, id: "difference", [Prose(difference.withoutTicks)]))
        }
        return blocks
    }

    fileprivate func form(
        _ name: String, apps: [String], app: String, _ refusal: ConnectRefusal?
    ) -> PageForm {
        typealias Words = ConsoleWords.Forgeries
        let transaction = asked("transaction")
        let isWrong = transaction != nil && refusal?.code != "notForgeable"
        return PageForm(
            .ask, action: ConsolePath.forgery(name), button: Words.button,
            fields: [
                Field("app", Words.app, .choice(apps.map { ($0, $0) }), in: "make", value: app),
                Field(
                    "transaction", Words.transaction, in: "make", value: transaction ?? "",
                    hint: Words.transactionHint, problem: isWrong ? refusal?.message : nil),
            ])
    }

    /// What is asked of `/connect`.
    fileprivate static func order(_ kind: String, _ app: String, _ transaction: String?) -> [UInt8]
    {
        var json = JSONWriter()
        json.object { json in
            json.field("kind", kind)
            json.field("bundleId", app)
            json.field("transactionId", transaction)
        }
        return json.bytes
    }

    /// The text of a kind, or why there is none; neither where none was asked for.
    fileprivate func forged(
        _ kind: String, in app: String?
    ) async throws -> ([any PageBlock], ConnectRefusal?) {
        typealias Words = ConsoleWords.Forgeries
        guard let app else { return ([], nil) }
        do {
            let answer = try await desk.ask(
                .post, StorePath("connect", "v1", "forgeries"),
                Self.order(kind, app, asked("transaction")))
            guard let made = try answer.list("forgeries").first else { return ([], nil) }
            var blocks: [any PageBlock] = []
            if let first = made.value["first"]?.string {
                blocks.append(section(Words.first, id: "first", first, of: made, "first"))
            }
            // As it is, with the line breaks that are wrong with it.
            let text = made.value["text"]?.string ?? ""
            return (blocks + [section(Words.text, id: "text", text, of: made, "text")], nil)
        } catch let refusal as ConnectRefusal {
            return ([], refusal)
        }
    }

    /// A text with what it says, as far as that can be read.
    private func section(
        _ title: String, id: String, _ text: String, of made: Answer, _ key: String
    ) -> PageSection {
        typealias Words = ConsoleWords.Forgeries
        guard text.utf8.count <= 65_536 else {
            let count = locale.number(text.utf8.count)
            return PageSection(title, id: id, [Prose(Words.tooLong(count))])
        }
        guard !text.isEmpty else { return PageSection(title, id: id, [Prose(Words.empty)]) }
        var blocks = [CodeText(title, text, isOpen: true)]
        if let header = made.header(key) {
            blocks.append(CodeText(Words.header, Visit.pretty(header)))
        }
        if let payload = made.payload(key) {
            blocks.append(CodeText(Words.payload, Visit.pretty(payload)))
        }
        return PageSection(title, id: id, about: Words.textAbout, blocks)
    }
}

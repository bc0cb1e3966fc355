import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules
import TimeAndChance

extension Console {
    /// Extensions for all subscribers of a product.
    var extensionPages: [Endpoint<StoreSite>] {
        [extensions, orderExtension, massExtension, extensionStream, retryExtension]
    }

    private var extensions: Endpoint<StoreSite> {
        page("extensions", "extensions") { visit in
            typealias Words = ConsoleWords.Extensions
            let path = StorePath("connect", "v1", "mass-extensions")
            let answer = try await visit.desk.get(path.with("before", visit.asked("before")))
            let all = try answer.list("massExtensions").map { try $0.massExtension }
            return Page(
                Words.title,
                [
                    PageSection(
                        Words.order, id: "order", about: Words.orderAbout,
                        [
                            PageForm(
                                .ask, action: "/console/extensions/new", button: Words.see,
                                fields: try await visit.orderFields())
                        ]),
                    try visit.extensionTable(
                        all,
                        more: visit.more(
                            answer, to: StorePath("console", "extensions"), "before",
                            all.last.map { String($0.id) })),
                    visit.same(SameCall(Words.title, .get, path, command: ["extensions"])),
                ])
        }
    }

    /// What an order would begin, and the button that begins it.
    private var orderExtension: Endpoint<StoreSite> {
        page("extensions/new", "newExtension") { visit in
            typealias Words = ConsoleWords.Extensions
            let app = try await visit.app()
            let product = visit.asked("product") ?? ""
            let days = visit.asked("days") ?? ""
            guard ExtensionForm.days.setting.change(typed: days) != nil else {
                throw ErrorBody(
                    .badRequest, "invalidMember", Words.wrongDays, field: ExtensionForm.days.name)
            }
            let reason = visit.asked("reason") ?? ExtensionForm.reason.words(for: .undeclared)
            let identifier = DerivedUUID.text(
                seed: Randomness.token("form_"), purpose: "massExtension", number: 0)
            let path = StorePath("connect", "v1", "apps", app, "mass-extensions")
            var json = JSONWriter()
            json.object { json in
                ExtensionForm.write(product: product, days: days, reason: reason, to: &json)
            }
            let trial = try ExtensionTrial(
                await visit.desk.ask(.post, path, json.bytes, rehearses: true))
            return Page(
                Words.newTitle(days, product),
                trail: [PageLink(Words.title, ConsolePath.extensions)],
                visit.blocks(of: trial, product, days: days, reason: reason) + [
                    PageForm(
                        .danger, action: "/console/extensions", button: Words.begin,
                        about: trial.isOfNobody ? Words.nobodyToExtend : nil,
                        hidden: [
                            .init(FormID.field, identifier), .init("app", app),
                            .init("product", product), .init("days", days),
                            .init("reason", reason),
                        ], way: PageLink(Words.dont, ConsolePath.extensions),
                        isOff: trial.isOfNobody),
                    visit.same(
                        SameCall(
                            Words.begin, .post, path,
                            body: #"{"productId":"\#(product)","days":\#(days)}"#,
                            command: ["extensions", "grant-all", product, "--days", days])),
                ])
        }
    }

    private var massExtension: Endpoint<StoreSite> {
        page("extensions/{id}", "extension") { visit in
            typealias Words = ConsoleWords.Extensions
            let one = try await visit.massExtension()
            let id = String(one.id)
            var blocks: [any PageBlock] = []
            if !one.isComplete {
                let step = ExtensionStep(one, visit.locale).step
                blocks.append(
                    Progress(
                        Words.running, text: step.text, permille: step.permille,
                        stream: StorePath("console", "extensions", id, "stream").text,
                        reload: PageLink(
                            ConsoleWords.Clock.lookAgain,
                            StorePath("console", "extensions", id).text)))
            }
            let path = StorePath("connect", "v1", "mass-extensions", id, "failures")
            let failures = try await visit.desk.get(path.with("after", visit.asked("after")))
            blocks += [
                visit.extensionFacts(one),
                PageSection(
                    Words.failures, id: "failures",
                    [try visit.failureTable(failures, of: one)]),
                visit.same(
                    SameCall(Words.failures, .get, path, command: ["extensions", "failures", id]),
                    SameCall(
                        Words.tryAll, .post,
                        StorePath("connect", "v1", "mass-extensions", id, "retry"),
                        command: ["extensions", "retry", id])),
            ]
            return Page(
                Words.newTitle(String(one.order.days), one.order.productID),
                badge: visit.extensionState(one),
                trail: [PageLink(Words.title, ConsolePath.extensions)], blocks)
        }
    }

    private var extensionStream: Endpoint<StoreSite> {
        endpoint(.get, "extensions/{id}/stream", "extensionStream") { call in
            guard let visit = Visit(call, console: self) else { throw Unauthenticated() }
            return EventStream.response(to: call.request) {
                try await ExtensionStep(visit.massExtension(), visit.locale).step
            }
        }
    }

    /// Begins an extension, or tries one subscriber again who was left out.
    private var retryExtension: Endpoint<StoreSite> {
        action("extensions", "beginExtension") { visit, form in
            let answer = try await visit.desk.send(
                .post, StorePath("connect", "v1", "apps", form["app"], "mass-extensions")
            ) { json in
                ExtensionForm.write(
                    product: form["product"], days: form["days"], reason: form["reason"],
                    to: &json)
                // A second start of the same identifier shows the first.
                json.write(
                    ExtensionForm.requestIdentifier.setting.change(ofText: form[FormID.field]))
            }
            return StorePath("console", "extensions", String(try answer.massExtension.id)).text
        }
    }
}

/// What would come of an extension, as a rehearsal told it.
private struct ExtensionTrial {
    private(set) var extended = 0
    private(set) var failed = 0
    /// Whether it came to the end: of very many only the first ones are tried.
    private(set) var isWhole = false
    /// Why some would be left out, with how many.
    private(set) var reasons: [(String, Int)] = []

    var isOfNobody: Bool { isWhole && extended + failed == 0 }

    init(_ answer: Answer) throws {
        var counts: [String: Int] = [:]
        for entry in try answer.list("entries") {
            switch try entry.text("event") {
            case "wasExtended": extended += 1
            case "extensionFailed":
                failed += 1
                // The reason, and the extension's identifier.
                let reason = entry.optionalText("note")?.prefix { $0 != " " } ?? ""
                counts[String(reason), default: 0] += 1
            case "completedMassExtension": isWhole = true
            default: break
            }
        }
        reasons = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { ($0.key, $0.value) }
    }
}

/// How far an extension is.
private struct ExtensionStep {
    let step: EventStream.Step

    init(_ one: MassExtensionSheet, _ locale: PageLocale) {
        let (done, all) = (Int(one.reached), max(Int(one.candidates), 1))
        step = EventStream.Step(
            ConsoleWords.Extensions.reached(locale.number(done), of: locale.number(all)),
            permille: min(done * 1000 / all, 1000), isDone: one.isComplete)
    }
}

extension Visit {
    /// The extension of the path: one of the first page of the list, or behind it.
    fileprivate func massExtension() async throws -> MassExtensionSheet {
        let id = try part("id")
        guard let number = Int64(id), number < .max else { throw ErrorBody.unknownPage }
        let page = try await desk.get(
            StorePath("connect", "v1", "mass-extensions").with("before", String(number + 1))
                .with("limit", "1"))
        guard let one = try page.list("massExtensions").first?.massExtension, one.id == number
        else { throw ErrorBody.unknownPage }
        return one
    }

    /// What would come of an extension.
    fileprivate func blocks(
        of trial: ExtensionTrial, _ product: String, days: String, reason: String
    ) -> [any PageBlock] {
        typealias Words = ConsoleWords.Extensions
        return [
            Facts([
                (Words.product, Cell(product)), (Words.days, Cell(days)),
                (Words.reason, Cell(ConsoleWords.happening(reason))),
                (
                    Words.candidates,
                    Cell(
                        locale.number(trial.extended + trial.failed),
                        detail: trial.isWhole ? nil : Words.onlyFirst)
                ),
                (Words.wouldSucceed, Cell(locale.number(trial.extended))),
                (Words.wouldFail, Cell(locale.number(trial.failed))),
            ]),
            DataTable(
                Words.wouldFailWhy, columns: [Words.why, Words.candidates],
                rows: trial.reasons.map { reason, count in
                    DataTable.Row([
                        Cell(ConsoleWords.happening(reason)),
                        .number(locale.number(count)),
                    ])
                }, empty: Words.nobodyLeftOut, hidesCaption: false),
        ]
    }

    fileprivate func orderFields() async throws -> [Field] {
        typealias Words = ConsoleWords.Extensions
        let app = try await app()
        let products = try await desk.get(
            StorePath("connect", "v1", "apps", app, "catalogue")
        ).list("products").filter { $0.value["subscription"] != nil }.map { try $0.text("id") }
        return [
            Field(
                "product", Words.product, .choice(products.map { ($0, $0) }), in: "order",
                value: typed("product", or: products.first ?? "")),
            Field(
                "days", Words.days, in: "order", value: typed("days", or: "7"),
                hint: ConsoleWords.Acts.daysHint,
                isRequired: true),
            Field(
                "reason", Words.reason, .choice(ConsoleWords.Acts.extensionReasons), in: "order",
                value: typed("reason", or: "serviceIssueOrOutage")),
        ]
    }

    fileprivate func extensionTable(_ all: [MassExtensionSheet], more: PageLink?) -> DataTable {
        typealias Words = ConsoleWords.Extensions
        return DataTable(
            Words.title,
            columns: [
                Words.product, Words.days, Words.ordered, Words.candidates, Words.succeeded,
                Words.failed, Words.state,
            ],
            rows: all.map { one in
                DataTable.Row([
                    Cell(
                        PageLink(
                            one.order.productID,
                            StorePath("console", "extensions", String(one.id)).text),
                        detail: reasonWords(one)),
                    .number(String(one.order.days)), momentCell(one.created),
                    .number(locale.number(Int(one.candidates))),
                    .number(locale.number(Int(one.succeeded))),
                    .number(locale.number(Int(one.failed))),
                    extensionState(one),
                ])
            }, empty: Words.none, more: more)
    }

    /// Whether it is over, and all were extended.
    fileprivate func extensionState(_ one: MassExtensionSheet) -> Cell {
        typealias Words = ConsoleWords.Extensions
        guard one.isComplete else { return .badge(Words.runningState, .attention) }
        return one.failed == 0
            ? .badge(Words.complete, .good) : .badge(Words.completeButSome, .attention)
    }

    private func reasonWords(_ one: MassExtensionSheet) -> String {
        ConsoleWords.happening(ExtensionForm.reason.words(for: one.order.reason))
    }

    fileprivate func extensionFacts(_ one: MassExtensionSheet) -> Facts {
        typealias Words = ConsoleWords.Extensions
        return Facts([
            (Words.ordered, momentCell(one.created)),
            (Words.finished, one.completed.map(momentCell)),
            (Words.reason, Cell(reasonWords(one))),
            (Words.candidates, Cell(locale.number(Int(one.candidates)))),
            (Words.succeeded, Cell(locale.number(Int(one.succeeded)))),
            (Words.failed, Cell(locale.number(Int(one.failed)))),
            (Words.identifier, .code(one.order.requestIdentifier)),
        ])
    }

    fileprivate func failureTable(
        _ answer: Answer, of one: MassExtensionSheet
    ) throws -> DataTable {
        typealias Words = ConsoleWords.Extensions
        let failures = try answer.list("failures").map {
            try $0.read(ExtensionForm.failed, into: FailedExtension())
        }
        return DataTable(
            Words.failures, columns: [Words.customer, Words.why, Words.again],
            rows: failures.map { failure in
                let id = String(failure.originalTransactionID)
                return DataTable.Row([
                    Cell(
                        PageLink(failure.account, ConsolePath.customer(failure.account)),
                        detail: id),
                    Cell(ConsoleWords.happening(failure.reason)),
                    failure.extended.map(momentCell)
                        ?? Cell(
                            PageLink(
                                Words.tryAgain,
                                StorePath("console", "subscriptions", id, "extend")
                                    .with("days", String(one.order.days)).with("preview", "1")
                                    .text)),
                ])
            }, empty: Words.noFailures,
            more: try more(
                answer, to: StorePath("console", "extensions", String(one.id)), "after",
                failures.last.map { String($0.originalTransactionID) }))
    }
}

extension Answer {
    /// What it tells of a mass extension.
    fileprivate var massExtension: MassExtensionSheet {
        get throws { try read(ExtensionForm.massExtension, into: MassExtensionSheet()) }
    }
}

extension ExtensionForm {
    /// Writes an order as a form has it; what no order can say is refused by name.
    fileprivate static func write(
        product: String, days: String, reason: String, to json: inout JSONWriter
    ) {
        json.write(productID.change(to: product))
        json.write(self.days.setting.change(ofText: days))
        json.write(self.reason.setting.change(ofText: reason))
    }
}

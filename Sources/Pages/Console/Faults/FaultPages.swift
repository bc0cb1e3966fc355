import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

extension Console {
    /// What goes wrong on purpose.
    var faultPages: [Endpoint<StoreSite>] { [faults, addFault, removeFault, clearFaults] }

    private var faults: Endpoint<StoreSite> {
        page("faults", "faults") { visit in
            typealias Words = ConsoleWords.Faults
            let path = StorePath("connect", "v1", "faults")
            let all = try await visit.desk.get(path).list("faults")
            var blocks: [any PageBlock] = [try visit.faultTable(all)]
            if !all.isEmpty {
                blocks += [
                    PageForm(
                        .change, action: "/console/faults/remove", button: Words.removeButton,
                        hidden: [FormID.hidden(), Preview.hidden],
                        fields: [
                            Field(
                                "id", Words.remove,
                                .choice(
                                    try all.map { one in
                                        (try one.text("id"), try visit.sentence(one))
                                    }), in: "remove")
                        ]),
                    PageForm(
                        .change, action: "/console/faults/clear", button: Words.clear,
                        hidden: [FormID.hidden(), Preview.hidden]),
                ]
            }
            return Page(
                Words.title, lead: Words.lead,
                blocks + [
                    PageSection(Words.add, id: "add", [visit.faultForm]),
                    visit.same(
                        SameCall(Words.title, .get, path, command: ["fault", "list"]),
                        SameCall(
                            Words.add, .post, path,
                            body: #"{"kind":"dropNotifications","count":2}"#,
                            command: ["fault", "add", "dropNotifications", "--count", "2"]),
                        SameCall(Words.clear, .delete, path, command: ["fault", "clear"])),
                ])
        }
    }

    private var addFault: Endpoint<StoreSite> {
        action(
            "faults", "addFault",
            foretells: { visit, form, _ in [try await visit.faultAhead(form)] }
        ) { visit, form in
            typealias Words = ConsoleWords.Faults
            let percent = try form.number("percent", Words.percent)
            let count = try form.number("count", Words.count)
            let errorCode = try form.number("errorCode", Words.errorCode)
            _ = try await visit.desk.send(.post, StorePath("connect", "v1", "faults")) { json in
                json.field("kind", form["kind"])
                json.field("percent", percent)
                json.field("count", count)
                json.field("by", form.text("by"))
                json.field("errorCode", errorCode)
            }
            return ConsolePath.faults
        }
    }

    private var removeFault: Endpoint<StoreSite> {
        action(
            "faults/remove", "removeFault",
            foretells: { visit, form, _ in [try await visit.removal(of: { $0 == form["id"] })] }
        ) { visit, form in
            _ = try await visit.desk.send(
                .delete, StorePath("connect", "v1", "faults", form["id"]))
            return ConsolePath.faults
        }
    }

    private var clearFaults: Endpoint<StoreSite> {
        action(
            "faults/clear", "clearFaults",
            foretells: { visit, _, _ in [try await visit.removal(of: { _ in true })] }
        ) { visit, _ in
            _ = try await visit.desk.send(.delete, StorePath("connect", "v1", "faults"))
            return ConsolePath.faults
        }
    }
}

extension Visit {
    fileprivate func sentence(_ fault: Answer) throws -> String {
        ConsoleWords.Faults.sentence(
            try fault.text("kind"), percent: fault.optionalInteger("percent").map { Int($0) },
            times: fault.optionalInteger("count").map { Int($0) })
    }

    /// The rule that a form adds, and what it is applied to first.
    fileprivate func faultAhead(_ form: FormInput) async throws -> Facts {
        typealias Words = ConsoleWords.Faults
        let all = try await desk.get(StorePath("connect", "v1", "faults")).list("faults")
        // Rules about calls have nothing that waits.
        var waiting: Cell?
        if !form["kind"].hasSuffix("Calls") { waiting = try await waitingNotifications() }
        return Facts([
            (
                Words.rule,
                Cell(
                    Words.sentence(
                        form["kind"],
                        percent: try form.number("percent", Words.percent).map { Int($0) },
                        times: try form.number("count", Words.count).map { Int($0) }),
                    detail: [form.text("by"), form.text("errorCode")].compactMap(\.self)
                        .joined(separator: ", "))
            ),
            (ConsoleWords.Notifications.stillWaiting, waiting),
            (Words.rulesNow, .number(locale.number(all.count))),
            (Words.rulesThen, .number(locale.number(all.count + 1))),
        ])
    }

    /// The rules that would be removed, with what they did.
    fileprivate func removal(of isRemoved: (String) -> Bool) async throws -> DataTable {
        let all = try await desk.get(StorePath("connect", "v1", "faults")).list("faults")
        return try faultTable(all.filter { isRemoved(try $0.text("id")) })
    }

    fileprivate func faultTable(_ faults: [Answer]) throws -> DataTable {
        typealias Words = ConsoleWords.Faults
        return DataTable(
            Words.title, columns: [Words.rule, Words.applies, Words.of, Words.state],
            rows: try faults.map { one in
                let isSpent = try one.bool("spent")
                return DataTable.Row([
                    Cell(
                        try sentence(one),
                        detail: [
                            one.optionalText("notificationType"), one.optionalText("operation"),
                            one.optionalText("by"), one.optionalText("errorCode"),
                            one.optionalText("bundleId"),
                        ].compactMap(\.self).joined(separator: ", ")),
                    .number(locale.number(Int(try one.integer("applied")))),
                    .number(locale.number(Int(try one.integer("candidates")))),
                    .badge(isSpent ? Words.spent : Words.on, isSpent ? .plain : .attention),
                ])
            }, empty: Words.none)
    }

    fileprivate var faultForm: PageForm {
        typealias Words = ConsoleWords.Faults
        return PageForm(
            .change, action: ConsolePath.faults, button: Words.add,
            hidden: [FormID.hidden(), Preview.hidden],
            fields: [
                Field(
                    "kind", Words.kind, .choice(Words.kinds), in: "fault",
                    value: typed("kind", or: "dropNotifications"), hint: Words.kindHint),
                Field(
                    "percent", Words.percent, in: "fault", value: typed("percent", or: "100"),
                    hint: Words.percentHint),
                Field(
                    "count", Words.count, in: "fault", value: typed("count"),
                    hint: Words.countHint),
                Field("by", Words.by, in: "fault", value: typed("by"), hint: Words.byHint),
                Field(
                    "errorCode", Words.errorCode, in: "fault", value: typed("errorCode"),
                    hint: Words.errorCodeHint),
            ])
    }
}

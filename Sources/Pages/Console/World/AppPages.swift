import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP

extension Console {
    /// How an app is set up, and setting it up otherwise.
    var appPages: [Endpoint<StoreSite>] { [app, changeApp] }

    private var app: Endpoint<StoreSite> {
        page("apps/{app}", "app") { visit in
            typealias Words = ConsoleWords.Apps
            let id = try visit.part("app")
            let path = StorePath("connect", "v1", "apps", id)
            let answer = try await visit.desk.get(path)
            return Page(
                try answer.text("name"),
                trail: [PageLink(ConsoleWords.World.title, ConsolePath.world)],
                [
                    try visit.appFacts(answer),
                    PageSection(
                        Words.settings, id: "settings", about: Words.settingsAbout,
                        [
                            PageForm(
                                .change, action: ConsolePath.app(id, "settings"),
                                button: Words.save,
                                hidden: [FormID.hidden()]
                                    + AppSetting.all.map { $0.seen(in: answer) },
                                fields: AppSetting.all.map { $0.field(in: answer) })
                        ]),
                    visit.same(
                        SameCall(Words.settings, .get, path, command: ["app", "list"]),
                        SameCall(
                            Words.save, .patch, path, body: #"{"gracePeriod":"SIXTEEN_DAYS"}"#,
                            command: ["app", "set", "--grace-period", "16", "--bundle-id", id])),
                ])
        }
    }

    private var changeApp: Endpoint<StoreSite> {
        action("apps/{app}/settings", "changeApp") { visit, form in
            let id = try visit.part("app")
            let changed = AppSetting.all.filter { $0.isChanged(by: form) }
            if !changed.isEmpty {
                _ = try await visit.desk.send(.patch, StorePath("connect", "v1", "apps", id)) {
                    for setting in changed { setting.write(form, to: &$0) }
                }
            }
            return ConsolePath.app(id)
        }
    }
}

extension Visit {
    fileprivate func appFacts(_ app: Answer) throws -> Facts {
        typealias Words = ConsoleWords.Apps
        let standing = try? app.object("smallBusinessStanding")
        return Facts([
            (ConsoleWords.World.bundle, .code(try app.text("bundleId"))),
            (Words.appleID, .code(String(try app.integer("appAppleId")))),
            (
                Words.products,
                Cell(
                    PageLink(
                        locale.number(Int(try app.integer("productCount"))),
                        ConsolePath.catalogue))
            ),
            (
                Words.proceedsThisYear,
                try standing.map {
                    Cell(
                        locale.amount(try $0.integer("proceedsThisYear"), "USD"),
                        detail: Words.limit(
                            locale.amount(try $0.integer("limit"), "USD")))
                }
            ),
        ])
    }
}

/// A setting of an app, as `/connect` describes it.
private struct AppSetting {
    private let member: Schema.Member

    /// All that can be set, in the order of the description.
    static let all: [AppSetting] = {
        guard case .object(let members) = Schema.appSettings.kind else {
            preconditionFailure("settings are members")
        }
        return members.all.map(AppSetting.init)
    }()

    private init(_ member: Schema.Member) { self.member = member }

    func field(in app: Answer) -> Field {
        Field(
            member.name, ConsoleWords.Apps.setting(member.name), kind, in: "settings",
            value: value(in: app), hint: member.schema.about)
    }

    /// What the field shows, sent along: what is left as it is stays so, also where somebody else
    /// changes it meanwhile.
    func seen(in app: Answer) -> PageForm.Hidden {
        PageForm.Hidden("seen-\(member.name)", value(in: app))
    }

    func isChanged(by form: FormInput) -> Bool {
        form[member.name] != form["seen-\(member.name)"]
    }

    /// Writes what was filled in. What is no number goes as it is, and is refused by name.
    func write(_ form: FormInput, to json: inout JSONWriter) {
        let text = form.text(member.name) ?? ""
        switch member.schema.kind {
        case .boolean: json.field(named: member.name, text == "true")
        case .integer:
            if let number = Int64(text) {
                json.field(named: member.name, number)
            } else {
                json.field(named: member.name, text)
            }
        default: json.field(named: member.name, text)
        }
    }

    private var kind: Field.Kind {
        switch member.schema.kind {
        case .choice(let values):
            .choice(values.map { ($0, ConsoleWords.Apps.choice($0)) })
        case .boolean:
            .choice([("true", ConsoleWords.Apps.yes), ("false", ConsoleWords.Apps.no)])
        default: .text
        }
    }

    /// What is set, as the field has it: what is absent stands for none.
    private func value(in app: Answer) -> String {
        guard let value = app.value[member.name] else {
            switch member.schema.kind {
            case .choice: return ConsoleWords.Apps.none
            case .integer: return "0"
            default: return ""
            }
        }
        return value.string ?? value.bool.map { $0 ? "true" : "false" }
            ?? value.integer.map { String($0) } ?? ""
    }
}

import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Store
import StoreHTTP

extension Console {
    /// How an app is set up, and setting it up otherwise.
    var appPages: [Endpoint<StoreSite>] { [settings, app, changeApp] }

    /// Of the only app, or of the first of several.
    private var settings: Endpoint<StoreSite> {
        page("settings", "settings") { visit in try await visit.appPage(try await visit.app()) }
    }

    private var app: Endpoint<StoreSite> {
        page("apps/{app}", "app") { visit in try await visit.appPage(try visit.part("app")) }
    }

    private var changeApp: Endpoint<StoreSite> {
        action(
            "apps/{app}/settings", "changeApp",
            foretells: { visit, form, _ in try await visit.settingsAhead(form) }
        ) { visit, form in
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
    fileprivate func appPage(_ id: String) async throws -> Page {
        typealias Words = ConsoleWords.Apps
        let path = StorePath("connect", "v1", "apps", id)
        let answer = try await desk.get(path)
        let settings = AppSetting.all(in: call.site.environment)
        return Page(
            try answer.text("name"), lead: Words.settingsAbout,
            trail: [PageLink(ConsoleWords.World.title, ConsolePath.world)],
            try await otherApps(than: id) + [
                PageForm(
                    .change, action: ConsolePath.app(id, "settings"), button: Words.save,
                    hidden: [FormID.hidden(), Preview.hidden]
                        + settings.map { $0.seen(in: answer) },
                    fields: settings.map { $0.field(in: answer) }),
                PageSection(Words.about, id: "about", [try appFacts(answer)]),
                same(
                    SameCall(Words.settings, .get, path, command: ["app", "list"]),
                    SameCall(
                        Words.save, .patch, path, body: #"{"gracePeriod":"SIXTEEN_DAYS"}"#,
                        command: ["app", "set", "--grace-period", "16", "--bundle-id", id])),
            ])
    }

    /// What a form changes, and how many subscribe to the app's products; nothing where it changes
    /// nothing.
    fileprivate func settingsAhead(_ form: FormInput) async throws -> [any PageBlock] {
        typealias Words = ConsoleWords.Apps
        let changed = AppSetting.all.filter { $0.isChanged(by: form) }
        guard !changed.isEmpty else { return [] }
        let id = try part("app")
        let answer = try await desk.get(StorePath("connect", "v1", "apps", id))
        let products = try await desk.get(
            StorePath("connect", "v1", "apps", id, "catalogue")
        ).list("products").filter { $0.value["subscription"] != nil }.map { try $0.text("id") }
        return [
            Facts([
                (Words.settingsToChange, .number(locale.number(changed.count))),
                (
                    ConsoleWords.Catalogue.subscribers,
                    try await subscribers(to: products, of: id)
                ),
            ]),
            DataTable(
                Words.settings, columns: [Words.aSetting, Words.setNow, Words.willBe],
                rows: changed.map { $0.row(in: answer, form) }, empty: ""),
        ]
    }

    /// The settings of other apps, where there are any.
    private func otherApps(than id: String) async throws -> [any PageBlock] {
        let apps = try await desk.get(StorePath("connect", "v1", "apps")).list("apps")
        guard apps.count > 1 else { return [] }
        return [
            LinkList(
                try apps.map { app in
                    let other = try app.text("bundleId")
                    return PageLink(
                        try app.text("name"), ConsolePath.app(other), isCurrent: other == id)
                }, label: ConsoleWords.World.apps, isTabs: true)
        ]
    }

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

    /// All that can be set: first where the environment's notifications go, then in the order of
    /// the description.
    static func all(in environment: StoreEnvironment) -> [AppSetting] {
        let first = environment == .sandbox ? "sandboxNotificationUrl" : "notificationUrl"
        let isFirst = { (setting: AppSetting) in setting.member.name == first }
        return all.filter(isFirst) + all.filter { !isFirst($0) }
    }

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

    /// What is set, and what a form sets instead.
    func row(in app: Answer, _ form: FormInput) -> DataTable.Row {
        DataTable.Row([
            Cell(ConsoleWords.Apps.setting(member.name)), Cell(shown(value(in: app))),
            Cell(shown(form.text(member.name) ?? "")),
        ])
    }

    /// A value as a page says it.
    private func shown(_ value: String) -> String {
        if value.isEmpty { return ConsoleWords.Apps.nothing }
        guard case .choice(let choices) = kind else { return value }
        return choices.first { $0.value == value }?.text ?? value
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

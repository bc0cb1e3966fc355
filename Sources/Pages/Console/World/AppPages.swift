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
        let app = try await desk.get(path).read(AppForm.app, into: AppSheet())
        let settings = AppSetting.all(in: call.site.environment)
        return Page(
            app.settings.name, lead: Words.settingsAbout,
            trail: [PageLink(ConsoleWords.World.title, ConsolePath.world)],
            try await otherApps(than: id) + [
                PageForm(
                    .change, action: ConsolePath.app(id, "settings"), button: Words.save,
                    hidden: [FormID.hidden(), Preview.hidden]
                        + settings.map { $0.seen(in: app.settings) },
                    fields: settings.map { $0.field(in: app.settings) }),
                PageSection(Words.about, id: "about", [appFacts(app)]),
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
        let app = try await desk.get(StorePath("connect", "v1", "apps", id))
            .read(AppForm.app, into: AppSheet())
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
                rows: changed.map { $0.row(in: app.settings, form) }, empty: ""),
        ]
    }

    /// The settings of other apps, where there are any.
    private func otherApps(than id: String) async throws -> [any PageBlock] {
        let apps = try await desk.apps()
        guard apps.count > 1 else { return [] }
        return [
            LinkList(
                apps.map {
                    PageLink(
                        $0.settings.name, ConsolePath.app($0.bundleID),
                        isCurrent: $0.bundleID == id)
                }, label: ConsoleWords.World.apps, isTabs: true)
        ]
    }

    fileprivate func appFacts(_ app: AppSheet) -> Facts {
        typealias Words = ConsoleWords.Apps
        return Facts([
            (ConsoleWords.World.bundle, .code(app.bundleID)),
            (Words.appleID, .code(String(app.appleID))),
            (
                Words.products,
                Cell(PageLink(locale.number(app.productCount), ConsolePath.catalogue))
            ),
            (
                Words.proceedsThisYear,
                app.standing.map {
                    Cell(
                        locale.amount($0.proceedsThisYear, "USD"),
                        detail: Words.limit(locale.amount($0.limit, "USD")))
                }
            ),
        ])
    }
}

/// A setting of an app, as its form declares it.
private struct AppSetting {
    private let member: ObjectForm<App.Settings>.Member
    private let setting: MemberSetting

    /// All that can be set: first where the environment's notifications go, then in the order of
    /// the declaration.
    static func all(in environment: StoreEnvironment) -> [AppSetting] {
        let first =
            environment == .sandbox
            ? AppForm.sandboxNotificationURL.name : AppForm.notificationURL.name
        let isFirst = { (setting: AppSetting) in setting.member.name == first }
        return all.filter(isFirst) + all.filter { !isFirst($0) }
    }

    static let all: [AppSetting] = AppForm.settings.members.compactMap(AppSetting.init)

    private init?(_ member: ObjectForm<App.Settings>.Member) {
        guard let setting = member.setting else { return nil }
        self.member = member
        self.setting = setting
    }

    func field(in settings: App.Settings) -> Field {
        Field(
            setting.name, ConsoleWords.Apps.setting(setting.name), kind, in: "settings",
            value: member.text(of: settings), hint: setting.schema.about)
    }

    /// What the field shows, sent along: what is left as it is stays so, also where somebody else
    /// changes it meanwhile.
    func seen(in settings: App.Settings) -> PageForm.Hidden {
        PageForm.Hidden("seen-\(setting.name)", member.text(of: settings))
    }

    func isChanged(by form: FormInput) -> Bool {
        form[setting.name] != form["seen-\(setting.name)"]
    }

    /// What is set, and what a form sets instead.
    func row(in settings: App.Settings, _ form: FormInput) -> DataTable.Row {
        DataTable.Row([
            Cell(ConsoleWords.Apps.setting(setting.name)),
            Cell(shown(member.text(of: settings))),
            Cell(shown(form.text(setting.name) ?? "")),
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
        json.write(setting.change(ofText: form.text(setting.name) ?? ""))
    }

    private var kind: Field.Kind {
        switch setting.schema.kind {
        case .choice(let values):
            .choice(values.map { ($0, ConsoleWords.Apps.choice($0)) })
        case .boolean:
            .choice([("true", ConsoleWords.Apps.yes), ("false", ConsoleWords.Apps.no)])
        default: .text
        }
    }
}

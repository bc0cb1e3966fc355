import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import StoreHTTP
import SubscriptionRules

extension Console {
    /// How an account is set: its storefront, its mails, what becomes of its purchases.
    var accountPages: [Endpoint<StoreSite>] { [changeAccount, clearing, clearHistory] }

    private var changeAccount: Endpoint<StoreSite> {
        action(
            "customers/{account}/settings", "changeAccount",
            on: { visit in try await visit.customerPage() }
        ) { visit, form in
            let account = try visit.part("account")
            let changed = AccountSetting.all(isSandbox: visit.isSandbox).filter {
                form[$0.name] != form["seen-\($0.name)"]
            }
            if !changed.isEmpty {
                _ = try await visit.desk.send(
                    .patch, StorePath("connect", "v1", "customers", account)
                ) { json in
                    for setting in changed { setting.write(form, to: &json) }
                }
            }
            return ConsolePath.customer(account)
        }
    }

    /// Says what clearing a Sandbox account's history does, and asks.
    private var clearing: Endpoint<StoreSite> {
        page("customers/{account}/clear-history", "clearing") { visit in
            typealias Words = ConsoleWords.Account
            let account = try visit.part("account")
            guard visit.isSandbox else { throw ErrorBody.unknownPage }
            _ = try await visit.desk.get(StorePath("connect", "v1", "customers", account))
            return Page(
                Words.clear,
                trail: [
                    PageLink(ConsoleWords.Customers.title, ConsolePath.customers),
                    PageLink(account, ConsolePath.customer(account)),
                ],
                [
                    Prose(Words.clearAbout),
                    PageForm(
                        .danger, action: ConsolePath.customer(account, "clear-history"),
                        button: Words.clear, hidden: [FormID.hidden(), Preview.hidden],
                        way: PageLink(Words.keep, ConsolePath.customer(account))),
                    visit.same(
                        SameCall(
                            Words.clear, .post,
                            StorePath("connect", "v1", "customers", account, "clear-history"),
                            command: ["customer", "clear-history", account])),
                ])
        }
    }

    private var clearHistory: Endpoint<StoreSite> {
        action("customers/{account}/clear-history", "clearHistory") { visit, _ in
            let account = try visit.part("account")
            _ = try await visit.desk.send(
                .post, StorePath("connect", "v1", "customers", account, "clear-history"))
            return ConsolePath.customer(account)
        }
    }
}

/// A setting of an account.
struct AccountSetting: Sendable {
    let name: String
    private let label: String
    private let hint: String
    private let kind: Kind

    private enum Kind { case text, isOn, speed, allows }

    private typealias Words = ConsoleWords.Account

    /// All that an account has in an environment.
    static func all(isSandbox: Bool) -> [AccountSetting] {
        [
            AccountSetting(
                name: "storefront", label: Words.storefront, hint: Words.storefrontHint,
                kind: .text),
            AccountSetting(name: "email", label: Words.email, hint: Words.emailHint, kind: .text),
            AccountSetting(
                name: "asksToBuy", label: Words.asksToBuy, hint: Words.asksToBuyHint, kind: .isOn),
            AccountSetting(
                name: "interruptsPurchases", label: Words.interruptsPurchases,
                hint: Words.interruptsPurchasesHint, kind: .isOn),
            AccountSetting(
                name: "canMakePayments", label: Words.canMakePayments,
                hint: Words.canMakePaymentsHint, kind: .isOn),
            AccountSetting(
                name: "sharesNewPurchases", label: Words.sharesNewPurchases,
                hint: Words.sharesNewPurchasesHint, kind: .isOn),
        ]
            + (isSandbox
                ? [
                    AccountSetting(
                        name: "sandboxSpeed", label: Words.speed, hint: Words.speedHint,
                        kind: .speed),
                    AccountSetting(
                        name: "allowsPurchasesAndRenewals", label: Words.allows,
                        hint: Words.allowsHint, kind: .allows),
                ] : [])
    }

    func field(in account: Answer, _ desk: FormDesk) -> Field {
        desk.field(name, label, fieldKind, or: value(in: account), hint: hint)
    }

    /// What the field shows, sent along: what is left as it is stays so, also where somebody else
    /// changes it meanwhile.
    func seen(in account: Answer) -> PageForm.Hidden {
        PageForm.Hidden("seen-\(name)", value(in: account))
    }

    private var fieldKind: Field.Kind {
        switch kind {
        case .text: .text
        case .isOn, .allows: .choice(Words.onOff)
        case .speed:
            .choice(
                SandboxSpeed.allCases.map {
                    (String($0.rawValue), Words.minutes($0.rawValue))
                })
        }
    }

    private func value(in account: Answer) -> String {
        switch kind {
        case .text, .speed: account.optionalText(name) ?? ""
        case .isOn: account.value[name]?.bool == true ? "true" : "false"
        case .allows:
            (try? account.object("paymentMethod"))?.optionalText("behaviour") == "decline"
                ? "false" : "true"
        }
    }

    func write(_ form: FormInput, to json: inout JSONWriter) {
        let text = form.text(name) ?? ""
        switch kind {
        case .text: json.field(named: name, name == "storefront" ? text.uppercased() : text)
        case .isOn, .allows: json.field(named: name, text == "true")
        // What is no number goes as it is, and is refused by name.
        case .speed:
            if let minutes = Int64(text) {
                json.field(named: name, minutes)
            } else {
                json.field(named: name, text)
            }
        }
    }
}

extension Visit {
    /// How an account is set, with a form to set it otherwise.
    func accountSection(_ answer: Answer, _ account: String) -> PageSection {
        typealias Words = ConsoleWords.Account
        let settings = AccountSetting.all(isSandbox: isSandbox)
        let desk = formDesk("account", to: ConsolePath.customer(account, "settings"))
        var blocks: [any PageBlock] = [
            desk.form(
                .change, Words.save, hidden: settings.map { $0.seen(in: answer) },
                settings.map { $0.field(in: answer, desk) })
        ]
        if isSandbox {
            blocks.append(
                LinkList([
                    PageLink(Words.clearLook, ConsolePath.customer(account, "clear-history"))
                ]))
        }
        return PageSection(Words.title, id: "account", about: Words.about, blocks)
    }
}

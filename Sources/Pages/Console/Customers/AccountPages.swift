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
                $0.isChanged(by: form)
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

/// A setting of an account, as its form declares it.
private struct AccountSetting {
    private let member: ObjectForm<CustomerSheet>.Member
    private let setting: MemberSetting
    private let label: String

    private typealias Words = ConsoleWords.Account

    private init<Value>(_ member: TypedMember<CustomerSheet, Value>, _ label: String) {
        self.member = member.member
        setting = member.setting
        self.label = label
    }

    /// All that an account has in an environment.
    static func all(isSandbox: Bool) -> [AccountSetting] {
        let everywhere = [
            AccountSetting(CustomerForm.storefront, Words.storefront),
            AccountSetting(CustomerForm.email, Words.email),
            AccountSetting(CustomerForm.asksToBuy, Words.asksToBuy),
            AccountSetting(CustomerForm.interruptsPurchases, Words.interruptsPurchases),
            AccountSetting(CustomerForm.canMakePayments, Words.canMakePayments),
            AccountSetting(CustomerForm.sharesNewPurchases, Words.sharesNewPurchases),
        ]
        guard isSandbox else { return everywhere }
        return everywhere + [
            AccountSetting(CustomerForm.speed, Words.speed),
            AccountSetting(CustomerForm.allowsPurchases, Words.allows),
        ]
    }

    func field(in customer: CustomerSheet, _ desk: FormDesk) -> Field {
        desk.field(
            setting.name, label, kind, or: member.text(of: customer), hint: setting.schema.about)
    }

    /// What the field shows, sent along: what is left as it is stays so, also where somebody else
    /// changes it meanwhile.
    func seen(in customer: CustomerSheet) -> PageForm.Hidden {
        PageForm.Hidden("seen-\(setting.name)", member.text(of: customer))
    }

    func isChanged(by form: FormInput) -> Bool {
        form[setting.name] != form["seen-\(setting.name)"]
    }

    private var kind: Field.Kind {
        switch setting.schema.kind {
        case .boolean: .choice(Words.onOff)
        case .numbers(let minutes): .choice(minutes.map { (String($0), Words.minutes(Int($0))) })
        default: .text
        }
    }

    /// Writes what was filled in. What is no number goes as it is, and is refused by name.
    func write(_ form: FormInput, to json: inout JSONWriter) {
        let text = form.text(setting.name) ?? ""
        let isCode = setting.name == CustomerForm.storefront.name
        json.write(setting.change(ofText: isCode ? text.uppercased() : text))
    }
}

extension Visit {
    /// How an account is set, with a form to set it otherwise.
    func accountSection(_ customer: CustomerSheet, _ account: String) -> PageSection {
        typealias Words = ConsoleWords.Account
        let settings = AccountSetting.all(isSandbox: isSandbox)
        let desk = formDesk("account", to: ConsolePath.customer(account, "settings"))
        var blocks: [any PageBlock] = [
            desk.form(
                .change, Words.save, hidden: settings.map { $0.seen(in: customer) },
                settings.map { $0.field(in: customer, desk) })
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

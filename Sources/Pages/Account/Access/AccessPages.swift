import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import StoreHTTP

extension Account {
    /// Signing in and out, and what the pages are drawn with: for everybody.
    var accessPages: [Endpoint<StoreSite>] { [showSignIn, signIn, signOut, asset] }

    /// What is asked of whoever is not signed in. Reading it changes nothing: what looks at links
    /// before people do must not use them up.
    private var showSignIn: Endpoint<StoreSite> {
        endpoint(.get, "sign-in", "signInPage") { call in
            let query = call.query
            let door = Door(call, self, to: query.values("to").first)
            return try await door.response(code: query.values("code").first, problem: nil)
        }
    }

    private var signIn: Endpoint<StoreSite> {
        endpoint(.post, "sign-in", "signIn") { call in
            try SameOrigin.require(call)
            let form = try await FormInput(call)
            var door = Door(call, self, to: form.text("to"))
            let account: StoreSite.Account
            if let code = form.text("code") {
                guard let known = access.account(ofCode: code, call, spends: true) else {
                    return try await door.response(code: nil, problem: door.words.usedLink)
                }
                account = known
            } else {
                guard access.letsAnybodySignIn else {
                    return try await door.response(code: nil, problem: door.words.onlyByLink)
                }
                door.typed = form
                do {
                    account = try await door.account(
                        form.text("account") ?? "", in: form.text("app") ?? "")
                } catch let refusal as Refusal {
                    return try await door.response(
                        code: nil,
                        problem: refusal.status.kind == .clientError
                            ? door.words.wrongName(upTo: 256) : door.words.failed)
                }
            }
            return .seeOther(
                form.text("to").flatMap(AccountPath.own) ?? AccountPath.overview,
                cookie: access.signIn(call, as: account))
        }
    }

    private var signOut: Endpoint<StoreSite> {
        endpoint(.post, "sign-out", "signOut") { call in
            try SameOrigin.require(call)
            return .seeOther(
                AccountPath.signIn(returningTo: nil), cookie: access.signOut(call))
        }
    }

    private var asset: Endpoint<StoreSite> {
        endpoint(.get, "assets/{version}/{name}", "asset") { call in
            guard call.parameter("version") == PageAssets.version,
                let response = call.parameter("name").flatMap(PageAssets.response)
            else { throw ErrorBody.unknownPage }
            return response
        }
    }
}

/// The page before a session.
private struct Door {
    let call: Call<StoreSite>
    let access: AccountAccess
    let framers: PageFramers
    /// Where to go afterwards.
    let to: String?
    let locale: PageLocale
    let words: any AccountWords
    /// What was filled in, where that was refused.
    var typed: FormInput?

    init(_ call: Call<StoreSite>, _ pages: Account, to: String?) {
        self.call = call
        access = pages.access
        framers = pages.framers
        self.to = to.flatMap(AccountPath.own)
        locale = PageLocale(
            accepting: call.request.headers[.acceptLanguage], in: PageLocale.all)
        words = AccountLanguages.words(for: locale.language)
    }

    /// - Parameters:
    ///   - code: what a link brought.
    ///   - problem: why the last try failed.
    func response(code: String?, problem: String?) async throws -> Response {
        var problem = problem
        var blocks: [any PageBlock] = []
        let account = code.flatMap { access.account(ofCode: $0, call, spends: false) }
        if code != nil, account == nil { problem = words.usedLink }
        if let problem { blocks.append(Notice(.bad, problem, id: "problem")) }
        if let code, let account {
            blocks += try await linkForm(code, account)
        } else if access.letsAnybodySignIn {
            blocks += try await nameForm()
        } else {
            blocks.append(Prose(words.onlyByLink))
        }
        var frame = PageFrame.account(call, words, locale)
        frame.framedBy = framers.origins(reachedBy: call.request.head.authority)
        return Page(
            words.signInTitle, status: problem == nil ? .ok : .unprocessableContent, blocks
        ).response(in: frame)
    }

    private var hidden: [PageForm.Hidden] { to.map { [.init("to", $0)] } ?? [] }
    private var action: String { "\(Account.path)/sign-in" }

    private func linkForm(
        _ code: String, _ account: StoreSite.Account
    ) async throws -> [any PageBlock] {
        let app = try await apps().first { $0.bundleID == account.bundleID }
        return [
            Prose(
                words.linkLead(
                    account.name, app: app?.settings.name ?? account.bundleID)),
            PageForm(
                .change, action: action, button: words.signIn,
                hidden: hidden + [.init("code", code)]),
        ]
    }

    private func nameForm() async throws -> [any PageBlock] {
        let apps = try await apps()
        return [
            Notice(.attention, words.developmentWarning),
            PageForm(
                .change, action: action, button: words.signIn, hidden: hidden,
                fields: [
                    Field(
                        "app", words.app,
                        .choice(apps.map { ($0.bundleID, $0.settings.name) }), in: "sign-in",
                        value: typed?.text("app") ?? apps.first?.bundleID ?? ""),
                    Field(
                        "account", words.accountName, in: "sign-in",
                        value: typed?.text("account") ?? "", hint: words.accountHint,
                        isRequired: true),
                ]),
        ]
    }

    private func apps() async throws -> [AppSheet] {
        try await ask(.get, StorePath("connect", "v1", "apps"), nil).list("apps").map {
            try $0.read(AppForm.app, into: AppSheet())
        }
    }

    /// A customer by the name alone, who begins where there is none.
    ///
    /// - Throws: `Refusal`.
    func account(_ name: String, in bundleID: String) async throws -> StoreSite.Account {
        guard !name.isEmpty else { throw Refusal(.unknownPage) }
        do {
            let known = try await ask(.get, StorePath("connect", "v1", "customers", name), nil)
            guard try await apps().contains(where: { $0.bundleID == bundleID }) else {
                throw Refusal(.unknownPage)
            }
            return StoreSite.Account(known.value["account"]?.string ?? name, bundleID: bundleID)
        } catch let refusal as Refusal where refusal.code == "unknownAccount" {
            var json = JSONWriter()
            json.object { json in
                json.field("bundleId", bundleID)
                json.field("account", name)
                json.field("device", "account")
            }
            let begun = try await ask(.post, StorePath("storefront", "v1", "sign-in"), json.bytes)
            return StoreSite.Account(begun.value["account"]?.string ?? name, bundleID: bundleID)
        }
    }

    private func ask(
        _ method: HTTPRequest.Method, _ path: StorePath, _ body: [UInt8]?
    ) async throws -> Answer {
        let (status, bytes) = try await call.connect(method, path.text, body: body)
        return try StoreDesk.answer(status, bytes, to: "\(method.rawValue) \(path.text)")
    }
}

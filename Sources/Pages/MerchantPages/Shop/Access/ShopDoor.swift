import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import MerchantHTTP

extension Shop {
    /// Signing in and out, and what the pages are drawn with: for everybody.
    var accessPages: [Endpoint<MerchantSite>] { [showSignIn, signIn, signOut, asset, lookFile] }

    /// What is asked of people who are not signed in. Reading it uses no link up.
    private var showSignIn: Endpoint<MerchantSite> {
        endpoint(.get, "sign-in", "signInPage") { call in
            let query = call.query
            return ShopDoor(call, shop: self, to: query.values("to").first)
                .response(code: query.values("code").first, problem: nil)
        }
    }

    private var signIn: Endpoint<MerchantSite> {
        endpoint(.post, "sign-in", "signIn") { call in
            try SameOrigin.require(call)
            let form = try await FormInput(call)
            let door = ShopDoor(call, shop: self, to: form.text("to"))
            let account: String
            let bundleID: String
            if let code = form.text("code") {
                guard let customer = access.customer(ofCode: code, call, spends: true) else {
                    return door.response(code: nil, problem: door.words.usedLink)
                }
                account = customer.account
                bundleID = customer.bundleID
            } else {
                guard access.letsAnybodySignIn else {
                    return door.response(code: nil, problem: door.words.onlyByLink)
                }
                account = form.text("account") ?? ""
                bundleID = form.text("app") ?? ""
                guard try await isName(account, in: bundleID, call) else {
                    return door.response(
                        code: nil, problem: door.words.wrongName(upTo: 255), typed: account)
                }
            }
            return .seeOther(
                form.text("to").flatMap(ShopPath.own) ?? ShopPath.content,
                cookie: access.signIn(account, in: bundleID, now: call.server.machineTime()))
        }
    }

    private var signOut: Endpoint<MerchantSite> {
        endpoint(.post, "sign-out", "signOut") { call in
            try SameOrigin.require(call)
            return .seeOther(ShopPath.signIn(returningTo: nil), cookie: access.signOut(call))
        }
    }

    private var asset: Endpoint<MerchantSite> {
        endpoint(.get, "assets/{version}/{name}", "asset") { call in
            guard call.parameter("version") == PageAssets.version,
                let response = call.parameter("name").flatMap(PageAssets.response)
            else { throw ErrorBody.unknownPage }
            return response
        }
    }

    /// Whether an account can have this name: the merchant answers for it.
    private func isName(
        _ account: String, in bundleID: String, _ call: Call<MerchantSite>
    ) async throws -> Bool {
        guard !account.isEmpty, call.bundleIDs.contains(bundleID) else { return false }
        let path = StorePath("v1", "apps", bundleID, "accounts", account)
        let (status, _) = try await call.ask(.get, path.text, as: .app(bundleID))
        if status == .serviceUnavailable { throw PassingFailure.unreachable }
        return status.kind == .successful
    }
}

/// The page before a session.
private struct ShopDoor {
    let call: Call<MerchantSite>
    let shop: Shop
    /// Where to go afterwards.
    let to: String?
    let locale: PageLocale
    let words: any ShopWords

    init(_ call: Call<MerchantSite>, shop: Shop, to: String?) {
        self.call = call
        self.shop = shop
        self.to = to.flatMap(ShopPath.own)
        locale = PageLocale(
            accepting: call.request.headers[.acceptLanguage], in: PageLocale.all)
        words = ShopLanguages.words(for: locale.language)
    }

    /// - Parameters:
    ///   - code: what a link brought.
    ///   - problem: why the last try failed.
    ///   - typed: the name that was refused.
    func response(code: String?, problem: String?, typed: String = "") -> Response {
        var problem = problem
        let customer = code.flatMap { shop.access.customer(ofCode: $0, call, spends: false) }
        if code != nil, customer == nil { problem = words.usedLink }
        var blocks: [any PageBlock] = []
        if let problem { blocks.append(Notice(.bad, problem, id: "problem")) }
        if let code, let customer {
            blocks += [
                Prose(words.linkLead(customer.account)),
                PageForm(
                    .change, action: action, button: words.signIn,
                    hidden: hidden + [.init("code", code)]),
            ]
        } else if shop.access.letsAnybodySignIn {
            blocks += nameForm(typed)
        } else {
            blocks.append(Prose(words.onlyByLink))
        }
        var frame = PageFrame.shop(call, words, locale)
        frame.framedBy = shop.framers.origins(reachedBy: call.request.head.authority)
        return Page(
            words.signIn, status: problem == nil ? .ok : .unprocessableContent, blocks
        ).response(in: frame)
    }

    private var hidden: [PageForm.Hidden] { to.map { [.init("to", $0)] } ?? [] }
    private var action: String { "\(Shop.path)/sign-in" }

    private func nameForm(_ typed: String) -> [any PageBlock] {
        let apps = call.bundleIDs
        return [
            Notice(.attention, words.developmentWarning),
            PageForm(
                .change, action: action, button: words.signIn, hidden: hidden,
                fields: [
                    Field(
                        "app", words.app, .choice(apps.map { ($0, $0) }), in: "sign-in",
                        value: apps.first ?? ""),
                    Field(
                        "account", words.accountName, in: "sign-in", value: typed,
                        hint: words.accountHint, isRequired: true),
                ]),
        ]
    }
}

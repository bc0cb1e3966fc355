import AppStoreWire
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import StoreHTTP

extension Console {
    /// Signing in and out, and what the pages are drawn with: for everybody.
    var accessPages: [Endpoint<StoreSite>] { [root, showSignIn, signIn, signOut, asset] }

    /// Leads a browser that only knows the port here. For programs nothing is at `/`.
    private var root: Endpoint<StoreSite> {
        Endpoint(
            .get, "/", "console.root", on: .console,
            description: OperationDescription(
                .tools, "Lead a browser to the console",
                success: .ok("The console.", .text("HTML.")))
        ) { call in
            let accepted = call.request.headers[.accept] ?? ""
            var response =
                accepted.contains("text/html")
                ? Response.seeOther(Console.path)
                : Response.object(status: .notFound) { json in
                    json.field("error", "unknownPath")
                    json.field("message", ConsoleWords.Errors.nothingAtRoot)
                }
            response.headers[.vary] = "Accept"
            return response
        }
    }

    /// Asks for the operator's token, or for a push of the button where a link brought a code.
    /// Reading it changes nothing: what looks at links before people do must not use them up.
    private var showSignIn: Endpoint<StoreSite> {
        endpoint(.get, "sign-in", "signInPage") { call in
            let query = call.query
            let page = Page.signIn(
                code: query.values("code").first, to: query.values("to").first, problem: nil)
            return page.response(in: frame(of: call))
        }
    }

    private var signIn: Endpoint<StoreSite> {
        endpoint(.post, "sign-in", "signIn") { call in
            guard
                SameOrigin.holds(
                    call.request.headers, authority: call.request.head.authority,
                    hasSession: true)
            else { throw ErrorBody.otherOrigin }
            let form = try await FormInput(call)
            let (token, code) = (form.text("token"), form.text("code"))
            guard let cookie = access.signIn(call, token: token, code: token == nil ? code : nil)
            else {
                let problem =
                    code == nil || token != nil
                    ? ConsoleWords.SignIn.wrongToken : ConsoleWords.SignIn.usedCode
                return Page.signIn(code: nil, to: form.text("to"), problem: problem)
                    .response(in: frame(of: call))
            }
            let target = form.text("to").flatMap(ConsolePath.own) ?? ConsolePath.overview
            return .seeOther(target, cookie: cookie)
        }
    }

    private var signOut: Endpoint<StoreSite> {
        endpoint(.post, "sign-out", "signOut") { call in
            guard
                SameOrigin.holds(
                    call.request.headers, authority: call.request.head.authority,
                    hasSession: true)
            else { throw ErrorBody.otherOrigin }
            return .seeOther(
                ConsolePath.signIn(returningTo: nil), cookie: access.signOut(call))
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

    private func frame(of call: Call<StoreSite>) -> PageFrame {
        .console(of: call, PageLocale(accepting: call.request.headers[.acceptLanguage]))
    }
}

extension Page {
    /// - Parameters:
    ///   - code: what a link brought.
    ///   - to: where to go afterwards.
    ///   - problem: why the last try failed.
    fileprivate static func signIn(code: String?, to: String?, problem: String?) -> Page {
        typealias Words = ConsoleWords.SignIn
        var hidden: [PageForm.Hidden] = []
        if let to = to.flatMap(ConsolePath.own) { hidden.append(.init("to", to)) }
        var blocks: [any PageBlock] = []
        if let problem { blocks.append(Notice(.bad, problem, id: "problem")) }
        if let code, code.utf8.count <= 200 {
            blocks += [
                Prose(Words.linkLead),
                PageForm(
                    .change, action: "\(Console.path)/sign-in", button: Words.open,
                    hidden: hidden + [.init("code", code)]),
            ]
        } else {
            blocks += [
                Prose(Words.lead),
                PageForm(
                    .change, action: "\(Console.path)/sign-in", button: Words.button,
                    hidden: hidden,
                    fields: [
                        Field(
                            "token", Words.token, .password, in: "sign-in", hint: Words.tokenHint,
                            isRequired: true)
                    ]),
            ]
        }
        return Page(
            Words.title, status: problem == nil ? .ok : .unprocessableContent, blocks)
    }
}

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

    private var showSignIn: Endpoint<StoreSite> {
        endpoint(.get, "sign-in", "signInPage") { call in
            door.page(call).response(in: frame(of: call))
        }
    }

    private var signIn: Endpoint<StoreSite> {
        endpoint(.post, "sign-in", "signIn") { call in
            try SameOrigin.require(call, saying: ConsoleWords.Errors.otherOrigin)
            switch try await door.signIn(call) {
            case .isOpen(let response): return response
            case .staysShut(let page): return page.response(in: frame(of: call))
            }
        }
    }

    private var door: OperatorDoor {
        typealias Words = ConsoleWords.SignIn
        return OperatorDoor(
            access.operators, root: Console.path,
            words: OperatorDoor.Words(
                title: Words.title, lead: Words.lead, linkLead: Words.linkLead, open: Words.open,
                button: Words.button, token: Words.token, tokenHint: Words.tokenHint,
                wrongToken: Words.wrongToken, usedCode: Words.usedCode))
    }

    private var signOut: Endpoint<StoreSite> {
        endpoint(.post, "sign-out", "signOut") { call in
            try SameOrigin.require(call, saying: ConsoleWords.Errors.otherOrigin)
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
        var frame = PageFrame.console(
            of: call, PageLocale(accepting: call.request.headers[.acceptLanguage]))
        frame.framedBy = framers.origins(reachedBy: call.request.head.authority)
        return frame
    }
}

import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import MerchantHTTP
package import SubscriptionRules

/// Who may look at the merchant's console: its cookie is told from that of a store's console, for
/// ports of a host share their cookies.
package enum MerchantAccess {
    static func operators(token: @escaping @Sendable () -> String) -> OperatorAccess {
        OperatorAccess(
            label: "merchant console",
            cookie: SessionCookie(
                name: "perennial-merchant", path: MerchantConsole.path, isSecure: false),
            token: token)
    }

    /// A path that opens one session, for whoever has the token already.
    ///
    /// - Parameter now: the machine's clock.
    package static func link(operatorToken: String, now: Instant) -> String {
        "\(MerchantConsole.path)/sign-in?code="
            + operators { operatorToken }.makeCode(now: now)
    }
}

extension MerchantConsole {
    /// Signing in and out, and what the pages are drawn with: for everybody.
    var accessPages: [Endpoint<MerchantSite>] { [showSignIn, signIn, signOut, asset] }

    private var showSignIn: Endpoint<MerchantSite> {
        endpoint(.get, "sign-in", "signInPage") { call in
            door.page(call).response(in: frame(of: call))
        }
    }

    private var signIn: Endpoint<MerchantSite> {
        endpoint(.post, "sign-in", "signIn") { call in
            try SameOrigin.require(call, saying: MerchantWords.Errors.otherOrigin)
            switch try await door.signIn(call) {
            case .isOpen(let response): return response
            case .staysShut(let page): return page.response(in: frame(of: call))
            }
        }
    }

    private var signOut: Endpoint<MerchantSite> {
        endpoint(.post, "sign-out", "signOut") { call in
            try SameOrigin.require(call, saying: MerchantWords.Errors.otherOrigin)
            return .seeOther(
                MerchantPath.signIn(returningTo: nil), cookie: access.signOut(call))
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

    private func frame(of call: Call<MerchantSite>) -> PageFrame {
        .merchant(PageLocale(accepting: call.request.headers[.acceptLanguage]))
    }

    private var door: OperatorDoor {
        typealias Words = MerchantWords.SignIn
        return OperatorDoor(
            access, root: Self.path,
            words: OperatorDoor.Words(
                title: Words.title, lead: Words.lead, linkLead: Words.linkLead, open: Words.open,
                button: Words.button, token: Words.token, tokenHint: Words.tokenHint,
                wrongToken: Words.wrongToken, usedCode: Words.usedCode))
    }
}

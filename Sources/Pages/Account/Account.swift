package import HTTPSurface
package import HTMLPages
import HTTPTypes
import Hummingbird
public import StoreHTTP
import TimeAndChance

/// Customers' pages of the store, at `/account` of both servers: what the system's own sheets are
/// on a device.
///
/// They have no way of their own: what a page shows and does are calls of `/storefront` in the
/// customer's place, and of `/connect` for what a device is not told, made from within the program.
package struct Account: Sendable {
    let access: AccountAccess
    /// Who may show these pages within their own.
    let framers: PageFramers
    let forms = FormsTaken()

    package init(_ access: AccountAccess, framers: PageFramers = PageFramers()) {
        self.access = access
        self.framers = framers
    }

    /// Where they are.
    package static let path = "/account"

    /// All pages, and what their forms do.
    package var endpoints: [Endpoint<StoreSite>] {
        accessPages + managePages + planPages + cancelPages + comebackPages + pricePages
            + buyPages + codePages + historyPages + refundPages + helpPages + familyPages
            + familyRequestPages + mailboxPages + optInPages
    }
}

extension StoreServer {
    /// Puts customers' pages at `/account` of both servers.
    ///
    /// - Parameters:
    ///   - secret: what sessions are sealed with, such as the operator's token.
    ///   - letsAnybodySignIn: whether whoever reaches the port may be any customer, as on a
    ///     developer's own machine; else the app makes a link.
    public mutating func showAccount(secret: String, letsAnybodySignIn: Bool) {
        showAccount(
            secret: secret, letsAnybodySignIn: letsAnybodySignIn, framers: PageFramers())
    }

    /// The same, within pages of others.
    package mutating func showAccount(
        secret: String, letsAnybodySignIn: Bool, framers: PageFramers
    ) {
        let access = AccountAccess(secret: secret, letsAnybodySignIn: letsAnybodySignIn)
        pages += Account(access, framers: framers).endpoints
        accountLinks = access
    }
}

extension Surface {
    /// Customers' pages.
    static let account = Surface(
        "account", "What customers look at.", root: "account", errors: PageErrors.account)
}

// MARK: Kinds of endpoints

extension Account {
    /// A page that a signed-in customer sees; others are sent to sign in first. Looking at it
    /// changes nothing.
    ///
    /// - Parameter path: below `/account`.
    func page(
        _ path: String, _ name: String, _ make: @escaping @Sendable (Visit) async throws -> Page
    ) -> Endpoint<StoreSite> {
        endpoint(.get, path, name) { call in
            guard let visit = try await Visit(call, pages: self) else {
                return signedOut(call, returningTo: call.request.uri.description)
            }
            return try await visit.answering {
                var page = try await make(visit)
                if let said = visit.asked(DoneWord.field).flatMap({ visit.words.said($0) }) {
                    page.blocks.insert(Notice(.good, said), at: 0)
                }
                return visit.response(to: page)
            }
        }
    }

    /// What a customer's form does. One that carries an identifier is carried out once (PAG-6).
    ///
    /// - Parameters:
    ///   - path: below `/account`.
    ///   - page: the page that the form is on, shown again above what was refused; without one a
    ///     page of its own says it.
    ///   - act: does it, and says where the browser goes then.
    func action(
        _ path: String, _ name: String,
        on page: (@Sendable (Visit) async throws -> Page)? = nil,
        _ act: @escaping @Sendable (Visit, FormInput) async throws -> String
    ) -> Endpoint<StoreSite> {
        endpoint(.post, path, name) { call in
            guard let visit = try await Visit(call, pages: self) else {
                return signedOut(call, returningTo: nil)
            }
            return try await visit.answering {
                try SameOrigin.require(call)
                let form = try await FormInput(call)
                do {
                    let path = try await forms.once(visit.key(of: form)) {
                        try await act(visit, form)
                    }
                    return .seeOther(DoneWord.added(name, to: path))
                } catch let refusal as Refusal {
                    return visit.response(
                        to: try await visit.page(of: refusal, form, on: page))
                } catch let error as ErrorBody {
                    return visit.response(
                        to: try await visit.page(of: Refusal(error), form, on: page))
                }
            }
        }
    }

    /// Anything below `/account`.
    func endpoint(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ handle: @escaping @Sendable (Call<StoreSite>) async throws -> Response
    ) -> Endpoint<StoreSite> {
        Endpoint(
            method, path.isEmpty ? Account.path : "\(Account.path)/\(path)", "account.\(name)",
            on: .account,
            description: OperationDescription(
                .tools, "A page for a customer",
                success: .ok("The page.", .text("HTML."))),
            handle: handle)
    }

    /// To the sign-in, without whatever cookie there was.
    private func signedOut(_ call: Call<StoreSite>, returningTo path: String?) -> Response {
        .seeOther(AccountPath.signIn(returningTo: path), cookie: access.clearing(call))
    }
}

/// What an address says of what was just done, by the name of the action; only names that have
/// words are shown.
enum DoneWord {
    static let field = "done"

    static func added(_ name: String, to path: String) -> String {
        let isSaid = path.contains("?\(field)=") || path.contains("&\(field)=")
        guard !isSaid, EnglishWords().said(name) != nil else { return path }
        return path + (path.contains("?") ? "&" : "?") + "\(field)=\(name)"
    }
}

/// What a form carries so that it is carried out once, however often it is sent.
enum FormID {
    static let field = "form"

    /// For a form on a page that is being made.
    static func hidden() -> PageForm.Hidden {
        PageForm.Hidden(field, Randomness.token("form_"))
    }
}

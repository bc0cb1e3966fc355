package import HTTPSurface
package import HTMLPages
import HTTPTypes
import Hummingbird
public import StoreHTTP
import TimeAndChance

/// The operator's pages, at `/console` of both servers.
///
/// The console has no way of its own: what a page shows and does are calls of `/connect`, made as
/// the operator from within the program, and the page names them.
package struct Console: Sendable {
    let access: ConsoleAccess
    /// Who may show these pages within their own.
    let framers: PageFramers
    let forms = FormsTaken()
    /// How long an answer waits for what may take long, before a page says how far it is.
    let patience: Duration

    /// - Parameters:
    ///   - access: who may come in.
    ///   - framers: who may show these pages within their own; nobody unless given.
    ///   - patience: how long an answer waits for what may take long.
    package init(
        _ access: ConsoleAccess, framers: PageFramers = PageFramers(),
        patience: Duration = .milliseconds(700)
    ) {
        self.access = access
        self.framers = framers
        self.patience = patience
    }

    /// Where it is.
    package static let path = "/console"

    /// All its pages, and what their forms do.
    package var endpoints: [Endpoint<StoreSite>] {
        accessPages + overviewPages + customerPages + devicePages + accountPages + purchasePages
            + familyPages
            + requestPages + subscriptionPages + clockPages + cataloguePages + offerPages
            + extensionPages + refundPages + moneyPages + notificationPages
            + mailboxPages + faultPages + forgeryPages + worldPages + appPages
    }
}

extension StoreServer {
    /// Puts the operator's pages at `/console` of both servers.
    ///
    /// - Parameter operatorToken: what opens `/connect`, and a session of the console.
    public mutating func showConsole(operatorToken: String) {
        showConsole(operatorToken: operatorToken, framers: PageFramers())
    }

    /// The same, within pages of others.
    package mutating func showConsole(operatorToken: String, framers: PageFramers) {
        pages +=
            Console(ConsoleAccess(operatorToken: operatorToken), framers: framers).endpoints
    }
}

extension Surface {
    /// The operator's pages.
    static let console = Surface(
        "console", "What the operator looks at.", root: "console", errors: PageErrors.console)
}

// MARK: Kinds of endpoints

extension Console {
    /// A page that only the operator sees; whoever is not signed in is sent to do so first.
    ///
    /// - Parameter path: below the console's.
    func page(
        _ path: String, _ name: String, _ make: @escaping @Sendable (Visit) async throws -> Page
    ) -> Endpoint<StoreSite> {
        endpoint(.get, path, name) { call in
            guard let visit = Visit(call, console: self) else {
                return .seeOther(ConsolePath.signIn(returningTo: call.request.uri.description))
            }
            return try await visit.answering {
                var page = try await make(visit)
                if let said = visit.asked(DoneWord.field).flatMap(ConsoleWords.done) {
                    page.blocks.insert(Notice(.good, said), at: 0)
                }
                return try await visit.response(to: page)
            }
        }
    }

    /// What a form of the operator's does.
    ///
    /// - Parameters:
    ///   - path: below the console's.
    ///   - page: the page that the form is on, which says what was refused beside its field, and
    ///     keeps what was typed; without one a page of its own says it.
    ///   - foretells: what there is to say besides of what it would do, above that or instead of
    ///     it, where the form asks for it first.
    ///   - act: does it, and says where the browser goes then. Forms that carry an identifier are
    ///     carried out once.
    func action(
        _ path: String, _ name: String,
        on page: (@Sendable (Visit) async throws -> Page)? = nil,
        foretells: Preview.Besides? = nil,
        _ act: @escaping @Sendable (Visit, FormInput) async throws -> String
    ) -> Endpoint<StoreSite> {
        endpoint(.post, path, name) { call in
            guard let visit = Visit(call, console: self) else {
                return .seeOther(ConsolePath.signIn(returningTo: nil))
            }
            return try await visit.answering {
                try SameOrigin.require(call, saying: ConsoleWords.Errors.otherOrigin)
                let form = try await FormInput(call)
                do {
                    if form.text(Preview.field) != nil {
                        let preview = Preview(name, form, besides: foretells)
                        return try await visit.response(
                            to: visit.page(of: preview) { try await act($0, form) })
                    }
                    let path = try await forms.once(form.text(FormID.field)) {
                        try await act(visit, form)
                    }
                    return .seeOther(DoneWord.added(name, to: path))
                } catch let refusal as ConnectRefusal {
                    return try await visit.response(to: visit.page(of: refusal, form, on: page))
                } catch let error as ErrorBody {
                    return try await visit.response(
                        to: visit.page(of: ConnectRefusal(error), form, on: page))
                }
            }
        }
    }

    /// What the operator looks at that is no page: a file, or a document shown within a page.
    func document(
        _ path: String, _ name: String,
        _ make: @escaping @Sendable (Visit) async throws -> Response
    ) -> Endpoint<StoreSite> {
        endpoint(.get, path, name) { call in
            guard let visit = Visit(call, console: self) else {
                return .seeOther(ConsolePath.signIn(returningTo: call.request.uri.description))
            }
            return try await visit.answering { try await make(visit) }
        }
    }

    /// Anything below the console's path.
    func endpoint(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ handle: @escaping @Sendable (Call<StoreSite>) async throws -> Response
    ) -> Endpoint<StoreSite> {
        Endpoint(
            method, path.isEmpty ? Console.path : "\(Console.path)/\(path)", "console.\(name)",
            on: .console,
            description: OperationDescription(
                .tools, "A page for the operator",
                success: .ok("The page.", .text("HTML."))),
            handle: handle)
    }
}

/// What an address says of what was just done, by the name of the action; only names that have
/// words are said and shown.
enum DoneWord {
    static let field = "done"

    static func added(_ name: String, to path: String) -> String {
        let isSaid = path.contains("?\(field)=") || path.contains("&\(field)=")
        guard !isSaid, ConsoleWords.done(name) != nil else { return path }
        let parts = path.split(separator: "#", maxSplits: 1)
        let sign = path.contains("?") ? "&" : "?"
        let fragment = parts.count > 1 ? "#\(parts[1])" : ""
        return "\(parts[0])\(sign)\(field)=\(name)\(fragment)"
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

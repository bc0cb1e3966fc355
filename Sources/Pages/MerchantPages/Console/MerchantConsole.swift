package import HTMLPages
package import HTTPSurface
import HTTPTypes
import Hummingbird
package import MerchantHTTP
import TimeAndChance

/// The pages of whoever runs a merchant, at `/console` of its server.
///
/// The console has no way of its own: what a page shows and does are calls that scripts make, made
/// as the operator from within the program, and the page names them.
package struct MerchantConsole: Sendable {
    let access: OperatorAccess
    let forms = FormsTaken()

    /// - Parameter access: who may come in.
    package init(_ access: OperatorAccess) { self.access = access }

    /// Where it is.
    package static let path = "/console"

    /// All its pages, and what their forms do.
    package var endpoints: [Endpoint<MerchantSite>] {
        accessPages + overviewPages + customerPages + unownedPages + notificationPages
            + deadLetterPages + gapPages + campaignPages + figurePages
    }
}

extension Surface {
    /// The pages of whoever runs a merchant.
    static let merchantConsole = Surface(
        "console", "What whoever runs the merchant looks at.", root: "console",
        errors: PageErrors.merchant)
}

// MARK: Kinds of endpoints

extension MerchantConsole {
    /// A page that only the operator sees; whoever is not signed in is sent to do so first.
    ///
    /// - Parameter path: below the console's.
    func page(
        _ path: String, _ name: String,
        _ make: @escaping @Sendable (MerchantVisit) async throws -> Page
    ) -> Endpoint<MerchantSite> {
        endpoint(.get, path, name) { call in
            guard let visit = MerchantVisit(call, console: self) else {
                return .seeOther(
                    MerchantPath.signIn(returningTo: call.request.uri.description))
            }
            return try await visit.answering {
                var page = try await make(visit)
                if let said = visit.asked(MerchantDone.field).flatMap(MerchantWords.done) {
                    page.blocks.insert(Notice(.good, said), at: 0)
                }
                return visit.response(to: page)
            }
        }
    }

    /// What a form does.
    ///
    /// - Parameters:
    ///   - path: below the console's.
    ///   - act: does it, and says where the browser goes then. Forms that carry an identifier are
    ///     carried out once.
    func action(
        _ path: String, _ name: String,
        _ act: @escaping @Sendable (MerchantVisit, FormInput) async throws -> String
    ) -> Endpoint<MerchantSite> {
        endpoint(.post, path, name) { call in
            guard let visit = MerchantVisit(call, console: self) else {
                return .seeOther(MerchantPath.signIn(returningTo: nil))
            }
            return try await visit.answering {
                try SameOrigin.require(call, saying: MerchantWords.Errors.otherOrigin)
                let form = try await FormInput(call)
                do {
                    let path = try await forms.once(form.text(MerchantForm.field)) {
                        try await act(visit, form)
                    }
                    return .seeOther(MerchantDone.added(name, to: path))
                } catch let refusal as MerchantRefusal {
                    return visit.response(to: visit.refusal(refusal, of: form))
                } catch let error as ErrorBody {
                    return visit.response(to: visit.refusal(MerchantRefusal(error), of: form))
                }
            }
        }
    }

    /// What is no page: a document shown within one.
    func document(
        _ path: String, _ name: String,
        _ make: @escaping @Sendable (MerchantVisit) async throws -> Response
    ) -> Endpoint<MerchantSite> {
        endpoint(.get, path, name) { call in
            guard let visit = MerchantVisit(call, console: self) else {
                return .seeOther(
                    MerchantPath.signIn(returningTo: call.request.uri.description))
            }
            return try await visit.answering { try await make(visit) }
        }
    }

    /// Anything below the console's path.
    func endpoint(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ handle: @escaping @Sendable (Call<MerchantSite>) async throws -> Response
    ) -> Endpoint<MerchantSite> {
        Endpoint(
            method, path.isEmpty ? Self.path : "\(Self.path)/\(path)", "console.\(name)",
            on: .merchantConsole,
            description: OperationDescription(
                .tools, "A page for the operator",
                success: .ok("The page.", .text("HTML."))),
            handle: handle)
    }
}

/// What an address says of what was just done, by the name of the action; only names that have
/// words are said and shown.
enum MerchantDone {
    static let field = "done"

    static func added(_ name: String, to path: String) -> String {
        guard MerchantWords.done(name) != nil else { return path }
        return path + (path.contains("?") ? "&" : "?") + "\(field)=\(name)"
    }
}

/// What a form carries so that it is carried out once, however often it is sent.
enum MerchantForm {
    static let field = "form"

    /// For a form on a page that is being made.
    static func hidden() -> PageForm.Hidden {
        PageForm.Hidden(field, Randomness.token("form_"))
    }
}

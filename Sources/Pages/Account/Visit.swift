import AppStoreWire
import ConnectAnswers
import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import StoreHTTP
import SubscriptionRules

/// One request of a signed-in customer.
struct Visit: Sendable {
    let call: Call<StoreSite>
    let pages: Account
    let session: AccountSession
    let customer: CustomerSheet
    let locale: PageLocale
    let words: any AccountWords
    let desk: StoreDesk
    /// A form that was refused, while its page is made again.
    var refused: FormInput?

    /// Nil for whoever is not signed in, or as somebody whom there is no more.
    init?(_ call: Call<StoreSite>, pages: Account) async throws {
        guard let session = pages.access.session(call) else { return nil }
        let desk = StoreDesk(
            call: call, account: StoreSite.Account(session.account, bundleID: session.bundleID))
        do {
            customer = try await desk.get(StorePath("connect", "v1", "customers", session.account))
                .read(CustomerForm.customer, into: CustomerSheet())
        } catch let refusal as Refusal where refusal.status == .notFound {
            return nil
        }
        self.call = call
        self.pages = pages
        self.session = session
        self.desk = desk
        locale = PageLocale(
            accepting: call.request.headers[.acceptLanguage], in: PageLocale.all,
            or: customer.locale, at: StorefrontPlace(customer.storefront))
        words = AccountLanguages.words(for: locale.language)
    }

    /// A part of the path.
    func part(_ name: String) throws(ErrorBody) -> String {
        guard let text = call.parameter(name) else { throw .unknownPage }
        return text
    }

    /// What a field of the address says; nil for nothing.
    func asked(_ name: String) -> String? {
        call.query.values(name).first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What stands in a field: what was typed, or what usually does.
    func typed(_ name: String, or usual: String = "") -> String {
        refused?.text(name) ?? asked(name) ?? usual
    }

    /// The store's time.
    func now() async throws -> Instant {
        try await desk.get(StorePath("connect", "v1", "clock")).moment("now")
    }

    /// By what a form is known: one customer's is nobody else's.
    func key(of form: FormInput) -> String? {
        form.text(FormID.field).map { "\(session.identifier) \(call.request.uri.path) \($0)" }
    }

    // MARK: Answers

    /// Does something; what is refused is answered with a page that says so.
    func answering(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let refusal as Refusal {
            return response(to: self.refusal(refusal))
        } catch let error as ErrorBody {
            return response(to: self.refusal(Refusal(error)))
        }
    }

    /// A page that says why something was not done.
    func refusal(_ refusal: Refusal) -> Page {
        Page(
            words.problemTitle, status: refusal.status,
            [
                Notice(.bad, sentence(of: refusal), id: "problem"),
                LinkList([PageLink(words.goBack, AccountPath.above(call.request.uri.path))]),
            ])
    }

    /// What was refused, in the reader's language.
    func sentence(of refusal: Refusal) -> String { words.reason(refusal.code) ?? words.failed }

    /// The page of a form that was refused, or one that only says why.
    func page(
        of refusal: Refusal, _ form: FormInput,
        on page: (@Sendable (Visit) async throws -> Page)?
    ) async throws -> Page {
        guard let page else { return self.refusal(refusal) }
        var again = self
        again.refused = form
        do {
            var shown = try await page(again)
            shown.status = refusal.status
            shown.blocks.insert(
                Notice(.bad, sentence(of: refusal), id: "problem"), at: 0)
            return shown
        } catch is Refusal {
            return self.refusal(refusal)
        } catch is ErrorBody {
            return self.refusal(refusal)
        }
    }

    /// A page in its frame.
    func response(to page: Page) -> Response {
        var frame = PageFrame.account(call, words, locale)
        frame.signOut = AccountPath.signOut
        frame.framedBy = pages.framers.origins(reachedBy: call.request.head.authority)
        frame.nav = Navigation.links(words, at: call.request.uri.path)
        return page.response(in: frame)
    }
}

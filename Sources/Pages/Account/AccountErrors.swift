import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import StoreHTTP
import SubscriptionRules

/// How customers' pages tell errors that no page has told: as pages too, which need neither a
/// session nor a database. Nobody knows here who reads, so they are in English.
struct AccountErrors: ErrorForm {
    private let words = EnglishWords()

    func answer(to error: any Error) -> Response? {
        if let error = error as? ErrorBody {
            return page(error.status, words.reason(error.code) ?? words.failed)
        }
        return (error as? Refusal).map { page($0.status, words.reason($0.code) ?? words.failed) }
    }

    func answer(to trouble: RequestTrouble) -> Response {
        switch trouble {
        case .unauthenticated: return page(.unauthorized, words.signInFirst)
        case .tooOften: return page(.tooManyRequests, words.tooOften)
        case .bodyTooLarge: return page(.contentTooLarge, words.failed)
        case .unknownPath: return page(.notFound, words.unknownPage)
        case .methodNotAllowed: return page(.methodNotAllowed, words.unknownPage)
        case .passing(let passing, _):
            var response = page(.serviceUnavailable, words.busy)
            response.headers[.retryAfter] = String(passing.pause.milliseconds / 1000)
            return response
        case .failed: return page(.internalServerError, words.failed)
        }
    }

    func failures(of operation: OperationDescription) -> [OperationDescription.Failure] { [] }
    var codeMember: String { "error" }
    var hasNumbers: Bool { false }
    func fields(of status: Int) -> [(name: String, about: String)] { [] }

    private func page(_ status: HTTPResponse.Status, _ message: String) -> Response {
        Page(
            words.problemTitle, status: status,
            [
                Notice(.bad, message, id: "problem"),
                LinkList([PageLink(words.toOverview, AccountPath.overview)]),
            ]
        ).response(in: .account(nil, words, .english))
    }
}

extension ErrorBody {
    static let unknownPage = ErrorBody(.notFound, "unknownPage", "There is no such page.")
    static let otherOrigin = ErrorBody(
        .forbidden, "otherOrigin", "This was not sent by a page of this store.")
}

extension PageFrame {
    /// What stands around customers' pages, but for what only those see who are signed in.
    ///
    /// - Parameter call: nil where it is not known at which server it is.
    static func account(
        _ call: Call<StoreSite>?, _ words: any AccountWords, _ locale: PageLocale
    ) -> PageFrame {
        let isSandbox = call?.site.isSandbox
        return PageFrame(
            site: words.site, home: AccountPath.overview,
            assets: "\(Account.path)/assets/\(PageAssets.version)",
            environment: isSandbox == nil
                ? words.site : isSandbox == true ? "Sandbox" : "Production",
            environmentKind: isSandbox == nil
                ? "none" : isSandbox == true ? "sandbox" : "production",
            foot: words.foot, locale: locale)
    }
}

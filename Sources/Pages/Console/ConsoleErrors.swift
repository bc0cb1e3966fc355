import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import StoreHTTP
import SubscriptionRules

/// How the console tells errors that no page of its own has told: as pages too, which need neither
/// a session nor a database.
struct ConsoleErrors: ErrorForm {
    func answer(to error: any Error) -> Response? {
        (error as? ErrorBody).map { page($0.status, $0.message) }
    }

    func answer(to trouble: RequestTrouble) -> Response {
        typealias Words = ConsoleWords.Errors
        switch trouble {
        case .unauthenticated: return page(.unauthorized, Words.signIn)
        case .tooOften: return page(.tooManyRequests, Words.tooOften)
        case .bodyTooLarge: return page(.contentTooLarge, Words.tooLarge)
        case .unknownPath: return page(.notFound, Words.unknownPage)
        case .methodNotAllowed: return page(.methodNotAllowed, Words.method)
        case .passing(let passing, _):
            var response = page(
                .serviceUnavailable,
                passing == .busy ? Words.busy : Words.databaseIsAway, comesBack: true)
            response.headers[.retryAfter] = String(passing.pause.milliseconds / 1000)
            return response
        case .failed(_, let request):
            return page(.internalServerError, Words.failed(request))
        }
    }

    func failures(of operation: OperationDescription) -> [OperationDescription.Failure] { [] }
    var codeMember: String { "error" }
    var hasNumbers: Bool { false }
    func fields(of status: Int) -> [(name: String, about: String)] { [] }

    /// - Parameter comesBack: whether the page tries again by itself where scripts run.
    private func page(
        _ status: HTTPResponse.Status, _ message: String, comesBack: Bool = false
    ) -> Response {
        typealias Words = ConsoleWords.Errors
        var blocks: [any PageBlock] = [Notice(.bad, message, id: "problem")]
        if comesBack { blocks.append(TryAgain(Words.tryAgain, Words.triesAgain)) }
        blocks.append(LinkList([PageLink(Words.toOverview, ConsolePath.overview)]))
        var frame = PageFrame(
            site: ConsoleWords.site, home: ConsolePath.overview,
            assets: "\(Console.path)/assets/\(PageAssets.version)",
            environment: ConsoleWords.console, environmentKind: "none", foot: ConsoleWords.foot,
            locale: .english)
        frame.navigate(at: nil)
        return Page(Words.title(status.code), status: status, blocks).response(in: frame)
    }
}

extension ErrorBody {
    static let unknownPage = ErrorBody(
        .notFound, "unknownPage", ConsoleWords.Errors.unknownPage)

    static let otherOrigin = ErrorBody(
        .forbidden, "otherOrigin", ConsoleWords.Errors.otherOrigin)
}

import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import SubscriptionRules

/// How the merchant's console tells errors that no page of its own has told: as pages too, which
/// need neither a session nor a database.
struct MerchantErrors: ErrorForm {
    func answer(to error: any Error) -> Response? {
        (error as? ErrorBody).map { page($0.status, $0.message) }
    }

    func answer(to trouble: RequestTrouble) -> Response {
        typealias Words = MerchantWords.Errors
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
        typealias Words = MerchantWords.Errors
        var blocks: [any PageBlock] = [Notice(.bad, message, id: "problem")]
        if comesBack { blocks.append(TryAgain(Words.tryAgain, Words.triesAgain)) }
        blocks.append(LinkList([PageLink(Words.toOverview, MerchantPath.overview)]))
        var frame = PageFrame.merchant(.english)
        frame.nav = MerchantNavigation(at: nil).groups
        return Page(Words.title(status.code), status: status, blocks).response(in: frame)
    }
}

extension ErrorBody {
    static let unknownMerchantPage = ErrorBody(
        .notFound, "unknownPage", MerchantWords.Errors.unknownPage)

    static let otherMerchantOrigin = ErrorBody(
        .forbidden, "otherOrigin", MerchantWords.Errors.otherOrigin)
}

import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import SubscriptionRules

/// How the demonstration tells errors.
struct DemoErrors: ErrorForm {
    func answer(to error: any Error) -> Response? {
        if let error = error as? ErrorBody {
            return page(
                error.status,
                error.code == "otherOrigin" ? DemoWords.otherOrigin : error.message)
        }
        return (error as? MerchantRefusal).map { page($0.status, $0.message) }
    }

    func answer(to trouble: RequestTrouble) -> Response {
        switch trouble {
        case .unauthenticated: return page(.unauthorized, DemoWords.needsLink)
        case .tooOften: return page(.tooManyRequests, DemoWords.failed)
        case .bodyTooLarge: return page(.contentTooLarge, DemoWords.failed)
        case .unknownPath: return page(.notFound, DemoWords.unknownPage)
        case .methodNotAllowed: return page(.methodNotAllowed, DemoWords.unknownPage)
        case .passing(let passing, _):
            var response = page(.serviceUnavailable, DemoWords.failed)
            response.headers[.retryAfter] = String(passing.pause.milliseconds / 1000)
            return response
        case .failed: return page(.internalServerError, DemoWords.failed)
        }
    }

    func failures(of operation: OperationDescription) -> [OperationDescription.Failure] { [] }
    var codeMember: String { "error" }
    var hasNumbers: Bool { false }
    func fields(of status: Int) -> [(name: String, about: String)] { [] }

    private func page(_ status: HTTPResponse.Status, _ message: String) -> Response {
        Page(
            DemoWords.problem, status: status,
            [
                Notice(.bad, message, id: "problem"),
                LinkList([PageLink(DemoWords.back, "/")]),
            ]
        ).response(in: .demo(.english))
    }
}

extension PageFrame {
    /// What stands around the demonstration.
    static func demo(_ locale: PageLocale) -> PageFrame {
        PageFrame(
            site: DemoWords.site, home: "/", assets: "/demo/assets/\(PageAssets.version)",
            environment: DemoWords.demo, environmentKind: "none", foot: DemoWords.foot,
            locale: locale)
    }
}

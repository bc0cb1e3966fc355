import HTMLPages
import HTTPSurface
import HTTPTypes
import Hummingbird
import SubscriptionRules

/// How the shop tells errors that no page has told: as pages too, which need neither a session nor
/// a database. Nobody knows here who reads, so they are in English.
struct ShopErrors: ErrorForm {
    private let words = EnglishShop()

    func answer(to error: any Error) -> Response? {
        if let error = error as? ErrorBody {
            return page(
                error.status, error.code == "otherOrigin" ? words.otherOrigin : words.failed)
        }
        return (error as? MerchantRefusal).map { page($0.status, words.failed) }
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
                LinkList([PageLink(words.toShop, ShopPath.content)]),
            ]
        ).response(in: .shop(nil, words, .english))
    }
}

extension ErrorBody {
    static let unknownShopPage = ErrorBody(.notFound, "unknownPage", "There is no such page.")
    static let otherOriginOfShop = ErrorBody(
        .forbidden, "otherOrigin", "This was not sent by a page of this shop.")
}

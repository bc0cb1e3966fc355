import AppStoreSigning
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant

/// The surfaces of the merchant.
extension Surface {
    static let apple = Surface(
        "apple", "Where the App Store, or a store that speaks as it does, sends notifications.",
        root: "apple", errors: own)

    static let customers = Surface(
        "customers", "What apps and the developer's servers send and ask.", root: "v1",
        errors: own)

    static let merchantTools = Surface(
        "tools", "Description, liveness and metrics.", root: nil, errors: own)

    private static let own = CodedErrors(
        program: "merchant", translate: { ($0 as? MerchantError).map(ErrorBody.init) })
}

extension OperationDescription.Access {
    /// Whoever shows the app's token, or the server's.
    static let app = token("app")
    /// Whoever shows the server's token, or the operator's.
    static let server = token("server")
    /// Whoever shows the operator's token.
    static let theOperator = token("operator")
}

extension ErrorBody {
    init(_ error: MerchantError) {
        switch error {
        case .unknownApp(let bundleID):
            self.init(
                .notFound, "unknownApp",
                "This merchant serves no app \(bundleID.prefix(128))",
                remedy: "its configuration names those that it does", field: "bundleId")
        case .notVerified(let reason):
            self.init(
                .badRequest, "notVerified",
                "What was sent proves nothing (\(reason.code.rawValue)): \(reason.reason)")
        case .ownedByAnother:
            self.init(
                .conflict, "ownedByAnother",
                "The purchase belongs to another account: send it with `\"restore\": true` once "
                    + "the customer has asked to restore it.", field: "account")
        case .unknownDeadLetter(let number):
            self.init(
                .notFound, "unknownDeadLetter",
                "No dead letter has the number \(number), or it is meant for another app.")
        }
    }
}

/// Every endpoint of a merchant.
enum MerchantRoutes {
    static let all: [Endpoint] =
        AppleSurface.endpoints + CustomersSurface.endpoints + OperatorSurface.endpoints
        + MerchantTools.endpoints

    static let table = RouteTable(all, at: "merchant", elsewhere: .merchantTools)
}

extension Endpoint {
    /// An operation for whoever shows a token that the description names, or a higher one.
    static func tokenHolder(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ description: OperationDescription,
        handle: @escaping @Sendable (Call, Input) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            method, path, name, on: .customers, description,
            admit: { call in
                let tokens = call.site.server.tokens
                let shown = try call.bearerToken()
                var good = [tokens.theOperator]
                if description.access != .theOperator { good.append(tokens.server) }
                if description.access == .app { good.append(tokens.app) }
                guard good.contains(where: { $0.matches(shown) }) else { throw Unauthenticated() }
            }, handle: handle)
    }
}

package import HTTPSurface
package import HTTPTypes

/// A merchant's server, as the endpoints see it; an object, as `EndpointServer` is.
package final class MerchantSite: Sendable {
    package let server: MerchantServer
    /// Who asks from within the program, and shows no token.
    let caller: MerchantCaller?

    init(server: MerchantServer, caller: MerchantCaller? = nil) {
        self.server = server
        self.caller = caller
    }
}

/// In whose place a page asks, once it knows who looks at it.
package enum MerchantCaller: Sendable, Hashable {
    case theOperator
    /// The app of a bundle id, as on a customer's device.
    case app(String)

    var holder: TokenHolder {
        switch self {
        case .theOperator: TokenHolder(scope: .theOperator, bundleID: nil)
        case .app(let bundleID): TokenHolder(scope: .app, bundleID: bundleID)
        }
    }
}

extension HTTPSurface.Call<MerchantSite> {
    /// Asks the merchant from within the program: the same endpoints that scripts ask, with the
    /// same checks and the same errors.
    ///
    /// - Parameters:
    ///   - path: with its query, percent-encoded.
    ///   - caller: in whose place.
    ///   - body: the request's JSON, if it has any.
    package func ask(
        _ method: HTTPRequest.Method, _ path: String, as caller: MerchantCaller,
        body: [UInt8]? = nil
    ) async throws -> (status: HTTPResponse.Status, bytes: [UInt8]) {
        let site = MerchantSite(server: site.server, caller: caller)
        return try await server.at(site).answer(method, path, body: body)
    }
}

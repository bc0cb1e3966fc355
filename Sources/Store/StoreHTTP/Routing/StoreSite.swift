import AppStoreWire
package import HTTPSurface
package import HTTPTypes
package import Store

/// One environment's server, as the endpoints see it; an object, as `EndpointServer` is.
package final class StoreSite: Sendable {
    package let server: StoreServer
    package let environment: StoreEnvironment
    /// Whether it is the Sandbox, else Production.
    package var isSandbox: Bool { environment == .sandbox }
    /// Whether whoever asks is known to be the operator, as by a session, and shows no token.
    let isOperators: Bool
    /// The customer in whose place the operator asks.
    let actsFor: Account?

    init(
        server: StoreServer, environment: StoreEnvironment, isOperators: Bool = false,
        actsFor: Account? = nil
    ) {
        self.server = server
        self.environment = environment
        self.isOperators = isOperators
        self.actsFor = actsFor
    }

    /// A customer's account, in an app.
    package struct Account: Sendable {
        package let name: String
        package let bundleID: String

        package init(_ name: String, bundleID: String) {
            self.name = name
            self.bundleID = bundleID
        }
    }
}

typealias Endpoint = HTTPSurface.Endpoint<StoreSite>
typealias Call = HTTPSurface.Call<StoreSite>
typealias StoreRoutes = HTTPSurface.RouteTable<StoreSite>

extension Call {
    var store: Store { site.server.store }
    var environment: StoreEnvironment { site.environment }
}

extension StoreRoutes {
    /// Every endpoint there is.
    static var all: [Endpoint] {
        ServerAPI.endpoints + AdvancedCommerceAPI.endpoints + StorefrontSurface.endpoints
            + ConnectSurface.endpoints + ReceiptSurface.endpoints
            + ToolsSurface.endpoints
    }

    /// All endpoints of one environment.
    ///
    /// - Parameter pages: those for people.
    init(_ environment: StoreEnvironment, pages: [Endpoint] = []) {
        self.init(
            Self.all.map(\.waiting) + pages, at: environment.wire.rawValue, elsewhere: .tools)
    }
}

extension HTTPSurface.Call<StoreSite> {
    /// Asks `/connect` from within the program, as the operator: for a page, once it knows that it
    /// is the operator's.
    ///
    /// - Parameters:
    ///   - path: with its query, percent-encoded.
    ///   - body: the request's JSON, if it has any.
    ///   - account: the customer in whose place `/storefront` is asked.
    ///   - rehearses: whether it is only asked what would happen.
    package func connect(
        _ method: HTTPRequest.Method, _ path: String, body: [UInt8]? = nil,
        actingFor account: StoreSite.Account? = nil, rehearses: Bool = false
    ) async throws -> (status: HTTPResponse.Status, bytes: [UInt8]) {
        let site = StoreSite(
            server: site.server, environment: site.environment, isOperators: true,
            actsFor: account)
        var fields = HTTPFields()
        if rehearses, let name = HTTPField.Name("Rehearse") { fields[name] = "true" }
        return try await server.at(site).answer(method, path, fields, body: body)
    }
}

import AppStoreWire
import HTTPSurface
import Store

/// One environment's server, as the endpoints see it.
struct StoreSite: Sendable {
    let server: StoreServer
    let environment: StoreEnvironment
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
        ServerAPI.endpoints + StorefrontSurface.endpoints + ConnectSurface.endpoints
            + ToolsSurface.endpoints
    }

    /// All endpoints of one environment.
    init(_ environment: StoreEnvironment) {
        self.init(Self.all, at: environment.wire.rawValue, elsewhere: .tools)
    }
}

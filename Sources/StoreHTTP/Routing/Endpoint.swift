import HTTPTypes
import Hummingbird
import Store

/// One operation of the servers, declared once: the router, the rate limiter, the labels of the
/// metrics and `/openapi.json` are made of the same declaration.
struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    /// The path with parameters in braces: `/inApps/v1/transactions/{transactionId}`.
    let path: String
    /// The operation's name, unique among all.
    let name: String
    /// Where it exists.
    let environments: Set<StoreEnvironment>
    /// What the surface's OpenAPI document says of it, and what its requests are held against.
    let description: OperationDescription
    let handle: @Sendable (Call) async throws -> Response

    init(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        in environments: Set<StoreEnvironment> = Set(StoreEnvironment.allCases),
        description: OperationDescription,
        handle: @escaping @Sendable (Call) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.environments = environments
        self.description = description
        self.handle = handle
    }
}

/// Which of the surfaces a path belongs to, and so how errors are told there.
enum Surface: Sendable {
    /// The App Store Server API: Apple's error bodies.
    case serverAPI
    /// Everything of our own.
    case own

    /// - Parameter path: of a route or of a request; empty parts do not count, as in the router.
    init(path: String) {
        self = path.split(separator: "/").first == "inApps" ? .serverAPI : .own
    }
}

/// All endpoints of one environment.
struct RouteTable: Sendable {
    let environment: StoreEnvironment
    let endpoints: [Endpoint]

    init(_ environment: StoreEnvironment) {
        self.environment = environment
        endpoints = RouteTable.all.filter { $0.environments.contains(environment) }
    }

    /// Every endpoint there is.
    static let all =
        ServerAPI.endpoints + StorefrontSurface.endpoints + ConnectSurface.endpoints
        + ToolsSurface.endpoints

    /// The methods that a path takes, HEAD with every GET; empty for an unknown path. Only asked
    /// when the router has found nothing, so it may take its time.
    ///
    /// As in the router, fixed parts win over parameters: what `extend/mass` does not take is not
    /// looked for at `extend/{originalTransactionId}`.
    func methods(ofPath path: String) -> [HTTPRequest.Method] {
        var methods = endpoints(atPath: path).map(\.method)
        if methods.contains(.get) { methods.append(.head) }
        return methods.sorted { $0.rawValue < $1.rawValue }
    }

    /// Whether a request carries a whole file, which may be longer than other bodies. Only asked
    /// of a long body.
    func takesFile(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        endpoints(atPath: path).contains { endpoint in
            guard endpoint.method == method, case .file = endpoint.description.body else {
                return false
            }
            return true
        }
    }

    private func endpoints(atPath path: String) -> [Endpoint] {
        let parts = path.split(separator: "/")
        let fitting = endpoints.filter { endpoint in
            let wanted = endpoint.path.split(separator: "/")
            return wanted.count == parts.count
                && zip(wanted, parts).allSatisfy { $0.first == "{" || $0 == $1 }
        }
        func parameters(_ endpoint: Endpoint) -> Int { endpoint.path.count { $0 == "{" } }
        let fewest = fitting.map(parameters).min()
        return fitting.filter { parameters($0) == fewest }
    }
}

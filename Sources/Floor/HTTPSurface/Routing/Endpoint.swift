package import HTTPTypes
package import Hummingbird

/// One operation of a server, declared once: the router, the rate limiter, the labels of the
/// metrics and the descriptions are made of the same declaration.
package struct Endpoint<Site: Sendable>: Sendable {
    package let method: HTTPRequest.Method
    /// The path with parameters in braces: `/inApps/v1/transactions/{transactionId}`.
    package let path: String
    /// The operation's name, unique among all.
    package let name: String
    /// What it belongs to, and so how errors are told there.
    package let surface: Surface
    /// The names of the servers that it exists at; nil for all.
    package let servers: Set<String>?
    /// What the surface's OpenAPI document says of it, and what its requests are held against.
    package let description: OperationDescription
    /// Whether it does so little at a time that the connection's thread does it, with which other
    /// connections wait: a few rows that are found by an index.
    package let isBrief: Bool
    package let handle: @Sendable (Call<Site>) async throws -> Response

    package init(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, on surface: Surface,
        at servers: Set<String>? = nil, isBrief: Bool = false, description: OperationDescription,
        handle: @escaping @Sendable (Call<Site>) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.surface = surface
        self.servers = servers
        self.isBrief = isBrief
        self.description = description
        self.handle = handle
    }

    /// An operation that whoever is let in may call, with what the description allows.
    ///
    /// - Parameters:
    ///   - admit: throws where the caller is not let in, before anything else is read.
    ///   - handle: is given only what was held against the description.
    package init(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, on surface: Surface,
        isBrief: Bool = false, _ description: OperationDescription,
        admit: @escaping @Sendable (Call<Site>) async throws -> Void = { _ in },
        handle: @escaping @Sendable (Call<Site>, Input) async throws -> Response
    ) {
        self.init(
            method, path, name, on: surface, isBrief: isBrief, description: description
        ) { call in
            try await admit(call)
            return try await handle(call, try await Input(call, description))
        }
    }
}

extension Endpoint {
    /// Answers a call, on threads of its own unless it is brief.
    func answer(_ call: Call<Site>) async throws -> Response {
        if isBrief { return try await handle(call) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await handle(call)
        }
    }
}

/// All endpoints of one server.
package struct RouteTable<Site: Sendable>: Sendable {
    package let endpoints: [Endpoint<Site>]
    private let endpointsByPath: [String: [Endpoint<Site>]]
    /// What the path of each endpoint consists of, in their order.
    private let patterns: [Pattern]
    private let elsewhere: Surface

    /// A path, split: what a program calls within itself is looked for here each time.
    private struct Pattern {
        /// Nil for a parameter, which takes anything.
        let parts: [Substring?]
        let parameters: Int

        init(_ path: String) {
            parts = path.split(separator: "/").map { $0.first == "{" ? nil : $0 }
            parameters = parts.count { $0 == nil }
        }

        func fits(_ path: [Substring]) -> Bool {
            path.count == parts.count && zip(parts, path).allSatisfy { $0 == nil || $0 == $1 }
        }
    }

    /// - Parameters:
    ///   - endpoints: those of all servers of the program.
    ///   - server: of which those are taken that exist there.
    ///   - elsewhere: the surface that answers where nothing is, and under nobody's root.
    package init(
        _ endpoints: [Endpoint<Site>], at server: String, elsewhere: Surface
    ) {
        self.endpoints = endpoints.filter { $0.servers?.contains(server) ?? true }
        self.elsewhere = elsewhere
        patterns = self.endpoints.map { Pattern($0.path) }
        endpointsByPath = Dictionary(grouping: self.endpoints, by: \.path)
        for (path, endpoints) in endpointsByPath {
            let surfaces = Set(endpoints.map(\.surface.name))
            precondition(surfaces.count == 1, "\(path) lies on several surfaces: \(surfaces)")
        }
    }

    /// The surface of a request.
    ///
    /// - Parameters:
    ///   - route: the path of the endpoint that the router found; nil where it found none.
    ///   - path: the path of the request.
    func surface(ofRoute route: String?, path: String) -> Surface {
        if let endpoint = route.flatMap({ endpointsByPath[$0]?.first }) { return endpoint.surface }
        if let endpoint = endpoints(atPath: path).first { return endpoint.surface }
        // Empty parts do not count, as in the router.
        let first = path.split(separator: "/").first
        return endpoints.map(\.surface).first {
            $0.root != nil && $0.root == first.map(String.init)
        }
            ?? elsewhere
    }

    /// The methods that a path takes, HEAD with every GET; empty for an unknown path.
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

    /// The endpoint that takes a request, and the parameters in its path, percent-encoded as in
    /// the router's.
    func endpoint(
        _ method: HTTPRequest.Method, atPath path: String
    ) -> (Endpoint<Site>, Parameters)? {
        guard let endpoint = endpoints(atPath: path).first(where: { $0.method == method }) else {
            return nil
        }
        var parameters = Parameters()
        for (wanted, part) in zip(endpoint.path.split(separator: "/"), path.split(separator: "/"))
        where wanted.first == "{" {
            parameters[wanted.dropFirst().dropLast()] = part
        }
        return (endpoint, parameters)
    }

    private func endpoints(atPath path: String) -> [Endpoint<Site>] {
        let parts = path.split(separator: "/")
        let fitting = patterns.indices.filter { patterns[$0].fits(parts) }
        let fewest = fitting.map { patterns[$0].parameters }.min()
        return fitting.filter { patterns[$0].parameters == fewest }.map { endpoints[$0] }
    }
}

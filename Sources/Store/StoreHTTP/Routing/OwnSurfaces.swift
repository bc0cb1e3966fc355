import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension Endpoint {
    /// An operation for tools, open to everybody.
    static func tool(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, isBrief: Bool = false,
        _ description: OperationDescription,
        handle: @escaping @Sendable (Call) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            method, path, name, on: .tools, isBrief: isBrief, description: description,
            handle: handle)
    }

    /// An operation of our own surfaces that nobody has to show a token for.
    static func open(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ description: OperationDescription,
        handle: @escaping @Sendable (Call, Input) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            method, path, name, on: .storefront, description.rehearsable(false, method),
            admit: { try $0.refuseRehearsal() }, handle: handle)
    }

    /// An operation that a customer's device calls, signed in with a token.
    ///
    /// - Parameter canRehearse: whether one can ask what it would do; it changes the store once.
    static func device(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        canRehearse: Bool = false, _ description: OperationDescription,
        handle: @escaping @Sendable (Call, DeviceSession, Input) async throws -> Response
    ) -> Endpoint {
        let description = description.rehearsable(canRehearse, method)
        return Endpoint(method, path, name, on: .storefront, description: description) { call in
            let device = try await device(of: call)
            if !canRehearse { try call.refuseRehearsal() }
            let input = try await Input(call, description)
            return try await call.rehearsing(input) { try await handle(call, device, input) }
        }
    }

    /// An operation of a customer's device that also answers those who are not signed in.
    ///
    /// - Parameter parameter: the one of the query with which it is about no customer, whatever
    ///   token there is.
    static func deviceOrNobody(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, unless parameter: String,
        _ description: OperationDescription,
        handle: @escaping @Sendable (Call, DeviceSession?, Input) async throws -> Response
    ) -> Endpoint {
        var description = description.rehearsable(false, method)
        description.access = description.access.orNobody
        let described = description
        return Endpoint(method, path, name, on: .storefront, description: described) { call in
            let isNobody = !QueryString(call.request.uri.query ?? "").values(parameter)
                .isEmpty
            let device = isNobody ? nil : try await device(of: call)
            try call.refuseRehearsal()
            return try await handle(call, device, try await Input(call, described))
        }
    }

    /// An operation of a customer's device that waits: it ends when the device goes away.
    static func deviceWaits(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ description: OperationDescription,
        handle: @escaping @Sendable (Call, DeviceSession, Input) async throws -> Response
    ) -> Endpoint {
        let description = description.rehearsable(false, method)
        return Endpoint(method, path, name, on: .storefront, description: description) { call in
            let device = try await device(of: call)
            return try await call.whileConnected { call in
                try await handle(call, device, try await Input(call, description))
            }
        }
    }

    /// Whose token a call has.
    static func device(of call: Call) async throws -> DeviceSession {
        if let account = call.site.actsFor {
            return try await call.store.device(
                of: account.name, bundleID: account.bundleID, in: call.environment)
        }
        return try await call.store.device(token: try call.bearerToken(), in: call.environment)
    }

    /// An operation that the operator calls, with the operator's token.
    ///
    /// - Parameter canRehearse: whether one can ask what it would do; it changes the store once.
    static func operatorOnly(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        canRehearse: Bool = false, _ description: OperationDescription,
        handle: @escaping @Sendable (Call, Input) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            method, path, name, on: .connect,
            description.rehearsable(canRehearse, method),
            admit: { call in
                try requireOperator(call)
                if !canRehearse { try call.refuseRehearsal() }
            }
        ) { call, input in
            try await call.rehearsing(input) { try await handle(call, input) }
        }
    }

    /// An operation of the operator's that may take as long as it likes: it ends when the caller
    /// goes away.
    static func operatorWaits(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ description: OperationDescription,
        handle: @escaping @Sendable (Call, Input) async throws -> Response
    ) -> Endpoint {
        let description = description.rehearsable(false, method)
        return Endpoint(method, path, name, on: .connect, description: description) { call in
            try requireOperator(call)
            try call.refuseRehearsal()
            return try await call.whileConnected { call in
                try await handle(call, try await Input(call, description))
            }
        }
    }

    @Sendable private static func requireOperator(_ call: Call) throws {
        if call.site.isOperators { return }
        guard call.site.server.gate.isOperator(try call.bearerToken()) else {
            throw Unauthenticated()
        }
    }
}

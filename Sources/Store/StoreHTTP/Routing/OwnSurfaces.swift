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
        Endpoint(method, path, name, on: .storefront, description, handle: handle)
    }

    /// An operation that a customer's device calls, signed in with a token.
    static func device(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ description: OperationDescription,
        handle: @escaping @Sendable (Call, DeviceSession, Input) async throws -> Response
    ) -> Endpoint {
        Endpoint(method, path, name, on: .storefront, description: description) { call in
            let device = try await call.store.device(
                token: try call.bearerToken(), in: call.environment)
            return try await handle(call, device, try await Input(call, description))
        }
    }

    /// An operation that the operator calls, with the operator's token.
    static func operatorOnly(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ description: OperationDescription,
        handle: @escaping @Sendable (Call, Input) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            method, path, name, on: .connect, description, admit: requireOperator, handle: handle)
    }

    /// An operation of the operator's that may take as long as it likes: it ends when the caller
    /// goes away.
    static func operatorWaits(
        _ method: HTTPRequest.Method, _ path: String, _ name: String,
        _ description: OperationDescription,
        handle: @escaping @Sendable (Call, Input) async throws -> Response
    ) -> Endpoint {
        Endpoint(method, path, name, on: .connect, description: description) { call in
            try requireOperator(call)
            return try await call.whileConnected { call in
                try await handle(call, try await Input(call, description))
            }
        }
    }

    @Sendable private static func requireOperator(_ call: Call) throws {
        guard call.site.server.gate.isOperator(try call.bearerToken()) else {
            throw Unauthenticated()
        }
    }
}

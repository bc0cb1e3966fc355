import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

/// Answering only once what a call causes was told: whoever calls asks for it with
/// `Prefer: wait=10` (RFC 7240). One place decides it for all surfaces.
extension Endpoint {
    /// The same, which answers later where the caller prefers that.
    var waiting: Endpoint {
        guard method.changesSomething else { return self }
        let isOurs = surface.name == Surface.connect.name || surface.name == Surface.storefront.name
        return Endpoint(
            method, path, name, on: surface, at: servers, isBrief: isBrief,
            description: isOurs ? description.waiting : description
        ) { call in
            try await call.waiting { try await handle(call) }
        }
    }
}

extension Call {
    private static let longestWait = 60

    /// Handles a call, and waits as long as the caller prefers for what it causes.
    fileprivate func waiting(
        _ handle: @Sendable () async throws -> Response
    ) async throws -> Response {
        guard let seconds = preferredWait else { return try await handle() }
        let outcome = try await store.settling(within: .seconds(seconds)) { try await handle() }
        var response = outcome.result
        if outcome.isSettled, let name = HTTPField.Name("Preference-Applied") {
            response.headers[name] = "wait=\(seconds)"
        }
        return response
    }

    /// How many seconds the caller prefers to wait; nil for none. A preference that is not
    /// understood is passed over (RFC 7240 section 2).
    private var preferredWait: Int? {
        guard let name = HTTPField.Name("Prefer"), let text = request.headers[name] else {
            return nil
        }
        for preference in text.split(separator: ",") {
            let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                .map { part in part.filter { $0 != " " && $0 != "\t" } }
            guard parts.count == 2, parts[0].lowercased() == "wait" else { continue }
            guard let seconds = Int(parts[1]), seconds > 0 else { return nil }
            return min(seconds, Self.longestWait)
        }
        return nil
    }
}

extension OperationDescription {
    /// The same with the field that the caller may send.
    fileprivate var waiting: OperationDescription {
        var description = self
        description.parameters.append(
            .header(
                "Prefer",
                .text(
                    "`wait=10` (RFC 7240): answer once every notification that the call caused was "
                        + "tried, after 10 seconds at the latest; 60 at most. "
                        + "`Preference-Applied` in the answer says that all were. Without it the "
                        + "answer comes at once.")))
        return description
    }
}

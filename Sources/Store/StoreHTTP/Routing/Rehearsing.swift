import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Journal
import Store

/// Asking what a call would do: it is done and taken back, and answered with what the journal
/// would say. What would be refused is refused as it would be.
extension Call {
    private static let field = "Rehearse"
    /// Tells the answer from one to a call that was done.
    static let rehearsalType = "application/vnd.perennial.rehearsal+json"

    /// Handles a call, or only tells what handling it would do.
    func rehearsing(
        _ input: Input, _ handle: () async throws -> Response
    ) async throws -> Response {
        guard input.parameter(Self.field)?.string == "true" else { return try await handle() }
        let entries = try await Store.rehearsing { _ = try await handle() }
        var response = Response.object { json in
            json.array("entries") { json in
                for entry in entries { json.element(entry) }
            }
        }
        response.headers[.contentType] = Self.rehearsalType
        return response
    }

    /// Refuses to be asked what an operation would do that cannot say so: it would be done.
    func refuseRehearsal() throws(ErrorBody) {
        guard request.method.changesSomething,
            HTTPField.Name(Self.field).flatMap({ request.headers[$0] }) != nil
        else { return }
        throw ErrorBody(
            .badRequest, "notRehearsable",
            "Nobody can ask what this would do, and nothing was done: send it without the field "
                + "Rehearse.", field: Self.field)
    }
}

extension HTTPRequest.Method {
    var changesSomething: Bool { self != .get && self != .head }
}

extension OperationDescription {
    /// The same, which can be asked what it would do or not; one that only reads does nothing
    /// anyway.
    func rehearsable(_ canRehearse: Bool, _ method: HTTPRequest.Method) -> OperationDescription {
        var description = self
        guard canRehearse else {
            if method.changesSomething {
                description.failures.append(.init(.badRequest, "notRehearsable"))
            }
            return description
        }
        description.parameters.append(
            .header(
                "Rehearse",
                .choice(
                    "With `true` nothing is done, and the answer is a rehearsal.", ["true"])))
        description.alternatives.append(
            .ok(
                "With `Rehearse: true`: what it would do.",
                .object(
                    "What the timeline would say.",
                    .required(
                        "entries",
                        .list(
                            "Its entries; `sequence` is none that lasts.",
                            of: .named("TimelineEntry")))),
                as: Call.rehearsalType))
        return description
    }
}

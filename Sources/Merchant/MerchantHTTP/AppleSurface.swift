import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import NIOCore

/// Where notifications come in.
enum AppleSurface {
    static let endpoints: [Endpoint] = [receiveNotification]

    /// Takes a notification of version 2 from either environment. Whoever sends one shows no token:
    /// the signature is what counts.
    static let receiveNotification = Endpoint(
        .post, "/apple/v2/{bundleId}", "receiveNotification", on: .apple,
        description: OperationDescription(
            .tools, "Take a notification of version 2",
            detail: "Answered 200 once it is kept; what is not kept is answered otherwise, so that "
                + "the store sends it again. A notification that was kept before is answered 200, "
                + "as is one that is authentic and meant for another app or environment: it is set "
                + "aside among the dead letters.",
            parameters: [.path("bundleId", .text("The app.", 1...255))],
            body: .file("The body that the App Store sends, with `signedPayload`."),
            success: .ok(
                "It is kept.",
                .object(
                    "What came of it.",
                    .required(
                        "result",
                        .choice("What came of it.", ["kept", "repeated", "setAside"])))),
            failures: [
                .init(.badRequest, "malformedJSON"), .init(.badRequest, "missingMember"),
                .init(.badRequest, "notVerified"), .init(.notFound, "unknownApp"),
            ])
    ) { call in
        let bundleID = try call.bundleID()
        let body = try await call.body(upTo: MerchantServer.largestNotification)
        let value: JSONValue
        do {
            value = try JSONValue(parsing: body.readableBytesView)
        } catch {
            throw ErrorBody(.badRequest, "malformedJSON", "The body is not JSON: \(error)")
        }
        guard let payload = value["signedPayload"]?.string else {
            throw ErrorBody(
                .badRequest, "missingMember",
                "The body has no text `signedPayload`: notifications of version 2 have one.",
                field: "signedPayload")
        }
        let reception = try await call.merchant.receive(payload, for: bundleID)
        if call.site.server.processesFirst { try await call.merchant.settle() }
        return .object { json in
            switch reception {
            case .kept: json.field("result", "kept")
            case .repeated: json.field("result", "repeated")
            case .setAside: json.field("result", "setAside")
            }
        }
    }
}

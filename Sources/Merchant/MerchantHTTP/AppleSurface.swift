import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant
import NIOCore

/// Where notifications come in.
enum AppleSurface {
    static let endpoints: [Endpoint] = [receiveNotification, receiveVersionOne]

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
            success: success,
            failures: [
                .init(.badRequest, "malformedJSON"), .init(.badRequest, "missingMember"),
                .init(.badRequest, "notVerified"), .init(.notFound, "unknownApp"),
                .init(.serviceUnavailable, "busy"),
                .init(.serviceUnavailable, "databaseUnavailable"),
            ])
    ) { call in
        let bundleID = try call.bundleID()
        let (value, bytes) = try await call.notification(
            upTo: MerchantServer.largestNotification)
        guard let payload = value["signedPayload"]?.string else {
            throw ErrorBody(
                .badRequest, "missingMember",
                "The body has no text `signedPayload`: notifications of version 2 have one.",
                field: "signedPayload")
        }
        return try await call.answer(
            try await call.merchant.receive(payload, as: bytes, for: bundleID))
    }

    /// Takes a notification of version 1: the app's shared secret in it is what counts.
    static let receiveVersionOne = Endpoint(
        .post, "/apple/v1/{bundleId}", "receiveVersionOneNotification", on: .apple,
        description: OperationDescription(
            .tools, "Take a notification of version 1",
            detail: "Only for an app whose configuration has its shared secret, which `password` "
                + "must be. Nobody signs version 1: only the receipt in `unified_receipt` changes "
                + "anything, once its signature was verified.",
            parameters: [.path("bundleId", .text("The app.", 1...255))],
            body: .file("The body that the App Store sends, with `password`."),
            success: success,
            failures: [
                .init(.badRequest, "malformedJSON"), .init(.badRequest, "missingMember"),
                .init(.badRequest, "wrongPassword"), .init(.notFound, "unknownApp"),
                .init(.notFound, "noSharedSecret"),
                .init(.serviceUnavailable, "busy"),
                .init(.serviceUnavailable, "databaseUnavailable"),
            ])
    ) { call in
        let bundleID = try call.bundleID()
        let (value, bytes) = try await call.notification(
            upTo: MerchantServer.largestVersionOneNotification)
        for name in ["password", "notification_type"] where value[name]?.string == nil {
            throw ErrorBody(
                .badRequest, "missingMember",
                "The body has no text `\(name)`: notifications of version 1 have one.",
                field: name)
        }
        return try await call.answer(
            try await call.merchant.receive(versionOne: value, as: bytes, for: bundleID))
    }

    private static let success = OperationDescription.Success.ok(
        "It is kept.",
        .object(
            "What came of it.",
            .required(
                "result", .choice("What came of it.", ["kept", "repeated", "setAside"]))))
}

extension Call {
    /// The body of a notification, read and as it came.
    fileprivate func notification(
        upTo limit: Int
    ) async throws -> (value: JSONValue, bytes: [UInt8]) {
        let buffer = try await body(upTo: limit)
        let bytes = Array(buffer.readableBytesView)
        do {
            return (try JSONValue(parsing: bytes), bytes)
        } catch {
            throw ErrorBody(.badRequest, "malformedJSON", "The body is not JSON: \(error)")
        }
    }

    /// Says what came of a notification, after it was processed where that is wanted.
    fileprivate func answer(_ reception: Merchant.Reception) async throws -> Response {
        if site.server.processesFirst { try await merchant.settle() }
        return .object { json in
            switch reception {
            case .kept: json.field("result", "kept")
            case .repeated: json.field("result", "repeated")
            case .setAside: json.field("result", "setAside")
            }
        }
    }
}

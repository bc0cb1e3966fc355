import AppStoreSigning
import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules
import TimeAndChance

/// Receipts of customers, and the secrets that servers show with them.
extension ConnectSurface {
    /// A customer's app receipt, decoded besides.
    static let getCustomerReceipt = Endpoint.operatorOnly(
        .get, "/connect/v1/customers/{account}/receipt", "getCustomerReceipt",
        OperationDescription(
            .theOperator, "Get a customer's app receipt",
            detail: "As it is on one of the customer's devices: with every attribute by its "
                + "number, its name and its value.",
            parameters: [
                .path("account", .text("The account, percent-encoded.", 1...256)),
                .query("bundleId", .text("The app; needed where there are several.", 1...255)),
                .query(
                    "device",
                    .text("The device's name; the first one that signed in unless given.", 1...64)),
            ],
            success: .ok(
                "The receipt.",
                .object(
                    "A receipt.",
                    .required("receipt", .text("In Base64.")),
                    .required("deviceIdentifier", .uuid("The device that it is sealed for.")),
                    .required("decoded", .anything("What is in it.")))),
            failures: [
                .init(.notFound, "unknownAccount"), .init(.notFound, "unknownApp"),
                .init(.notFound, "unknownDevice"), .init(.notFound, "noAppTransaction"),
                .init(.conflict, "severalApps"),
            ])
    ) { call, input in
        let receipt = try await call.store.receipt(
            of: call.text("account"), bundleID: try await call.onlyApp(input),
            device: input.parameter("device")?.string, in: call.environment)
        let decoded = try ReceiptDescription(of: receipt.bytes)
        return .object { json in
            receipt.write(to: &json)
            json.field("decoded", decoded)
        }
    }

    // MARK: Secrets

    private static let secretPath = "/connect/v1/apps/{bundleId}/shared-secret"
    private static let primaryPath = "/connect/v1/shared-secret"

    /// The secret of an app.
    static let getSharedSecret = secret(.get, secretPath, "getSharedSecret", "Get an app's secret")
    /// Another secret for an app.
    static let makeSharedSecret = secret(
        .post, secretPath, "makeSharedSecret", "Give an app another secret")
    /// The secret that is good for all apps.
    static let getPrimarySecret = secret(
        .get, primaryPath, "getPrimarySecret", "Get the primary secret")
    /// Another secret for all apps.
    static let makePrimarySecret = secret(
        .post, primaryPath, "makePrimarySecret", "Make another primary secret")

    private static func secret(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, _ summary: String
    ) -> Endpoint {
        let isOfApp = path == secretPath
        return .operatorOnly(
            method, path, name,
            OperationDescription(
                .theOperator, summary,
                detail: "What developers' servers send to verifyReceipt as `password`. "
                    + (method == .get
                        ? "It is made when it is asked for the first time."
                        : "The one of before is good no more."),
                parameters: isOfApp ? [bundleIDParameter] : [],
                success: .ok(
                    "The secret.",
                    .object(
                        "A shared secret.",
                        .required("sharedSecret", .text("32 hexadecimal characters.")),
                        .required("made", .moment("When it was made.")))),
                failures: isOfApp ? [.init(.notFound, "unknownApp")] : [])
        ) { call, _ in
            let fresh = Randomness.bytes(16).hexadecimal
            let app = isOfApp ? call.text("bundleId") : nil
            let (secret, made) =
                method == .get
                ? try await call.store.sharedSecret(of: app, orElse: fresh)
                : try await call.store.setSharedSecret(fresh, of: app)
            var answer = Response.object { json in
                json.field("sharedSecret", secret)
                json.field("made", made.iso8601)
            }
            answer.headers[.cacheControl] = "no-store"
            return answer
        }
    }
}

extension Call {
    /// The app that a query names, or the only one there is.
    fileprivate func onlyApp(_ input: Input) async throws -> String {
        if let named = input.parameter("bundleId")?.string { return named }
        let apps = try await store.apps()
        guard apps.count == 1, let app = apps.first else {
            throw ErrorBody(
                .conflict, "severalApps",
                "There are \(apps.count) apps: name one with `bundleId`.", field: "bundleId")
        }
        return app.bundleID
    }
}

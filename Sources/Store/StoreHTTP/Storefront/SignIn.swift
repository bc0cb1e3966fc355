import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension StorefrontSurface {
    /// Signs a customer in; in Sandbox and in tests nobody asks for a password.
    static let signIn = Endpoint.open(
        .post, "/storefront/v1/sign-in", "signIn",
        OperationDescription(
            .everybody, "Sign a customer in on a device",
            detail: "The account is made if it is new, and is at home in the app's storefront "
                + "unless it names one: that of the imported catalogue. A storefront or locale "
                + "that is given again moves the account there; running subscriptions keep their "
                + "storefront. The name of a new account has no invisible characters, such as "
                + "U+200B; joiners (U+200C, U+200D) may stand between others. The device is known "
                + "by its name: the same one has the same queue of transactions, that of a new one "
                + "begins with what no device has finished.",
            body: .members(
                .object(
                    "Who signs in, and where.",
                    .required("bundleId", .bundleID("The app on the device.")),
                    .required("account", .text("The customer's name.", 1...256, .account)),
                    .optional(
                        "storefront",
                        .storefront(
                            "Where the account is at home; unless given a new one is in the app's "
                                + "storefront, and a known one stays.")),
                    .optional(
                        "device", .text("The device's name; `device` unless given.", 1...64)),
                    .optional("locale", .text("The customer's language.", 2...35, .locale)))),
            success: .ok(
                "The device is signed in.",
                .object(
                    "A sign-in.",
                    .required("token", .text("The secret that the device shows from now on.")),
                    .required("account", .text("The customer's name.")),
                    .required("storefront", .storefront("Where the account is at home.")),
                    .required(
                        "canMakePayments",
                        .boolean("Whether the account may pay for anything.")),
                    .required("environment", .choice("The server's environment.", environments)),
                    .required("appTransaction", .signed("The customer's copy of the app")))),
            failures: [.init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp")])
    ) { call, input in
        let token = call.site.server.newToken()
        let device = try await call.store.signIn(
            SignInRequest(
                bundleID: input.requiredText("bundleId"), account: input.requiredText("account"),
                storefront: input.storefront("storefront"),
                device: input.text("device") ?? "device", locale: input.text("locale")),
            in: call.environment, token: token)
        let customer = try await call.store.account(of: device)
        let appTransaction = try await call.store.appTransaction(for: device)
        return .object { json in
            json.field("token", token)
            json.field("account", customer.account)
            json.field("storefront", customer.storefront.code)
            json.field("canMakePayments", customer.canMakePayments)
            json.field("environment", call.environment.wire)
            json.field("appTransaction", appTransaction)
        }
    }

    /// Signs out.
    static let signOut = Endpoint.device(
        .delete, "/storefront/v1/sign-in", "signOut",
        OperationDescription(
            .device, "Sign out",
            detail: "The token is good no more. The device stays known, with its queue and "
                + "whatever other token it has.",
            success: .nothing("Signed out."))
    ) { call, device, _ in
        try await call.store.signOut(token: try call.bearerToken(), from: device)
        return .empty(.noContent)
    }

    /// The customer's copy of the app, which proves that the app was acquired.
    static let getAppTransaction = Endpoint.device(
        .get, "/storefront/v1/app-transaction", "getAppTransaction",
        OperationDescription(
            .device, "Get the customer's copy of the app",
            success: .ok(
                "The copy.",
                .object(
                    "A signed copy.",
                    .required(
                        "signedAppTransactionInfo", .signed("The customer's copy of the app")))))
    ) { call, device, _ in
        .json(
            AppTransactionInfoResponse(
                signedAppTransactionInfo: try await call.store.appTransaction(for: device)))
    }

    private static let environments = [
        StoreEnvironment.production.wire.rawValue, StoreEnvironment.sandbox.wire.rawValue,
    ]
}

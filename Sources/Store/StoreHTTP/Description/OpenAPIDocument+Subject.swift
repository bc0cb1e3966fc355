import AppStoreWire
import HTTPSurface

extension OpenAPIDocument.Subject {
    /// `/storefront`, `/connect` and what is for tools.
    static let ownSurfaces = Self(
        title: "Perennial", version: "1",
        about:
            """
            The storefront, which apps on customers' devices call, and the operator's side of the \
            store. Each environment, Production and Sandbox, has a port of its own with these \
            paths. Moments are ISO 8601, money is whole milliunits of a currency, absent members \
            are left out and never null. What is not described is refused. A 400 whose code is \
            malformedJSON, unknownMember, missingMember, invalidMember or unknownParameter is \
            about the form of a request; others are about what it asks. A GET can be a HEAD. \
            The App Store Server API at /inApps has a document of its own, \
            /openapi/app-store-server-api.json.
            """,
        surfaces: [.storefront, .connect, .verifyReceipt, .tools],
        tokens: [
            ("device", "The token that POST /storefront/v1/sign-in returns."),
            ("operator", "The operator's token: `operatorToken` of the ready file."),
        ],
        schemas: [("Error", errorSchema), ("StorefrontCode", .storefronts)]
            + StorefrontSurface.schemas + ConnectSurface.schemas)

    /// The App Store Server API; the version is that of Apple's interface.
    static let serverAPI = Self(
        title: "App Store Server API, as Perennial answers it", version: "1.22",
        about:
            """
            The part of Apple's interface that is there. Moments are milliseconds since 1970, \
            members and parameters that are not described are passed over, null counts as absent. \
            A 400 without a body is a request that is no JSON or has a member of a wrong type. \
            Fault rules of the operator can answer any call with any error of Apple's. \
            `Prefer: wait=10` is taken here as it is on /connect: a call is answered once the \
            notifications that it caused were tried.
            """,
        surfaces: [.serverAPI, .advancedCommerce],
        tokens: [
            (
                "developer",
                "A JWT signed with ES256 and the developer's key, for one app and at most an "
                    + "hour."
            )
        ],
        schemas: [("Error", apiErrorSchema), ("StorefrontCode", .storefronts)]
            + ServerAPI.schemas)

    private static let errorSchema = Schema.object(
        "Why a request was refused.",
        .required("error", .text("What programs branch on, in camel case.")),
        .required("message", .text("What is wrong and what to do, in one sentence.")),
        .optional("problem", .text("Its first part alone: what is wrong.")),
        .optional("remedy", .text("Its second part alone: what to do.")),
        .optional("field", .text("The member or parameter that is wrong.")),
        .optional(
            "requestId",
            .identifier("With purchaseInterrupted: the request that is to be settled.")),
        .optional(
            "errorCode",
            .integer("Of a signed request: Apple's number, which begins with the status.")),
        .optional("errorName", .text("Of a signed request: Apple's name of that number.")),
        .optional(
            "findings",
            .list("What is wrong with a catalogue.", of: ConnectSurface.findingSchema)))

    private static let apiErrorSchema = Schema.object(
        "Why a request was refused.",
        .required("errorCode", .integer("What programs branch on; it begins with the status.")),
        .required("errorMessage", .text("What is wrong and what to do, in one sentence.")))
}

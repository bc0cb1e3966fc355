import AppStoreWire

extension OpenAPIDocument {
    /// What a document is about.
    enum Subject: Sendable {
        /// `/storefront`, `/connect` and what is for tools.
        case ownSurfaces
        /// The App Store Server API.
        case serverAPI
    }

    /// What the operations are grouped by.
    enum Tag: String {
        case storefront, connect, tools
        case serverAPI = "app-store-server-api"

        init(path: String) {
            self =
                switch path.split(separator: "/").first {
                case "storefront": .storefront
                case "connect": .connect
                case "inApps": .serverAPI
                default: .tools
                }
        }

        var about: String {
            switch self {
            case .storefront: "What StoreKit does for an app on a customer's device."
            case .connect: "What App Store Connect and a sandbox control panel do."
            case .tools: "Description, liveness and metrics."
            case .serverAPI: "What a developer's server asks and tells the App Store."
            }
        }
    }
}

extension OpenAPIDocument.Subject {
    var title: String {
        switch self {
        case .ownSurfaces: "Perennial"
        case .serverAPI: "App Store Server API, as Perennial answers it"
        }
    }

    /// Of our own surfaces, or of Apple's interface.
    var version: String {
        switch self {
        case .ownSurfaces: "1"
        case .serverAPI: "1.22"
        }
    }

    var about: String {
        switch self {
        case .ownSurfaces:
            """
            The storefront, which apps on customers' devices call, and the operator's side of the \
            store. Each environment, Production and Sandbox, has a port of its own with these \
            paths. Moments are ISO 8601, money is whole milliunits of a currency, absent members \
            are left out and never null. What is not described is refused. A 400 whose code is \
            malformedJSON, unknownMember, missingMember, invalidMember or unknownParameter is \
            about the form of a request; others are about what it asks. A GET can be a HEAD. \
            The App Store Server API at /inApps has a document of its own, \
            /openapi/app-store-server-api.json.
            """
        case .serverAPI:
            """
            The part of Apple's interface that is there. Moments are milliseconds since 1970, \
            members and parameters that are not described are passed over, null counts as absent. \
            A 400 without a body is a request that is no JSON or has a member of a wrong type. \
            Fault rules of the operator can answer any call with any error of Apple's.
            """
        }
    }

    var tags: [OpenAPIDocument.Tag] {
        switch self {
        case .ownSurfaces: [.storefront, .connect, .tools]
        case .serverAPI: [.serverAPI]
        }
    }

    /// The kinds of tokens, each with what it is.
    var tokens: [(name: String, about: String)] {
        switch self {
        case .ownSurfaces:
            [
                ("device", "The token that POST /storefront/v1/sign-in returns."),
                ("operator", "The operator's token: `operatorToken` of the ready file."),
            ]
        case .serverAPI:
            [
                (
                    "developer",
                    "A JWT signed with ES256 and the developer's key, for one app and at most an "
                        + "hour."
                )
            ]
        }
    }

    /// The shapes that have names of their own.
    var schemas: [(name: String, schema: Schema)] {
        switch self {
        case .ownSurfaces:
            [("Error", Self.errorSchema), ("StorefrontCode", .storefronts)]
                + StorefrontSurface.schemas + ConnectSurface.schemas
        case .serverAPI:
            [("Error", Self.apiErrorSchema), ("StorefrontCode", .storefronts)] + ServerAPI.schemas
        }
    }

    private static let errorSchema = Schema.object(
        "Why a request was refused.",
        .required("error", .text("What programs branch on, in camel case.")),
        .required("message", .text("What is wrong and what to do, in one sentence.")),
        .optional("field", .text("The member or parameter that is wrong.")),
        .optional(
            "findings",
            .list("What is wrong with a catalogue.", of: ConnectSurface.findingSchema)))

    private static let apiErrorSchema = Schema.object(
        "Why a request was refused.",
        .required("errorCode", .integer("What programs branch on; it begins with the status.")),
        .required("errorMessage", .text("What is wrong and what to do, in one sentence.")))
}

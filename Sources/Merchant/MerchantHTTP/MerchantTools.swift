import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant

/// What tools ask of a merchant, without any token.
enum MerchantTools {
    static let endpoints: [Endpoint] = [describe, checkHealth, showMetrics]

    static let describe = tool(
        "/openapi.json", "describeMerchant",
        OperationDescription(
            .tools, "Describe this server", detail: "OpenAPI 3.1.",
            success: .ok("The description.", .anything("An OpenAPI document.")))
    ) { _ in
        .json(bytes: description)
    }

    static let checkHealth = tool(
        "/health", "checkMerchant", isBrief: true,
        OperationDescription(
            .tools, "Say that the server is alive",
            detail: "The database is asked once a second at most.",
            success: .ok(
                "It is alive, and its database answers.",
                .object("Liveness.", .required("status", .choice("How it is.", ["ok"])))),
            failures: [.init(.serviceUnavailable, "databaseUnavailable")])
    ) { call in
        let merchant = call.merchant
        guard await call.site.server.health.isThere({ try await merchant.checkDatabase() }) else {
            throw DatabaseIsAway()
        }
        return .object { $0.field("status", "ok") }
    }

    static let showMetrics = tool(
        "/metrics", "showMerchantMetrics",
        OperationDescription(
            .tools, "Show metrics",
            detail: "In Prometheus text format. Without the database it has what this process "
                + "counts alone.",
            success: OperationDescription.Success(
                status: .ok, about: "The metrics.", schema: .text("Prometheus text."),
                mediaType: "text/plain"))
    ) { call in
        var text = PrometheusText()
        text.add(call.site.server.metrics.snapshot())
        await text.add(call.merchant)
        return .text(text.text, contentType: PrometheusText.contentType)
    }

    private static func tool(
        _ path: String, _ name: String, isBrief: Bool = false, _ description: OperationDescription,
        handle: @escaping @Sendable (Call) async throws -> Response
    ) -> Endpoint {
        Endpoint(
            .get, path, name, on: .merchantTools, isBrief: isBrief, description: description,
            handle: handle)
    }

    private static let description = OpenAPIDocument(.merchant, MerchantRoutes.table).jsonBytes()
}

extension OpenAPIDocument.Subject {
    fileprivate static let merchant = Self(
        title: "Perennial's merchant", version: "1",
        about:
            """
            The developer's side of subscriptions: it takes what the App Store has signed, and \
            says who has access and why. Moments are RFC 3339, absent members are left out and \
            never null. What is not described is refused.
            """,
        surfaces: [.apple, .customers, .merchantTools],
        tokens: [
            ("app", "The app's token: `appToken` of the ready file."),
            ("server", "The server's token: `serverToken` of the ready file."),
            ("operator", "The operator's token: `operatorToken` of the ready file."),
        ],
        schemas: [("Error", errorSchema)])

    private static let errorSchema = Schema.object(
        "Why a request was refused.",
        .required("error", .text("What programs branch on, in camel case.")),
        .required("message", .text("What is wrong and what to do, in one sentence.")),
        .optional("problem", .text("Its first part alone: what is wrong.")),
        .optional("remedy", .text("Its second part alone: what to do.")),
        .optional("field", .text("The member or parameter that is wrong.")))
}

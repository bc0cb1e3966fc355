import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

/// What tools ask, without any token.
enum ToolsSurface {
    static let endpoints: [Endpoint] = [
        describe, describeServerAPI, checkHealth, showMetrics,
    ]

    /// The description of our own surfaces.
    static let describe = Endpoint.tool(
        .get, "/openapi.json", "describe",
        OperationDescription(
            .tools, "Describe this server", detail: "OpenAPI 3.1.",
            success: .ok("The description.", .anything("An OpenAPI document.")))
    ) { _ in
        .json(bytes: ownSurfaces)
    }

    /// The description of the App Store Server API as it is here, at a path that is not Apple's:
    /// Apple's begin with inApps, advancedCommerce, groups or verifyReceipt.
    static let describeServerAPI = Endpoint.tool(
        .get, "/openapi/app-store-server-api.json", "describeServerAPI",
        OperationDescription(
            .tools, "Describe the App Store Server API",
            detail: "OpenAPI 3.1, of what this environment's server answers.",
            success: .ok("The description.", .anything("An OpenAPI document.")))
    ) { call in
        .json(bytes: serverAPI[call.environment] ?? [])
    }

    /// Whether the process and its database answer; it waits behind no other request.
    static let checkHealth = Endpoint.tool(
        .get, "/health", "checkHealth", isBrief: true,
        OperationDescription(
            .tools, "Say that the server is alive",
            detail: "The database is asked once a second at most, and has a few seconds.",
            success: .ok(
                "It is alive, and its database answers.",
                .object(
                    "Liveness.", .required("status", .choice("How it is.", ["ok"])),
                    .optional(
                        "rowsSetAside",
                        .integer(
                            "How many damaged rows nothing happens to any more; the log names "
                                + "them.")),
                    .optional(
                        "deliveries",
                        .boolean(
                            "False where notifications wait in the log; absent where they are "
                                + "posted.")))),
            failures: [.init(.serviceUnavailable, "databaseUnavailable")])
    ) { call in
        let store = call.store
        guard await call.site.server.health.isThere({ try await store.checkDatabase() }) else {
            throw DatabaseIsAway()
        }
        let count = call.store.rowsSetAside.count
        return .object { json in
            json.field("status", "ok")
            if count > 0 { json.field("rowsSetAside", count) }
            if !call.store.isDelivering { json.field("deliveries", false) }
        }
    }

    /// What was counted, as Prometheus reads it.
    static let showMetrics = Endpoint.tool(
        .get, "/metrics", "showMetrics",
        OperationDescription(
            .tools, "Show metrics", detail: "In Prometheus text format, of both servers.",
            success: OperationDescription.Success(
                status: .ok, about: "The metrics.", schema: .text("Prometheus text."),
                mediaType: "text/plain"))
    ) { call in
        var text = PrometheusText()
        text.add(call.site.server.metrics.snapshot())
        // The database is not asked: metrics are worth most when it does not answer.
        if let clock = call.store.lastClockReading() { text.add(clock) }
        text.add(call.store.databaseLoad)
        text.add(rowsSetAside: call.store.rowsSetAside)
        text.add(lanes: call.store.laneCount)
        return .text(text.text, contentType: PrometheusText.contentType)
    }

    // Made once: the endpoints never change while the process runs.

    private static let ownSurfaces = OpenAPIDocument(.ownSurfaces, StoreRoutes(.production))
        .jsonBytes()
    private static let serverAPI = Dictionary(
        uniqueKeysWithValues: StoreEnvironment.allCases.map {
            ($0, OpenAPIDocument(.serverAPI, StoreRoutes($0)).jsonBytes())
        })
}

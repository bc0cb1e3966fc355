import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Merchant

/// What has happened to an account's purchases.
enum EventsSurface {
    static let endpoints: [Endpoint] = [listEvents]

    private static let paging = Paging(
        "events", "The latest first.", of: EventForms.event.schema, .before,
        .text("The id of the last event.", 1...255))

    static let environment = OperationDescription.Parameter.query(
        "environment",
        .choice("Only of this environment.", MerchantEnvironment.allCases.map(\.name)))

    /// The lives of an account's purchases as one list.
    static let listEvents = Endpoint.tokenHolder(
        .get, "/v1/apps/{bundleId}/accounts/{account}/events", "listAccountEvents",
        OperationDescription(
            .server, "List what has happened to an account's purchases",
            detail: "Computed from the newest of what was signed, so the order of arrival does not "
                + "matter and a late notification adds its event at its own place. Also has what "
                + "comes next by itself: `isAhead`.",
            parameters: paging.parameters + [
                CustomersSurface.bundleID, CustomersSurface.account,
                .query("entitlement", .text("Only of purchases that unlock this.", 1...255)),
                .query("purchase", .text("Only of this original transaction.", 1...255)),
                environment,
            ],
            success: paging.success("The events.", "A page of them."),
            failures: [.init(.notFound, "unknownApp")])
    ) { call, input in
        let account = try call.account()
        let bundleID = try call.bundleID()
        let filter = AccountEventFilter(
            entitlement: input.parameter("entitlement")?.string,
            originalTransactionID: input.parameter("purchase")?.string,
            environment: input.environment)
        return try await paging.pageByName(input) { before, limit in
            try await call.merchant.events(
                of: account, bundleID, where: filter, before: before, limit: limit)
        } writing: { event, json in
            json.elementObject { EventForms.event.write(event, to: &$0) }
        }
    }
}

extension Input {
    /// The environment that a parameter of this name asks for; nil for all.
    var environment: MerchantEnvironment? {
        MerchantEnvironment(named: parameter("environment")?.string)
    }
}

import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension StorefrontSurface {
    /// How many seconds a request may wait.
    private static let patience: ClosedRange<Int64> = 0...60

    /// What changed, as `Transaction.updates` and the status updates give it.
    static let listUpdates = Endpoint.deviceWaits(
        .get, "/storefront/v1/updates", "listUpdates",
        OperationDescription(
            .device, "Wait for what changes",
            detail: "What changed for the customer in this app since a cursor: transactions that "
                + "are new or were refunded, upgraded or changed otherwise, and subscriptions with "
                + "another status or renewal info. That something was finished is no change. It "
                + "is answered at once if there is something, else when something comes or the "
                + "time is over, and the connection ends with the answer. A cursor survives "
                + "restarts of the store; where the world was put back, or the account began anew, "
                + "it counts as none.",
            parameters: [
                .query(
                    "after",
                    .text(
                        "The cursor of the answer before; without one it begins with what still "
                            + "waits in the device's queue, and with all subscriptions.", 1...128)),
                .query(
                    "wait", .integer("For how many seconds at most; 0 unless given.", patience)),
            ],
            success: .ok(
                "What changed.",
                .object(
                    "What changed.",
                    .required("cursor", .text("What to show as `after` next.")),
                    .required(
                        "hasMore", .boolean("Whether there is more, which is had at once.")),
                    .required(
                        "transactions",
                        .list("In the order of their last change.", of: .named("Transaction"))),
                    .required(
                        "subscriptions",
                        .list(
                            "As they are now; only in the last answer of several.",
                            of: .named("DeviceSubscription"))))),
            failures: [
                .init(.badRequest, "invalidCursor"), .init(.conflict, "tooManyWaiting"),
            ])
    ) { call, device, input in
        let server = call.site.server
        let updates = try await call.store.updates(
            for: device, after: input.parameter("after")?.string,
            waiting: .seconds(input.parameter("wait")?.integer ?? 0),
            most: server.options.waitingLimit, wait: server.wait)
        // The token may have become void meanwhile: what came since is for nobody here.
        guard try await Endpoint.device(of: call) == device else {
            throw StoreError.request(.signedOut)
        }
        return .object { json in
            json.field("cursor", updates.cursor)
            json.field("hasMore", updates.hasMore)
            json.array("transactions") { json in
                for one in updates.transactions { json.elementObject { one.write(to: &$0) } }
            }
            json.array("subscriptions") { json in
                for one in updates.subscriptions { json.elementObject { one.write(to: &$0) } }
            }
        }
    }
}

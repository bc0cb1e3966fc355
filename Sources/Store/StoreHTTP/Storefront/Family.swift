import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension StorefrontSurface {
    /// The customer's family, as the settings of a device show it.
    static let getFamily = Endpoint.device(
        .get, "/storefront/v1/family", "getOwnFamily",
        OperationDescription(
            .device, "Get the customer's family, and what it shares in this app",
            detail: "Without a family there are no members, and what the customer bought is "
                + "listed all the same.",
            success: .ok("The family.", .named("OwnFamily")))
    ) { call, device, _ in
        try await family(of: device, call)
    }

    /// Sets whether new purchases are shared, and whether the customer hears of sharing.
    static let changeFamily = Endpoint.device(
        .patch, "/storefront/v1/family", "changeOwnFamily",
        OperationDescription(
            .device, "Set what the customer shares of new purchases, and hears of sharing",
            detail: "What the customer has keeps what held for it.",
            body: .members(
                .object(
                    "What to change.",
                    .optional(
                        "sharesNewPurchases",
                        .boolean("Whether what is bought from now on is shared.")),
                    .optional("hearsOfSharing", hearsOfSharing))),
            success: .ok("The family as it is now.", .named("OwnFamily")))
    ) { call, device, input in
        if let shares = input.boolean("sharesNewPurchases") {
            try await call.store.setSharesNewPurchases(shares, by: device)
        }
        if let hears = input.boolean("hearsOfSharing") {
            try await call.store.setHearsOfSharing(hears, by: device)
        }
        return try await family(of: device, call)
    }

    private static let hearsOfSharing = Schema.boolean(
        "Whether the customer is told that something can be shared, or is.")

    /// Leaves the family.
    static let leaveFamily = Endpoint.device(
        .delete, "/storefront/v1/family", "leaveFamily", canRehearse: true,
        OperationDescription(
            .device, "Leave the family",
            detail: "What the others shared is lost at once, and they lose what the customer "
                + "shared; what the customer bought stays. When the organiser leaves the family "
                + "ends. In Sandbox this is what settings call to stop sharing.",
            success: .nothing("Left."), failures: [.init(.conflict, "notInFamily")])
    ) { call, device, _ in
        try await call.store.leaveFamily(by: device)
        return .empty(.noContent)
    }

    /// Shares a purchase with the family, or stops that.
    static let setSharing = Endpoint.device(
        .put, "/storefront/v1/transactions/{transactionId}/sharing", "setOwnSharing",
        canRehearse: true,
        OperationDescription(
            .device, "Share a purchase with the family, or stop that",
            detail: "It holds as long as the purchase, and also for a family that is joined later.",
            parameters: [
                .path("transactionId", .identifier("The customer's original transaction."))
            ],
            body: .members(Schema.sharing), success: .nothing("Set."),
            failures: [.init(.badRequest, "invalidSetting")] + Schema.sharingFailures)
    ) { call, device, input in
        try await call.store.setSharing(
            input.sharing,
            originalTransaction: try call.pathIdentifier(
                "transactionId", of: .originalTransaction), by: device)
        return .empty(.noContent)
    }

    private static func family(of device: DeviceSession, _ call: Call) async throws -> Response {
        let (customer, family, purchases) = try await call.store.family(for: device)
        return .object { json in
            json.field("sharesNewPurchases", customer.sharesNewPurchases)
            json.field("hearsOfSharing", customer.hearsOfSharing)
            json.array("members") { json in
                for member in family?.members ?? [] {
                    json.elementObject { json in
                        json.field("account", member.account)
                        json.field("organiser", member.isOrganiser)
                        json.field("joined", member.joined.iso8601)
                    }
                }
            }
            json.array("purchases") { json in
                for one in purchases { json.elementObject { one.write(to: &$0) } }
            }
        }
    }

    static let familySchema = Schema.object(
        "A customer's family, and what it shares in this app.",
        .required(
            "sharesNewPurchases",
            .boolean("Whether what the customer buys from now on is shared.")),
        .required("hearsOfSharing", hearsOfSharing),
        .required(
            "members",
            .list(
                "Who is in it, the organiser first; nobody without a family.",
                of: .object(
                    "Somebody in it.", .required("account", .text("The account.")),
                    .required("organiser", .boolean("Whether it is the organiser.")),
                    .required("joined", .moment("When it joined."))))),
        .required(
            "purchases",
            .list(
                "What the customer bought that can be shared, and what the others share.",
                of: .named("SharedPurchase"))))
}

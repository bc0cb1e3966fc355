import AppStoreWire
import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension StorefrontSurface {
    /// What the customer waits for.
    static let listOwnRequests = Endpoint.device(
        .get, "/storefront/v1/purchase-requests", "listOwnRequests",
        OperationDescription(
            .device, "List the purchases that wait",
            detail: "Those that somebody is to approve, and those that were interrupted; newest "
                + "first, 200 at most.",
            success: .ok(
                "The requests.",
                .object(
                    "Requests.",
                    .required(
                        "purchaseRequests",
                        .list("Newest first.", of: .named("PurchaseRequest"))))))
    ) { call, device, _ in
        let found = try await call.store.heldPurchases(for: device)
        return .object { json in
            json.array("purchaseRequests") { json in
                for entry in found { json.elementObject { entry.write(to: &$0) } }
            }
        }
    }

    /// The customer settles what interrupted a purchase.
    static let settlePurchase = Endpoint.device(
        .post, "/storefront/v1/purchase-requests/{id}/settle", "settlePurchase",
        OperationDescription(
            .device, "Settle what interrupted a purchase",
            detail: "As agreeing to new terms or confirming a card does: the purchase is made now, "
                + "and its transaction comes up among the unfinished ones.",
            parameters: [.path("id", .identifier("The request."))],
            success: .ok("Settled.", .named("PurchaseRequest")),
            failures: [
                .init(.notFound, "unknownPurchaseRequest"), .init(.conflict, "requestClosed"),
                .init(.conflict, "needsApproval"),
            ])
    ) { call, device, _ in
        let entry = try await call.store.approve(
            heldPurchase: try call.pathIdentifier("id", of: .purchaseRequest), by: device,
            in: call.environment)
        return .object { entry.write(to: &$0) }
    }
}

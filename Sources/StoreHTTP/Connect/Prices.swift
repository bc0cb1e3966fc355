import HTTPTypes
import Hummingbird
import Store
import SubscriptionRules

extension ConnectSurface {
    /// Sets the price of a product in one storefront.
    static let setPrice = Endpoint.operatorOnly(
        .put, "/connect/v1/apps/{bundleId}/products/{productId}/prices/{storefront}", "setPrice",
        OperationDescription(
            .theOperator, "Set a price in a storefront",
            detail: "For new purchases, at once; what subscribers pay is changed by price changes.",
            parameters: [
                bundleIDParameter, productIDParameter,
                .path("storefront", .storefront("The storefront.")),
            ],
            body: .members(
                .object("The price.", .required("price", .price("The price")))),
            success: .nothing("Set."),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp"),
                .init(.notFound, "unknownProduct"), .init(.notFound, "unknownStorefront"),
            ])
    ) { call, input in
        try await call.store.setPrice(
            input.required(input.integer("price"), "price"), product: call.text("productId"),
            storefront: try call.storefront(), bundleID: call.text("bundleId"))
        return .empty(.noContent)
    }

    /// Takes a product off sale, or puts it back (section 11 of the rules).
    static let setAvailability = Endpoint.operatorOnly(
        .put, "/connect/v1/apps/{bundleId}/products/{productId}/availability", "setAvailability",
        OperationDescription(
            .theOperator, "Take a product off sale, or put it back",
            detail: "Whoever subscribes is served to the end of the paid period.",
            parameters: [bundleIDParameter, productIDParameter],
            body: .members(
                .object(
                    "Whether and where.",
                    .required("forSale", .boolean("Whether it is for sale.")),
                    .optional(
                        "storefront", .storefront("Only there; absent for all storefronts.")))),
            success: .nothing("Set."),
            failures: [.init(.notFound, "unknownApp"), .init(.notFound, "unknownProduct")])
    ) { call, input in
        try await call.store.setAvailability(
            input.required(input.boolean("forSale"), "forSale"), product: call.text("productId"),
            storefront: input.storefront("storefront"), bundleID: call.text("bundleId"))
        return .empty(.noContent)
    }

    static let productIDParameter = OperationDescription.Parameter.path(
        "productId", .text("The product.", 1...255))
}

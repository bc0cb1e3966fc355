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
            detail: "For new purchases; subscribers keep what they pay.",
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
        let code = call.text("storefront")
        guard let storefront = Storefront(code: code) else {
            throw StoreError.unknownStorefront(String(code.prefix(64)))
        }
        try await call.store.setPrice(
            input.required(input.integer("price"), "price"), product: call.text("productId"),
            storefront: storefront, bundleID: call.text("bundleId"))
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

    private static let productIDParameter = OperationDescription.Parameter.path(
        "productId", .text("The product.", 1...255))
}

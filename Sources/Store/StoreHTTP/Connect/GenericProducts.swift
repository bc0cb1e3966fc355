import HTTPSurface
import HTTPTypes
import Hummingbird
import Store

extension ConnectSurface {
    /// Lets a product stand for what the merchant describes itself (ACM-1).
    static let setGeneric = Endpoint.operatorOnly(
        .put, "/connect/v1/apps/{bundleId}/products/{productId}/advanced-commerce", "setGeneric",
        OperationDescription(
            .theOperator, "Let a product stand for what the merchant describes itself",
            detail:
                "Of a consumable, or of an auto-renewable subscription that is alone in its group. "
                + "It is sold with a request alone that the developer's server has signed; its own "
                + "price and period say nothing then.",
            parameters: [bundleIDParameter, productIDParameter],
            body: .members(
                .object(
                    "Whether it does.",
                    .required("isGeneric", .boolean("Whether it stands for others.")))),
            success: .nothing("Set."),
            failures: [
                .init(.badRequest, "invalidSetting"), .init(.notFound, "unknownApp"),
                .init(.notFound, "unknownProduct"), .init(.conflict, "productDeleted"),
            ])
    ) { call, input in
        try await call.store.setGeneric(
            input.required(input.boolean("isGeneric"), "isGeneric"),
            product: call.text("productId"), bundleID: call.text("bundleId"))
        return .empty(.noContent)
    }
}
